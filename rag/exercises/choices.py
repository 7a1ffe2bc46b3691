"""Answers to choose from, and the solution that names the right one: what the readers of all forms share.

A question with choices comes as one text ('Which …? (a) … (b) …') or with the choices apart, and its key as a letter, as
letters, as a letter with words, or as the words of a choice. Whether a lettered list is one of choices or one of parts only
its solution tells: 'B' is a choice, '(a) 5 m; (b) 3 m' answers parts, and without any the list stays in the text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.teaching.values import AnswerChoice, Exercise

_FIRST_LETTERS = frozenset("aаαAАΑ")  # of the alphabets whose letters follow each other
_LABEL = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?(?:(?P<in>\([ \t]*)(?P<one>[^\W\d_]|\d{1,2})[ \t]*\)|(?P<two>[^\W\d_]|\d{1,2})(?P<after>[.):]))"
    r"(?:\*\*)?[ \t]+(?=\S)"
)
_BOX = re.compile(r"[ \t]*[-*+][ \t]+\[(?P<sign>[ xX✓✔])\][ \t]+(?=\S)")
_FENCE = re.compile(r"[ \t]*(?:[^\s`~]{1,6}[ \t]+)?(?:```(?=[^`]*\Z)|~~~)")  # also behind a label
_LATIN = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A question that ends in a list: what it asks, and what it offers."""

    stem: str
    choices: tuple[str, ...]
    labels: tuple[str, ...]  # in small letters


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Which of the choices a solution names, and what else it says."""

    which: tuple[int, ...]
    beyond: tuple[str, ...] = ()  # letters that no choice has
    rest: str = ""


@dataclass(slots=True)
class _Run:
    """One list's lines: where each begins, and where its text does."""

    first: str
    lines: list[tuple[int, int]]

    def continues(self, label: str) -> bool:
        if label.isdigit() != self.first.isdigit():
            return False
        place = int(label) - int(self.first) if label.isdigit() else ord(label) - ord(self.first)
        return place == len(self.lines)


def offered(text: str) -> Offered | None:
    """The list at the end of a question; None without one, and where several compete for being it."""
    runs: dict[tuple[str, bool], _Run] = {}
    repeated: set[tuple[str, bool]] = set()
    for start, line in _lines(text):
        found = _LABEL.match(line)
        if not found:
            continue
        label = found["one"] or found["two"]
        style = ("(" if found["in"] else found["after"], label.isdigit())
        known = runs.get(style)
        if known and known.continues(label):
            known.lines.append((start, start + found.end()))
        elif label in _FIRST_LETTERS or label == "1":
            if known and len(known.lines) > 1:
                repeated.add(style)
            runs[style] = _Run(label, [(start, start + found.end())])
    lists = [style for style, run in runs.items() if len(run.lines) > 1]
    lists = [style for style in lists if not style[1]] or lists  # letters before numbers
    if len(lists) != 1 or lists[0] in repeated:
        return None
    run = runs[lists[0]]
    choices, after = _texts(text, run.lines)
    stem = "\n\n".join(filter(None, [text[: run.lines[0][0]].strip(), after]))
    labels = [str(n + 1) if run.first == "1" else chr(ord(run.first) + n) for n in range(len(choices))]
    return Offered(stem=stem, choices=choices, labels=tuple(label.casefold() for label in labels))


def boxed(text: str) -> tuple[str, tuple[AnswerChoice, ...]] | None:
    """A question whose choices are ticked where they are right ('- [x]'), with them apart."""
    lines: list[tuple[int, int]] = []
    signs: list[bool] = []
    for start, line in _lines(text):
        if found := _BOX.match(line):
            lines.append((start, start + found.end()))
            signs.append(found["sign"] != " ")
    if len(lines) < 2 or not any(signs):
        return None
    texts, after = _texts(text, lines)
    stem = "\n\n".join(filter(None, [text[: lines[0][0]].strip(), after]))
    return stem, tuple(
        AnswerChoice(text=text, is_right=right) for text, right in zip(texts, signs, strict=True)
    )


def _lines(text: str) -> list[tuple[int, str]]:
    """Where each line begins that is not code, and the line."""
    lines: list[tuple[int, str]] = []
    at, in_code = 0, False
    for line in text.split("\n"):
        is_fence = bool(_FENCE.match(line))
        if not in_code:
            lines.append((at, line))
        in_code ^= is_fence
        at += len(line) + 1
    return lines


