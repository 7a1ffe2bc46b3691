"""Gathers text under the headings it belongs to, whatever format it came from."""

import re
from collections.abc import Mapping
from pathlib import Path

from rag.blocks import without_pictures
from rag.loaders.document import LoadedDocument, Section
from storage.errors import WordlessDocumentError

_MOST_HEADING = 300  # every passage carries its headings
_UNNAMED = {"readme", "index"}  # these say nothing, the folder around them does


class Outline:
    """One document being read from top to bottom."""

    def __init__(self, title: str) -> None:
        self._title = title[:_MOST_HEADING].rstrip()
        self._path: list[tuple[int, str]] = []
        self._blocks: list[str] = []
        self._page: int | None = None
        self._sections: list[Section] = []

    def heading(self, text: str, *, level: int) -> None:
        """Open a section; a heading without words (an image, say) opens none."""
        if not text:
            return
        text = text[:_MOST_HEADING].rstrip()
        self._close_section()
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, text))

    def text(self, block: str) -> None:
        self._blocks.append(block)

    def page(self, number: int) -> None:
        self._close_section()
        self._page = number

    def document(self, *, front_matter: Mapping[str, str] | None = None) -> LoadedDocument:
        self._close_section()
        if not any(without_pictures(section.text).strip() for section in self._sections):
            raise WordlessDocumentError(
                "has no text to learn from; add some, or leave it out of the course", title=self._title
            )
        return LoadedDocument(
            title=self._title, sections=tuple(self._sections), front_matter=dict(front_matter or {})
        )

    def _close_section(self) -> None:
        # Only newlines are stripped at the start: a list may begin with an indented item.
        text = "\n\n".join(self._blocks).rstrip().lstrip("\n")
        if text.strip():
            self._sections.append(Section(headings=self._headings(), text=text, page=self._page))
        self._blocks.clear()

    def _headings(self) -> tuple[str, ...]:
        names = [self._title]
        for _, name in self._path:
            if name.casefold() != names[-1].casefold():
                names.append(name)
        return tuple(names)


def title_from_path(path: Path) -> str:
    """Turn "ch1-basics.md" into "Ch1 Basics"."""
    parent = path.absolute().parent.name
    name = parent if path.stem.casefold() in _UNNAMED and parent else path.stem
    words = re.split(r"[\s_-]+", name)
    return " ".join(word[:1].upper() + word[1:] for word in words if word) or "Untitled"
