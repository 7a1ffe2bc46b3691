"""What a heading or a label says of what is below it: questions, one question, or their answers.

The words are data (`titles.txt`), the same lists for every language; a heading counts as sure where nothing else is in it
but numbers, the names of divisions and small words, so 'Exercises for Chapter 3' is and 'Exercises in style' is not.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from agents.language.headings import is_picture

_MOST_TOKENS = 4  # of a phrase
_LONGEST = 120  # letters of a heading that is looked at
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_HAN_NUMBER = "一二三四五六七八九十百"
_DIVISION = re.compile(rf"第\s*([\d{_HAN_NUMBER}]+)\s*[章节節课課回部編单單]元?")
NUMBER = r"\d{1,3}(?:\.\d{1,3}){0,3}"
_NUMBER_TOKEN = re.compile(rf"(?:{NUMBER}|[ivxl]+|[a-z](?:\.\d+)+)\Z")
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)\s*\Z")  # 'Exercise (hard)'
_AFTER = re.compile(r"\s*[:：|]\s*|\s+[–—-]\s+")

TitleKind = Literal["questions", "question", "answers", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """What a heading announces."""

    kind: TitleKind = ""
    is_sure: bool = False  # it says nothing else
    has_both: bool = False  # questions and answers
    number: str = ""  # of the chapter, or of the question
    is_perhaps: bool = False  # 'Problem 3', 'Problems': they may as well be told of


@cache
def _lists() -> Mapping[str, frozenset[str]]:
    lists: dict[str, set[str]] = {}
    name = ""
    for line in files(__package__).joinpath("titles.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line and not line.startswith("#"):
            lists.setdefault(name, set()).update(line.split())
    return {key: frozenset(words) for key, words in lists.items()}


@lru_cache(maxsize=4096)
def title_of(heading: str) -> Title:
    """What a heading says; a title of another kind says nothing."""
    words = "".join(" " if is_picture(sign) else sign for sign in heading[:_LONGEST]).replace("*", "").strip()
    head = _AFTER.split(_IN_BRACKETS.sub("", words) or words, maxsplit=1)
    found = _read(head[0])
    if len(head) > 1 and found.kind in ("", "question"):
        behind = _read(head[1])
        # 'Chapter 3: Exercises', and 'Exercise 3: Loops'
        if not found.kind and behind.kind in ("questions", "answers") and behind.is_sure:
            number = behind.number or found.number
            return Title(kind=behind.kind, is_sure=True, has_both=behind.has_both, number=number)
    return found


def _read(heading: str) -> Title:
    division = _DIVISION.search(heading)
    number = _arabic(division[1]) if division else ""
    text = _DIVISION.sub(" ", heading)
    roles = _han_roles(text) if _HAN.search(text) else _roles(_tokens(text))
    numbers = [each for role, each in roles if role == "number"]
    said = [role for role, _ in roles]
    number = number or next(iter(numbers), "")
    known = [role for role in said if role in ("questions", "question", "answers")]
    has_rest = "" in said
    if not known:
        return Title(number=number)
    both = "answers" in known and ("questions" in known or "question" in known)
    if both:
        joined = "and" in said[said.index(known[0]) : len(said) - said[::-1].index(known[-1])]
        kind: TitleKind = "questions" if joined and known[0] != "answers" else "answers"
        return Title(kind=kind, is_sure=not has_rest, has_both=True, number=number)
    if known[0] != "question":
        # 'Answers to Review Questions' begins with it; 'Cleaning solutions' only ends so.
        kind = "answers" if known[0] == "answers" else "questions"
        alone = [word for role, word in roles if role not in ("number", "chapter")]
        perhaps = len(alone) == 1 and alone[0] in _lists()["perhaps"]
        return Title(kind=kind, is_sure=not has_rest, number=number, is_perhaps=perhaps)
    first = [role for role in said if role not in ("around", "and", "chapter")]
    numbered = first[:2] == ["question", "number"]
    perhaps = bool(_lists()["perhaps"] & {word for role, word in roles if role == "question"})
    if perhaps and not numbered:
        return Title()  # 'The problem', and below it why something is needed
    return Title(
        kind="question",
        is_sure=numbered or not has_rest,
        number=number if numbered else "",
        is_perhaps=perhaps,
    )


def _tokens(text: str) -> list[str]:
    """Words and numbers, with the marks that belong into them."""
    signs = []
    for sign in unicodedata.normalize("NFKC", text).casefold():
        is_mark = unicodedata.category(sign)[0] in "PS" and sign not in "-.'’/_"
        signs.append(" " if is_mark else sign.replace("’", "'"))
    return [each for token in "".join(signs).split() if (each := token.strip(".-'/"))]


def _roles(tokens: Sequence[str]) -> list[tuple[str, str]]:
    """What each word or phrase is for; '' for a word that no list has."""
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(tokens):
        for size in range(min(_MOST_TOKENS, len(tokens) - at), 0, -1):
            phrase = "_".join(tokens[at : at + size])
            role = _role(phrase)
            if role:
                break
        else:
            role, size, phrase = "", 1, tokens[at]
        found.append((role, phrase))
        at += size
    return found


def _role(phrase: str) -> str:
    if _NUMBER_TOKEN.match(phrase):
        return "number"
    lists = _lists()
    for role in ("questions", "answers", "question", "and", "chapter", "around"):
        if phrase in lists[role]:
            return role
    return "around" if len(phrase) == 1 and phrase.isascii() else ""  # 'Appendix B. Exercises'


@cache
def _han_phrases() -> re.Pattern[str]:
    phrases = {
        each for role in ("questions", "answers", "question", "and", "around") for each in _lists()[role]
    }
    han = sorted((each for each in phrases if _HAN.search(each)), key=len, reverse=True)
    return re.compile(rf"({'|'.join(map(re.escape, han))}|{NUMBER}|[{_HAN_NUMBER}]+(?=[、.]))")


def _han_roles(text: str) -> list[tuple[str, str]]:
    """The same for scripts that write no spaces."""
    found: list[tuple[str, str]] = []
    for piece in _han_phrases().split(unicodedata.normalize("NFKC", text)):
        words = "".join(sign for sign in piece if sign.isalnum())
        if words:
            found.append((_role(words), words))
    return found


def _arabic(number: str) -> str:
    """'十二' is 12."""
    if number.isascii():
        return number
    tens, ten, ones = number.partition("十")
    value = (_HAN_NUMBER.find(tens) + 1 or 1) * 10 if ten else 0
    return str(value + _HAN_NUMBER.find(ones or tens) + 1 if ones or not ten else value)


def is_answer_label(line: str) -> bool:
    """'Solution' on a line of its own: that of what stands above it."""
    return line.strip("*_: ").casefold() in _lists()["label"]


@cache
def answer_label() -> re.Pattern[str]:
    """A line that begins an answer: 'Answer:', '**Solution.**', '答案：B'."""
    words = sorted(_lists()["label"], key=len, reverse=True)
    any_word = "|".join(re.escape(word).replace("_", "[ ]") for word in words)
    return re.compile(
        rf"^[ \t]*(?:[-*+>][ \t]+)?(?:"
        rf"(?:\*\*|__)?(?:{any_word})(?:[ \t]+(?:\w+[ \t]+){{0,2}}{NUMBER})?(?:\*\*|__)?[ \t]*[:：](?:\*\*|__)?"
        rf"|(?:\*\*|__)(?:{any_word})(?:[ \t]+(?:\w+[ \t]+){{0,2}}{NUMBER})?[.)]?(?:\*\*|__)[.:]?"
        rf")[ \t]*",
        re.IGNORECASE | re.MULTILINE,
    )


@cache
def answer_in_brackets() -> re.Pattern[str]:
    """The same behind a question: '(Answer: B)'."""
    words = sorted((word for word in _lists()["label"] if word != "a"), key=len, reverse=True)
    any_word = "|".join(re.escape(word).replace("_", "[ ]") for word in words)
    return re.compile(
        rf"[(（\[](?:{any_word})\.?[ \t]*[:：.][ \t]*([^()\[\]（）\n]+)[)）\]][ \t.]*\Z", re.IGNORECASE
    )


@cache
def numbered_label() -> re.Pattern[str]:
    """'Exercise 3.1', '**Problem 2.**' at the beginning of a paragraph; what follows its number is the question."""
    words = sorted(_lists()["question"], key=len, reverse=True)
    any_word = "|".join(re.escape(word).replace("_", "[ ]") for word in words)
    return re.compile(
        rf"[ ]{{0,3}}(?:[^\w\s#|*`$]{{1,2}}[ \t]+)?(?P<bold>\*\*|__)?(?P<word>{any_word})[ \t]*(?P<number>{NUMBER}|[A-Z](?:\.\d+)+)"
        rf"(?P<end>[.:)：]?(?:\*\*|__)?[.:)：]?)(?=\s|\Z)[ \t]*",
        re.IGNORECASE,
    )


def asks(text: str) -> bool:
    """Whether an item asks or orders: a question mark, a gap to fill, or a word that begins (or ends) a task."""
    plain = text.strip()
    if re.search(r"[?？؟]|_{3,}|\.{6,}|…{2,}", plain):
        return True
    orders = _lists()["orders"]
    if _HAN.search(plain):
        return any(plain.startswith(each) or each in plain[-8:] for each in orders if _HAN.search(each))
    words = _tokens(re.sub(r"\A\s*(?:\*\*[^*]+\*\*|\([^)]*\))\s*", "", plain[:200]) or plain[:200])
    last = _tokens(plain[-60:])
    starts_sentence = re.findall(r"(?:^|[.!:;,]\s+)([A-Za-zÀ-ÿ]+)", plain[:600])
    return bool(
        (words and words[0] in orders)
        or (last and not last[-1].isascii() and last[-1] in orders)
        or any(each.casefold() in orders and each[0].isupper() for each in starts_sentence)
    )
