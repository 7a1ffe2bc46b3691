"""The index: a cache of the database's chunks that can be searched by words and by meaning."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rag.embedders.port import Vector

# Raised when what is stored in a point changes, so that older indexes rebuild themselves.
INDEX_FORMAT = 1
COURSE_FIELD, CHAPTER_FIELD, WITHIN_FIELD = "course", "chapter", "within"
DENSE, PASSAGE_WORDS, CHAPTER_WORDS = "dense", "passage_words", "chapter_words"


class IndexBrokenError(Exception):
    """The index cannot be read; it is a cache, so whoever sees this rebuilds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexState:
    """Which database, at which revision, through which embedder the index shows."""

    database_id: str
    revision: int
    embedder: str
    points: int
    format: int = INDEX_FORMAT


@dataclass(frozen=True, slots=True, kw_only=True)
class PassagePoint:
    """One chunk as the index holds it."""

    chunk_id: str
    course: str
    chapter_id: str
    searchable: str
    vector: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterPoint:
    """A whole chapter's words: what a passage's surroundings are about."""

    document_id: str
    course: str
    chapter_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where to look: everywhere, in one course, or below a module or chapter prefix."""

    course: str | None = None
    within: str | None = None

    @property
    def prefix(self) -> str | None:
        """As people name it: 'physical-ai/module-1-ros2'; None for everywhere."""
        return "/".join(filter(None, (self.course, self.within))) or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Raw scores of one query, from each way of looking; a list shorter than the limit is complete."""

    by_meaning: dict[str, float] = field(default_factory=dict)
    by_words: dict[str, float] = field(default_factory=dict)
    chapters: dict[tuple[str, str], float] = field(default_factory=dict)
    home: dict[str, tuple[str, str]] = field(default_factory=dict)
    limit: int = 0


class ChunkIndex(Protocol):
    """One port for the embedded engine and for a server."""

    async def state(self) -> IndexState | None: ...

    async def set_state(self, state: IndexState) -> None: ...

    async def upsert(self, passages: Sequence[PassagePoint], chapters: Sequence[ChapterPoint]) -> None: ...

    async def remove(self, point_ids: Sequence[str]) -> None: ...

    async def optimize(self) -> None: ...

    async def count(self) -> int: ...

    async def search(self, text: str, vector: Vector, *, scope: Scope, limit: int) -> Candidates: ...

    async def clear(self) -> None: ...

    async def close(self) -> None: ...


def prefixes(chapter_id: str) -> list[str]:
    """Every folder a chapter is in, and the chapter itself: 'a/b' gives ['a', 'a/b']."""
    parts = chapter_id.split("/")
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