def _texts(text: str, lines: Sequence[tuple[int, int]]) -> tuple[tuple[str, ...], str]:
    """The choices, and what follows the last of them where the others are one paragraph each."""
    ends = [start for start, _ in lines[1:]] + [len(text)]
    texts = [text[begin:end].strip() for (_, begin), end in zip(lines, ends, strict=True)]
    after = ""
    if all("\n\n" not in each for each in texts[:-1]):
        texts[-1], _, after = texts[-1].partition("\n\n")
    return tuple(texts), after.strip()


_WORDED = re.compile(
    r"(?:[^\W\d_]{2,}[ \t]+){0,3}[^\W\d_]{2,}(?:[ \t]*:[ \t]*|[ \t]+(?=[A-Z(]))"
)  # 'Answer: B'
_T = r"(?:[^\W\d_]|\d{1,2})"
_ONE = rf"(?:\([ \t]*{_T}[ \t]*\)|{_T})"
_MORE = rf"(?:[ \t]*[,;/&+][ \t]*(?:[^\W\d_]{{2,4}}[ \t]+)?|[ \t]+[^\W\d_]{{1,4}}[ \t]+){_ONE}(?!\w)"
_NAMES = re.compile(rf"(?P<first>{_ONE})(?!\w)(?:{_MORE})*")
_THEN = re.compile(r"[ \t]*(?:[.):,][)]?(?=\s|\Z)|[–—-](?=\s))\s*|\s*\Z")
_AFTER_BRACKET = re.compile(r"\s+(?=\w)")
_EACH = re.compile(rf"(?<!\w){_T}(?!\w)")
_RUN_TOGETHER = re.compile(r"[A-Z]{2,8}")


def named(solution: str, *, of: Offered) -> Named | None:
    """Which choices a solution names; None where it answers in other words, or part by part."""
    text = solution.strip().replace("**", "").strip()
    if (same := _said(text, of=of)) is not None:
        return same
    found = _letters(text, of=of)
    if found is None and (worded := _WORDED.match(text)):
        # 'Answer: B' in any language, but only with nothing behind it: 'Group A' is no key.
        found = _letters(text[worded.end() :], of=of)
        found = found if found and not found.rest and not found.beyond else None
    if found is None or any(of.choices[each].endswith("?") for each in found.which):
        return None
    return found


def _said(text: str, *, of: Offered) -> Named | None:
    """A solution in the words of a choice; two choices of the same words are named by their letters only."""
    which = [place for place, choice in enumerate(of.choices) if _bare(choice) == _bare(text)]
    return Named(which=(which[0],)) if len(which) == 1 else None


def _bare(text: str) -> str:
    return " ".join(text.casefold().replace("*", "").split()).rstrip(" .;")


def _letters(text: str, *, of: Offered) -> Named | None:
    """What 'B', 'B.', '(b) because …', 'A and C', 'A, C: …' and 'ACD' name."""
    if _RUN_TOGETHER.fullmatch(text):
        together = [place for letter in text if (place := _place(letter, of=of)) is not None]
        is_key = len(together) == len(text) and together == sorted(set(together))
        return Named(which=tuple(together)) if is_key else None
    names = _NAMES.match(text)
    if not names:
        return None
    bracketed = names["first"].startswith("(")
    then = _THEN.match(text, names.end()) or (bracketed and _AFTER_BRACKET.match(text, names.end()))
    if not then:
        return None
    rest = text[then.end() :].strip()
    labels = _listed(names[0])
    places = [_place(label, of=of) for label in labels]
    if None in places and (rest or len({label.isdigit() for label in (*labels, *of.labels)}) > 1):
        return None  # 'I. The first …', or a number among letters: an answer in words
    if rest and _answers_parts(rest, labels=labels, of=of):
        return None
    which = tuple(dict.fromkeys(place for place in places if place is not None))
    beyond = tuple(label for label, place in zip(labels, places, strict=True) if place is None)
    repeats = len(which) == 1 and _bare(rest) == _bare(of.choices[which[0]])
    return Named(which=which, beyond=beyond, rest="" if repeats else rest)


