"""The author's own questions: one reader a form, one file each, behind one port.

A reader takes its questions out of a page before the page is read, so that no key stays in a lesson. Each leaves a mark
where it stood; the sections that the page becomes tell by the marks under which headings a question belongs.

Pages are read in three ways, files that are nothing but questions in a fourth:
- `MarkupReader`: Markdown and its dialects, as text (`IN_MARKUP`);
- `TreeReader`: HTML, as a tree (`IN_HTML`), which is also what reStructuredText becomes;
- `SectionReader`: any format, by its headings and numbered lists, after it was read (`IN_SECTIONS`);
- `BankReader`: a file of questions (`rag/exercises/banks.py` knows which).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agents.teaching.values import AnswerChoice, Exercise

if TYPE_CHECKING:  # the loaders import the readers
    from bs4 import Tag

    from rag.loaders.document import LoadedDocument, Section

__all__ = ["AnswerChoice", "BankReader", "Exercise", "MarkupReader", "SectionReader", "Shelf", "TreeReader"]

_MARK = re.compile("\ue000(\\d+)\ue001")
_BETWEEN = "\ue001\ue001"  # no text holds these signs, and no two marks make it


@dataclass(slots=True, kw_only=True)
class Shelf:
    """The questions that were taken out of one page, in their order."""

    path: Path  # of the page, for what it includes
    root: Path | None = None  # of the course: nothing outside of it is read
    plain: Callable[[str], str] = str  # a piece of the page's markup as a section's text is
    _kept: list[Exercise] = field(default_factory=list)

    def put(self, exercise: Exercise) -> str:
        """Keep a question; what it returns stands in its place, as a paragraph of its own."""
        self._kept.append(exercise)
        return f"\ue000{len(self._kept) - 1}\ue001"

    def plain_all(self, pieces: Sequence[str]) -> list[str]:
        """Several pieces as their texts will be, at the price of one."""
        if not pieces:
            return []
        texts = self.plain(f"\n\n{_BETWEEN}\n\n".join(pieces)).split(_BETWEEN)
        if len(texts) != len(pieces):  # something opens in one of them and closes in another
            texts = [self.plain(piece) for piece in pieces]
        return [text.strip() for text in texts]

    def placed(self, document: "LoadedDocument") -> "LoadedDocument":
        """The document without marks, and with every question under the headings where its mark stood."""
        if not self._kept:
            return document
        headings: dict[int, tuple[str, ...]] = {}
        sections: list[Section] = []
        for section in document.sections:
            words = "\n".join([*section.headings, section.text])
            if "\ue000" not in words:
                sections.append(section)
                continue
            own = _without_marks(section.headings)
            for found in _MARK.finditer(words):
                headings.setdefault(int(found[1]), own)
            text = re.sub(r"\n{3,}", "\n\n", _MARK.sub("", section.text)).strip("\n")
            if text.strip():
                sections.append(replace(section, headings=own, text=text))
        title = " ".join(_without_marks((document.title,)))
        exercises = []
        for number, each in enumerate(self._kept):
            own = headings.get(number, (title,))
            for found in _MARK.finditer(f"{each.text}\n{each.solution}"):
                headings.setdefault(int(found[1]), own)  # another one that stands in it
            exercises.append(_clean(each, headings=own))
        return replace(
            document, title=title, sections=tuple(sections), exercises=(*document.exercises, *exercises)
        )


def _without_marks(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for each in names if (name := _MARK.sub("", each).strip()))


def _clean(exercise: Exercise, *, headings: tuple[str, ...]) -> Exercise:
    if "\ue000" in f"{exercise.text}{exercise.solution}{exercise.title}{exercise.key}" or any(
        "\ue000" in choice.text or "\ue000" in choice.why for choice in exercise.choices
    ):
        choices = tuple(
            replace(choice, text=_MARK.sub("", choice.text), why=_MARK.sub("", choice.why))
            for choice in exercise.choices
        )
        text, solution, title, key = (
            _MARK.sub("", part).strip()
            for part in (exercise.text, exercise.solution, exercise.title, exercise.key)
        )
        exercise = replace(exercise, text=text, solution=solution, title=title, key=key, choices=choices)
    return replace(exercise, headings=headings)


class MarkupReader(Protocol):
    """Takes the questions of one form out of Markdown source, fences and components still in it."""

    def __call__(self, source: str, shelf: Shelf) -> str: ...


class TreeReader(Protocol):
    """Takes the questions of one form out of a page's tree, leaving `<p>` elements with their marks."""

    def __call__(self, page: "Tag", shelf: Shelf) -> None: ...


class SectionReader(Protocol):
    """Takes the questions of one form out of a document that was read."""

    def __call__(self, document: "LoadedDocument") -> "LoadedDocument": ...


class BankReader(Protocol):
    """Reads a file of nothing but questions; raises DocumentError where it cannot."""

    def __call__(self, data: bytes, *, name: str) -> Sequence[Exercise]: ...
