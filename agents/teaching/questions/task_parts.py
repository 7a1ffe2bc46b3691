"""The parts of an exercise, and what its solution says of each: '(a) … (b) …', '1. … 2. …', 'x = 2 m; y = 3 m'."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agents.teaching.grading.figures import quantities, tidy
from agents.teaching.grading.numbers import whole_lines

_FEWEST, _MOST = 2, 26
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")

# In lines of their own any mark will do; within a line only one in brackets is a mark.
_AT_LINES = (
    re.compile(
        r"^[ \t]*(?:[-*+][ \t]+)?\*{0,2}\((?P<name>[a-z]|\d{1,2}|[ivx]{1,4})\)\*{0,2}[ \t]+(?=\S)",
        re.MULTILINE,
    ),
    re.compile(r"^[ \t]*\*{0,2}(?P<name>[a-z])[.)]\*{0,2}[ \t]+(?=\S)", re.MULTILINE),
    re.compile(r"^[ \t]*\*{0,2}(?P<name>\d{1,2})[.)]\*{0,2}[ \t]+(?=\S)", re.MULTILINE),
)
_WITHIN = re.compile(
    r"(?:^|(?<=[;.,:?!)])\s+|\n\s*|(?<=[;.,])\s*and\s+)\*{0,2}\((?P<name>[a-z]|\d{1,2}|[ivx]{1,4})\)\*{0,2}\s+(?![,;)]|and\b|or\b)(?=\S)"
)
# Without a stop before it only what no word leads up to: 'as in (a) above' is no mark.
_LOOSE = re.compile(
    r"(?:^|(?<!\bin)(?<!\bof)(?<!\bor)(?<!\bto)(?<!\bby)(?<!\band)(?<!part)(?<!parts)(?<!from)(?<!with)\s)\s*"
    r"\((?P<name>[a-z]|\d{1,2}|[ivx]{1,4})\)\s+(?![,;)]|and\b|or\b)(?=\S)"
)
_REFERS = re.compile(
    r"\bparts?\s+\(?[a-z1-9]\)?(?!\w)|\b(?:in|from|of|and|with|to|by)\s+\([a-k1-9]\)", re.IGNORECASE
)
_TRIMMED = " \t\n;,"
_LABELLED = re.compile(r"\s*(?P<name>[^=;,\n]{1,40}?)\s*=\s*(?P<value>[^=;]+?)\s*\.?\s*")
_BETWEEN_RESULTS = re.compile(r"\s*(?:;|\n+|,\s+(?=\S{1,20}\s*=)|\band\b(?=\s+\S{1,20}\s*=))\s*")
_MOST_RESULTS = 6
_PICTURES_BEHIND = re.compile(r"(.*?)\s*((?:\n\s*!\[[^\]]*\]\([^)]*\)\s*)*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPart:
    """One part, with the name that it has among the others."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskParts:
    """An exercise's parts, and what stands before them all."""

    stem: str
    parts: tuple[TaskPart, ...] = ()

    def text_of(self, part: TaskPart) -> str:
        """A part as it is asked by itself; those before it too, where it leans on one."""
        before = self.parts[: self.parts.index(part)] if _REFERS.search(part.text) else ()
        told = [f"({each.name}) {each.text}" for each in before]
        own = f"({part.name}) {part.text}" if before else part.text
        return "\n\n".join(each for each in (self.stem, *told, own) if each)


def parts_of(text: str) -> TaskParts:
    """The parts of a question; none where it asks one thing."""
    for pattern in (*_AT_LINES, _WITHIN, _LOOSE):
        marks = _in_sequence(list(pattern.finditer(text)))
        if len(marks) >= _FEWEST:
            parts = tuple(TaskPart(name=mark["name"], text=said) for mark, said in _cut(text, marks))
            *_, last = parts
            # A picture behind the last part is what all of them are about.
            said, pictures = _PICTURES_BEHIND.fullmatch(last.text).groups()  # type: ignore[union-attr]
            stem = "\n\n".join(filter(None, (text[: marks[0].start()].strip(), pictures)))
            parts = (*parts[:-1], TaskPart(name=last.name, text=said))
            return (
                TaskParts(stem=stem, parts=parts)
                if all(part.text for part in parts)
                else TaskParts(stem=text)
            )
    return TaskParts(stem=text)


def same_parts(solution: str, asked: Sequence[TaskPart]) -> Mapping[str, str]:
    """What a solution says of each part, by name; empty where it cannot be told apart."""
    names = [part.name for part in asked]
    for pattern in (_WITHIN, *_AT_LINES, _LOOSE):
        marks = list(pattern.finditer(solution))
        found = [mark["name"] for mark in marks]
        places = [names.index(name) for name in found if name in names]
        is_told = len(places) == len(found) >= min(_FEWEST, len(names)) and places == sorted(set(places))
        if is_told:
            before = solution[: marks[0].start()].strip(_TRIMMED)
            return {
                mark["name"]: f"{before}\n\n{said}" if before.endswith(".") else said
                for mark, said in _cut(solution, marks)
            }
    return {}


def results_in(solution: str) -> tuple[TaskPart, ...]:
    """Several results that a solution is made of, each with its name: 'x = 2 m; y = 3 m'."""
    found: list[TaskPart] = []
    for piece in _BETWEEN_RESULTS.split(whole_lines(solution).strip(" .")):
        labelled = _LABELLED.fullmatch(piece) if piece else None
        if not labelled or len(quantities(tidy(labelled["value"]))) != 1:
            return ()
        found.append(TaskPart(name=labelled["name"].strip("* "), text=labelled["value"].strip(" .")))
    names = {each.name for each in found}
    return tuple(found) if _FEWEST <= len(found) == len(names) <= _MOST_RESULTS else ()


def _cut(text: str, marks: Sequence[re.Match[str]]) -> Iterator[tuple[re.Match[str], str]]:
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=True):
        said = text[mark.end() : end].strip(_TRIMMED)
        yield mark, re.sub(r"[;,]?\s*\band$", "", said)


def _in_sequence(marks: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The marks that count on from the first of their kind; a mark out of its turn is part of the text."""
    for order in (_LETTERS, tuple(str(number) for number in range(1, _MOST + 1)), _ROMAN):
        kept: list[re.Match[str]] = []
        for mark in marks:
            if len(kept) < len(order) and mark["name"] == order[len(kept)]:
                kept.append(mark)
        if len(kept) >= _FEWEST:
            return kept
    return []