def _listed(names: str) -> list[str]:
    """The labels of 'A, B and C'; the 'y' of 'A y C' joins them."""
    labels: list[str] = _EACH.findall(names)
    inner = labels[1:-1] if labels[0].isupper() else []
    return [
        label for number, label in enumerate(labels) if not (label in inner and label.islower() and number)
    ]


def _place(label: str, *, of: Offered) -> int | None:
    """A letter counts in a numbered list too: its numbers may be shown as letters."""
    label = label.casefold()
    place = of.labels.index(label) if label in of.labels else _LATIN.find(label)
    return place if 0 <= place < len(of.choices) else None


def _answers_parts(rest: str, *, labels: Sequence[str], of: Offered) -> bool:
    """Whether what follows a label goes on with the next one: '(a) 5 m; (b) 3 m'."""
    last = _place(labels[-1], of=of)
    if last is None or last + 1 >= len(of.labels):
        return False
    following = re.escape(of.labels[last + 1])
    return bool(re.search(rf"\({following}\)|(?:[;,\n]\s*){following}[.):]\s", rest, re.IGNORECASE))


def with_solution(exercise: Exercise, *, solution: str) -> Exercise:
    """The question with what its author answers: its choices right and wrong where that names one of them."""
    if exercise.trouble:
        return replace(exercise, solution=solution)
    ticked = None if exercise.choices else boxed(exercise.text)
    if ticked:
        return replace(exercise, text=ticked[0], choices=ticked[1], solution=solution)
    if any(choice.is_right for choice in exercise.choices):
        return replace(exercise, solution=solution)
    offer = _apart(exercise) if exercise.choices else offered(exercise.text)
    found = named(solution, of=offer) if offer and solution else None
    if offer is None or found is None:
        return replace(exercise, solution=solution)
    choices = tuple(
        AnswerChoice(text=text, is_right=place in found.which, why=why)
        for place, (text, why) in enumerate(
            zip(
                offer.choices,
                [each.why for each in exercise.choices] or [""] * len(offer.choices),
                strict=True,
            )
        )
    )
    return replace(
        exercise,
        text=offer.stem,
        choices=choices,
        solution=found.rest,
        trouble=_trouble(exercise, found=found, of=offer),
    )


def with_solutions(exercise: Exercise, *, solutions: Sequence[str]) -> Exercise:
    """The question with all that its author answers: a short solution and a long one name the same choice."""
    if len(solutions) < 2:
        return with_solution(exercise, solution="".join(solutions))
    answered = [with_solution(exercise, solution=solution) for solution in solutions]
    keyed = [each for each in answered if each.choices] or answered
    texts = dict.fromkeys(each.solution for each in answered if each.solution)
    keys = {tuple(choice.is_right for choice in each.choices) for each in keyed}
    trouble = "its solutions name different choices" if len(keys) > 1 else keyed[0].trouble
    return replace(keyed[0], solution="\n\n".join(texts), trouble=trouble)


def _apart(exercise: Exercise) -> Offered:
    choices = tuple(choice.text for choice in exercise.choices)
    return Offered(stem=exercise.text, choices=choices, labels=tuple(_LATIN[: len(choices)]))


def _trouble(exercise: Exercise, *, found: Named, of: Offered) -> str:
    if found.beyond:
        last = of.labels[-1].upper()
        return f"its answer is {' and '.join(found.beyond)}, and the choices end at {last}"
    if not of.stem:
        return "it has choices but no question"
    if exercise.kind == "multiple_choice" and len(found.which) > 1:
        return "it asks for one answer and its solution names several"
    return ""


_PAIR = re.compile(rf"(\d{{1,3}})[ \t]*[:.)=-][ \t]*\(?({_T})\)?(?!\w)[.,;]?\s*")


def numbered_keys(text: str) -> dict[int, str]:
    """A key to several questions in one line, '(1:C, 2:D, 3:A)'; empty for anything else."""
    inner = text.strip().removeprefix("(").removesuffix(")").strip()
    keys: dict[int, str] = {}
    at = 0
    while pair := _PAIR.match(inner, at):
        keys[int(pair[1])] = pair[2]
        at = pair.end()
    return keys if at == len(inner) and len(keys) > 1 else {}
