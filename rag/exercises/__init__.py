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
            if "\ue000" not in section.text:
                sections.append(section)
                continue
            for found in _MARK.finditer(section.text):
                headings.setdefault(int(found[1]), section.headings)
            text = re.sub(r"\n{3,}", "\n\n", _MARK.sub("", section.text)).strip("\n")
            if text.strip():
                sections.append(replace(section, text=text))
        exercises = [
            replace(each, headings=headings.get(number, (document.title,)))
            for number, each in enumerate(self._kept)
        ]
        return replace(document, sections=tuple(sections), exercises=(*document.exercises, *exercises))


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
