"""The index: a cache of the database's chunks, searched by words and by meaning; embedded by default, a Qdrant server by URL."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol, Self

from agents.language.vectors import Vector

# Raised when what is stored in a point changes, so that older indexes rebuild themselves.
INDEX_FORMAT = 1
COURSE_FIELD, CHAPTER_FIELD, WITHIN_FIELD = "course", "chapter", "within"
HOME = [COURSE_FIELD, CHAPTER_FIELD]
DENSE, PASSAGE_WORDS, CHAPTER_WORDS = "dense", "passage_words", "chapter_words"
# What an index is known by that an earlier version made without a mark.
VECTOR_NAMES = frozenset({DENSE, PASSAGE_WORDS, CHAPTER_WORDS})
FIELDS = frozenset({COURSE_FIELD, CHAPTER_FIELD, WITHIN_FIELD})
MAKER = "mastery-loop"


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
class Point:
    """One chunk as the index holds it, or a whole chapter's words: what a passage's surroundings are about."""

    point_id: str
    course: str
    chapter_id: str
    text: str
    vector: Vector | None = None  # a chapter is found by its words only

    @property
    def payload(self) -> dict[str, Any]:
        """What a search is narrowed by: also every folder that the chapter is in ('a/b' is in 'a' and in 'a/b')."""
        within = list(accumulate(self.chapter_id.split("/"), "{}/{}".format))
        return {COURSE_FIELD: self.course, CHAPTER_FIELD: self.chapter_id, WITHIN_FIELD: within}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where to look: everywhere, in one course, or below a module or chapter prefix."""

    course: str | None = None
    within: str | None = None

    @property
    def prefix(self) -> str | None:
        """As people name it: 'physical-ai/module-1-ros2'; None for everywhere."""
        return "/".join(filter(None, (self.course, self.within))) or None

    @property
    def fields(self) -> dict[str, str]:
        """What a point's payload must have."""
        wanted = {COURSE_FIELD: self.course, WITHIN_FIELD: self.within}
        return {name: value for name, value in wanted.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Raw scores of one query, from each way of looking; a list shorter than the limit is complete."""

    by_meaning: dict[str, float] = field(default_factory=dict)
    by_words: dict[str, float] = field(default_factory=dict)
    chapters: dict[tuple[str, str], float] = field(default_factory=dict)
    home: dict[str, tuple[str, str]] = field(default_factory=dict)
    limit: int = 0

    @classmethod
    def of(cls, answers: Iterable[Iterable[Any]], *, limit: int) -> Self:
        """From the points that an engine found by meaning, by words, and of chapters by words."""
        meaning, passages, chapters = ([_hit(point) for point in points] for points in answers)
        return cls(
            by_meaning={chunk: score for chunk, _, score in meaning},
            by_words={chunk: score for chunk, _, score in passages},
            chapters={home: score for _, home, score in chapters},
            home={chunk: home for chunk, home, _ in (*meaning, *passages)},
            limit=limit,
        )


def _hit(point: Any) -> tuple[str, tuple[str, str], float]:
    """Each attribute once: the embedded engine converts it anew whenever it is read."""
    payload = point.payload
    return str(point.id), (payload[COURSE_FIELD], payload[CHAPTER_FIELD]), point.score


class ChunkIndex(Protocol):
    """One port for the embedded engine and for a server."""

    async def state(self) -> IndexState | None: ...

    async def set_state(self, state: IndexState) -> None:
        """Say that everything is written; without it the next opener begins anew."""

    async def upsert(self, points: Sequence[Point]) -> None: ...

    async def remove(self, point_ids: Sequence[str]) -> None: ...

    async def count(self) -> int: ...

    async def search(self, text: str, vector: Vector, *, scope: Scope, limit: int) -> Candidates: ...

    async def clear(self) -> None:
        """Empty it; ForeignIndexError where this program did not make what is there, as when it is opened."""

    async def close(self) -> None: ...


async def open_index(
    *,
    folder: Path,
    dimension: int,
    qdrant_url: str,
    qdrant_api_key: str | None,
    collection: str,
    replicas: int = 1,
) -> ChunkIndex:
    """Open the index that the settings name."""
    if qdrant_url:
        from rag.index.server import ServerIndex, connect

        server = ServerIndex(
            connect(qdrant_url, api_key=qdrant_api_key),
            collection=collection,
            dimension=dimension,
            replicas=replicas,
        )
        await server.open()
        return server
    from rag.index.embedded import EmbeddedIndex, IndexFolder

    embedded = EmbeddedIndex(IndexFolder.take(folder), dimension=dimension)
    try:
        await embedded.open()
    except BaseException:
        await embedded.close()  # or the folder would stay taken, and the next try would get a private copy
        raise
    return embedded
