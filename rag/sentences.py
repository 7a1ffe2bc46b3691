"""Passages of a course as running text, and the sentences in them."""

import re
from dataclasses import dataclass

from rag.blocks import without_pictures

_END = re.compile(r"(?<=[.!?])[\"'”’)]?\s+(?=[\"'“‘(*]*[A-Z0-9])|\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)")
_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])[ \t]+")
_MOST_CHARS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class CoursePassage:
    """One chunk of the course, in reading order."""

    chunk_id: str
    chapter_id: str
    headings: tuple[str, ...]
    text: str

    @property
    def section(self) -> tuple[str, tuple[str, ...]]:
        return self.chapter_id, self.headings


def sentences(text: str) -> list[str]:
    """A text's sentences, without its pictures; list items and paragraphs end one too."""
    return [part for part in _END.split(without_pictures(text)) if part and not part.isspace()]


def first_sentence(text: str) -> str:
    return next(iter(sentences(text)), "")


def plain(text: str) -> str:
    """One line without emphasis or list marks, cut to a readable length."""
    return re.sub(r"\s+", " ", _MARKER.sub("", text).replace("*", "")).strip()[:_MOST_CHARS]
