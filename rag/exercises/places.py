"""Where questions and answers stand: the sections of a document, and the parts of them under a line that is a heading in all but style.

A PDF has a section on every page that it runs over: these are one place.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from rag.exercises.titles import Title, is_answer_label, title_of

if TYPE_CHECKING:  # the loaders import the readers
    from rag.loaders.document import LoadedDocument, Section

_MOST_HEADING = 60  # letters of a line that may be one
_RUN_IN = re.compile(r"(?:\*\*|__)?([^.:*_\n]{4,60})[.:](?:\*\*|__)?\s+\S")
_FIRST = re.compile(r"\s*(?:\*\*)?[QqPE]?\(?1[.)\s]")
_NO_HEADING = re.compile(r"[-+#|>`$(\d]|\w[.)]\s")  # an item, a table, code


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingPlace:
    """Some lines under the same headings, and the section that each of them is in."""

    headings: tuple[str, ...]
    lines: tuple[str, ...]
    owners: tuple[int, ...]
    opening: int = 0  # how many of the lines are its heading: one where that is no heading in style

    @property
    def text(self) -> str:
        return "\n".join(self.lines[self.opening :])

    @property
    def own(self) -> Title:
        return title_of(self.headings[-1])

    @property
    def above(self) -> Title:
        """The nearest heading over its own that says for sure what is below."""
        titles = map(title_of, reversed(self.headings[:-1]))
        return next(
            (each for each in titles if each.is_sure and each.kind in ("questions", "answers")), Title()
        )


def places(document: "LoadedDocument") -> list[AskingPlace]:
    """The document's places in their order."""
    found: list[AskingPlace] = []
    numbered = enumerate(document.sections)
    for headings, group in groupby(numbered, key=lambda each: each[1].headings):
        lines: list[str] = []
        owners: list[int] = []
        for number, section in group:
            more = [*([""] if lines else []), *section.text.split("\n")]
            lines += more
            owners += [number] * len(more)
        found += _parts(headings, lines, owners)
    return found


def _parts(headings: tuple[str, ...], lines: Sequence[str], owners: Sequence[int]) -> Iterator[AskingPlace]:
    starts = [at for at in range(len(lines)) if _heading(lines, at)]
    for start, end in zip([0, *starts], [*starts, len(lines)], strict=True):
        if start == end:
            continue
        name = _heading(lines, start)
        yield AskingPlace(
            headings=(*headings, name) if name else headings,
            lines=tuple(lines[start:end]),
            owners=tuple(owners[start:end]),
            opening=int(bool(name)),
        )


def _heading(lines: Sequence[str], at: int) -> str:
    """What a line says as a heading: 'Exercises' on its own, or 'Exercises. Use no tables.' above the first of them."""
    line = lines[at].strip()
    if not line or (at and lines[at - 1].strip()) or _NO_HEADING.match(line) or lines[at].startswith("    "):
        return ""
    if not line.endswith((".", "?", "!", ",")) and _announces(bare := line.strip("*_: ")):
        return bare
    run_in = _RUN_IN.match(line)
    if not run_in or not _announces(run_in[1]) or title_of(run_in[1]).kind != "questions":
        return ""
    following = next((lines[each] for each in range(at + 1, len(lines)) if lines[each].strip()), "")
    return run_in[1] if _FIRST.match(following) else ""


def _announces(words: str) -> bool:
    if len(words) > _MOST_HEADING or ":" in words or "：" in words or is_answer_label(words):
        return False  # an answer, below its question
    title = title_of(words)
    return title.is_sure and title.kind in ("questions", "answers")


def without(document: "LoadedDocument", parts: Sequence[tuple[AskingPlace, Set[int]]]) -> "LoadedDocument":
    """The document without some lines of its places (as their text has them); a section of which nothing is left goes."""
    left: dict[int, list[str]] = {}
    touched: set[int] = set()
    for place, taken in parts:
        gone = {line + place.opening for line in taken}
        if gone and place.opening:
            gone.add(0)
        for at, line in enumerate(place.lines):
            if at in gone:
                touched.add(place.owners[at])
            else:
                left.setdefault(place.owners[at], []).append(line)
    return replace(document, sections=tuple(_kept(document, left, touched)))


def _kept(
    document: "LoadedDocument", left: Mapping[int, Sequence[str]], touched: Set[int]
) -> Iterator["Section"]:
    for number, section in enumerate(document.sections):
        if number not in touched:
            yield section
            continue
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(left.get(number, ()))).strip("\n")
        if text.strip():
            yield replace(section, text=text)
