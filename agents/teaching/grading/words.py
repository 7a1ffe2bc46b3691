"""Text to tokens: contractions, stems, concepts, and what a negation turns round."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from agents.language.words import stem, vocabulary

STOP = vocabulary("stop", "stop_answered")
LIGHT = vocabulary("light")
NEGATORS = vocabulary("negators")
NEGATING_STEMS = vocabulary("negating_stems")
CLAUSE_WORDS = vocabulary("clause_words")
PASSING = vocabulary("passing")
LABELLED = vocabulary("labelled")
AFTER_LABEL = vocabulary("after_label")
TRUE = vocabulary("true")
FALSE = vocabulary("false")
CLOZE_FILLER = vocabulary("cloze_filler")
ABOUT = vocabulary("about")


Sides = tuple[tuple[int, int], ...]  # (line of the lexicon, side: +1 or -1 on an axis, 0 among synonyms)


@cache
def entries() -> Mapping[str, Sides]:
    """Stem, or stems of a phrase joined by underscores, to the lines it stands on."""
    found: dict[str, dict[int, int]] = {}
    text = files(__package__).joinpath("lexicon.txt").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines()):
        if not line.startswith(("=", "|")):
            continue
        halves = line[1:].split("/")
        for side, words in zip((1, -1) if len(halves) == 2 else (0,), halves, strict=True):
            for word in words.split():
                key = "_".join(stem(part) for part in word.split("_"))
                found.setdefault(key, {}).setdefault(number, side)
    return {key: tuple(lines.items()) for key, lines in found.items()}


@cache
def _phrases() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """The phrases by the stem that they begin with, longest first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for key in entries():
        parts = tuple(key.split("_"))
        if len(parts) > 1:
            found.setdefault(parts[0], []).append(parts)
    return {first: tuple(sorted(group, key=len, reverse=True)) for first, group in found.items()}


MAX_CHARS = 3000
MAX_TOKENS = 200
_LIGHT_WEIGHT = 0.35

_REWRITES = (
    (re.compile(r"(?<=[a-z])[\"^’`´](?=[a-z])"), "'"),
    (re.compile(r"\b(?:cannot|can't|cant)\b"), "can not"),
    (re.compile(r"\b(?:won't|wont)\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(do|does|did|is|was|are|were|has|have|had|would|could|should)nt\b"), r"\1 not"),
    (re.compile(r"\b(?:no longer|no more|not any ?more)\b"), "not"),
    (re.compile(r"\bnon-"), "non "),
    (re.compile(r"'(?:s|re|ve|ll|d|m)\b"), " "),
)
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[a-z]+(?:'[a-z]+)?|[^\W\d_]+|[.;:!?,]")
_TRIGRAM_GAPS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Token:
    """One word (or lexicon phrase) of a text, with all that matching needs."""

    text: str
    stem: str
    concepts: Sides
    negated: bool
    weight: float  # 0 for small words
    clause: int
    place: int


def clean(text: str) -> str:
    """Lower-case, printable, contractions spelled out, capped."""
    text = unicodedata.normalize("NFKC", text[:MAX_CHARS])[:MAX_CHARS].lower()
    text = "".join(char if char.isprintable() else " " for char in text)
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    return text


def tokens_of(text: str) -> tuple[Token, ...]:
    """The words of a text in order; a phrase of the lexicon is one token."""
    raw = _TOKEN.findall(clean(text))[:MAX_TOKENS]
    stems = [stem(word) for word in raw]
    found: list[Token] = []
    negations: list[tuple[int, int]] = []  # (first token after the negator, its clause)
    clause = at = 0
    while at < len(raw):
        word = raw[at]
        step = 1
        if not word[0].isalnum():
            clause += 1
        elif word in NEGATORS:
            negations.append((len(found), clause))
        else:
            clause += word in CLAUSE_WORDS
            phrase = _phrase_at(stems, at)
            step = len(phrase) or 1
            found.append(_token(raw, at, phrase, clause=clause, place=len(found)))
            if found[-1].stem in NEGATING_STEMS:
                negations.append((len(found), clause))
        at += step
    for place in {place for start, within in negations for place in _turned_round(found, start, within)}:
        found[place] = replace(found[place], negated=True)
    return tuple(found)


def content(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The words that say something."""
    return tuple(token for token in tokens if token.weight > 0)


def is_name(token: Token) -> bool:
    """A label or a number: bulb A, terminal 4."""
    return (len(token.text) == 1 and token.weight > 0) or token.stem[0].isdigit()


def axes(token: Token) -> set[int]:
    """The lexicon axes that this word stands on one side of."""
    return {line for line, side in token.concepts if side}


def trigrams(text: str) -> frozenset[str]:
    """Runs of three letters, word borders included."""
    padded = f" {_TRIGRAM_GAPS.sub(' ', text)} "
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2))


def _phrase_at(stems: Sequence[str], at: int) -> tuple[str, ...]:
    for phrase in _phrases().get(stems[at], ()):
        if tuple(stems[at : at + len(phrase)]) == phrase:
            return phrase
    return ()


def _token(raw: Sequence[str], at: int, phrase: tuple[str, ...], *, clause: int, place: int) -> Token:
    word = raw[at]
    if phrase:
        key = "_".join(phrase)
        return Token(key, key, entries().get(key, ()), False, 1.0, clause, place)
    if len(word) == 1 and word.isalpha() and (word != "i" if word != "a" else _is_label(raw, at)):
        return Token(word, word, (), False, 1.0, clause, place)
    key = stem(word)
    return Token(word, key, entries().get(key, ()), False, _weight(word, key), clause, place)


def _weight(word: str, stemmed: str) -> float:
    if word in STOP:
        return 0.0
    return _LIGHT_WEIGHT if word in LIGHT or stemmed in LIGHT else 1.0


def _is_label(raw: Sequence[str], at: int) -> bool:
    """Is this 'a' a name (bulb A; A and C) rather than the article?"""
    before = raw[at - 1] if at else ""
    after = raw[at + 1] if at + 1 < len(raw) else ""
    ends = not after or not after[0].isalnum() or after in AFTER_LABEL
    return ends or before in LABELLED


def _turned_round(tokens: Sequence[Token], start: int, clause: int) -> list[int]:
    """What a negation turns round: the first word that says something, and its kin beside it."""
    if start < len(tokens) and tokens[start].text in {"and", "or"}:
        return []
    reach = [token for token in tokens[start : start + 9] if token.clause == clause and token.weight > 0]
    reach = ([token for token in reach if not is_name(token)] or reach)[:4]
    if not reach:
        return []
    first = reach[0]
    if first.stem in PASSING or first.weight < 1:
        later = [token for token in reach[1:] if token.stem not in PASSING]
        sided = [token for token in later if axes(token)]
        full = [token for token in later if token.weight == 1]
        first = (sided or full or [first])[0]
    kin = [token.place for token in reach if token.place > first.place and axes(token) & axes(first)]
    return [first.place, *kin]
