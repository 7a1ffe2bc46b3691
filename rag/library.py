"""A person's courses: read in, kept up to date, and searched."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from agents.teaching.values import Concept, Relationship, RetrievalResult
from rag.embedders import Embedder, make_embedder
from rag.files import course_name
from rag.index import ChunkIndex, IndexBrokenError, Scope, open_index
from rag.ingest import IngestReport, OnProgress, ingest
from rag.retriever import RetrievalError, Retriever, follow
from rag.tree import Unit, stored_tree, with_sections
from storage.corpus import Corpus, CourseSummary
from storage.database import Database
from storage.errors import (
    CohereAPIError,
    ConfigurationError,
    ForeignIndexError,
    InvalidInputError,
    QdrantConnectionError,
    TutorError,
)

_ERROR_STATES: dict[type[TutorError], RetrievalError] = {
    InvalidInputError: "INVALID_INPUT",
    CohereAPIError: "API_ERROR",
    ForeignIndexError: "QDRANT_ERROR",
    ConfigurationError: "API_ERROR",
    QdrantConnectionError: "QDRANT_ERROR",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryOptions:
    """How to embed and where to index."""

    index_folder: Path
    embedder: str = "auto"
    cohere_api_key: str | None = None
    qdrant_url: str = ""
    qdrant_api_key: str | None = None
    qdrant_collection: str = "mastery_loop"
    qdrant_replicas: int = 1


class Library:
    """Opens the embedder and the index when they are first needed, once."""

    def __init__(self, database: Database, options: LibraryOptions) -> None:
        self.corpus = Corpus(database)
        self._options = options
        self._embedder: Embedder | None = None
        self._index: ChunkIndex | None = None
        self._retriever: Retriever | None = None
        self._opening = asyncio.Lock()

    async def ingest(
        self,
        paths: Sequence[Path],
        *,
        course: str | None = None,
        url: str | None = None,
        on_progress: OnProgress = lambda _: None,
    ) -> list[IngestReport]:
        """Read each path as a course of its own, or all of them into the course that is named."""
        if url is not None:
            _require_web_address(url)
        groups = [(course, list(paths))] if course else [(course_name(path), [path]) for path in paths]
        reports = [
            await ingest(
                members,
                course=name,
                corpus=self.corpus,
                embedder=self.embedder,
                now=datetime.now(UTC),
                url=url,
                on_progress=on_progress,
            )
            for name, members in groups
        ]
        for name, members in groups:
            await self.corpus.note_reading(name, [str(path.absolute()) for path in members])
        if any(report.added or report.changed or report.removed for report in reports):
            await self.follow()
        return reports

    async def ensure_course(self, folder: Path, *, on_progress: OnProgress = lambda _: None) -> bool:
        """On the first run, when there is no course at all, read this one; says whether it did."""
        if await self.corpus.list_courses():
            return False
        await self.ingest([folder], on_progress=on_progress)
        return True

    async def retrieve(
        self,
        query: str,
        *,
        top_k: int = 5,
        threshold: float = 0.0,
        scope: Scope = Scope(),  # noqa: B008
    ) -> list[RetrievalResult]:
        """What the ranking puts first, in its order; `agents.coordinator.search` is the way of tools and commands."""
        retriever = await self._open_retriever()
        return await retriever.retrieve(query, top_k=top_k, threshold=threshold, scope=scope)

    async def courses(self) -> Sequence[CourseSummary]:
        return await self.corpus.list_courses()

    async def outline(self, course: str) -> Unit:
        """The course as a tree of units and sections, in reading order."""
        documents = await self.corpus.documents(course)
        tree = stored_tree(await self.corpus.outline(course), documents)
        headings = await self.corpus.headings(course)
        by_chapter = {document.chapter_id: headings.get(document.id, ()) for document in documents}
        return with_sections(tree, by_chapter)

    async def concept_graph(self, course: str) -> tuple[Sequence[Concept], Sequence[Relationship]]:
        return await self.corpus.concepts(course), await self.corpus.relationships(course)

    async def follow(self) -> None:
        """Bring the index up to date now instead of at the next search."""
        index = await self.open_index()
        try:
            await follow(self.corpus, index, self.embedder())
        except IndexBrokenError:
            await index.clear()
            await follow(self.corpus, index, self.embedder())

    async def index_size(self) -> int:
        """How many entries the index has: one a chunk and one a chapter."""
        return await (await self.open_index()).count()

    async def reindex(self) -> int:
        """Throw the index away and build it from the database; returns the number of points."""
        index = await self.open_index()
        await index.clear()
        await self.follow()
        return await index.count()

    def embedder(self) -> Embedder:
        if self._embedder is None:
            self._embedder = make_embedder(
                self._options.embedder, cohere_api_key=self._options.cohere_api_key
            )
        return self._embedder

    async def close(self) -> None:
        with suppress(TutorError):
            if self._index:
                await self._index.close()
            if self._embedder:
                await self._embedder.close()
        self._index = self._embedder = self._retriever = None

    async def open_index(self) -> ChunkIndex:
        """The index, opened when it is first needed."""
        async with self._opening:
            if self._index is None:
                self._index = await open_index(
                    folder=self._options.index_folder,
                    dimension=self.embedder().dimension,
                    qdrant_url=self._options.qdrant_url,
                    qdrant_api_key=self._options.qdrant_api_key,
                    collection=self._options.qdrant_collection,
                    replicas=self._options.qdrant_replicas,
                )
            return self._index

    async def _open_retriever(self) -> Retriever:
        index = await self.open_index()
        if self._retriever is None:
            self._retriever = Retriever(corpus=self.corpus, index=index, embedder=self.embedder())
        return self._retriever


def _require_web_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise InvalidInputError(
            "A course's public address looks like https://example.org/course, without '?' and '#'."
        )


def error_state(err: TutorError) -> RetrievalError:
    """The failure as the mission names it."""
    found = (state for kind, state in _ERROR_STATES.items() if isinstance(err, kind))
    return next(found, "STORAGE_ERROR")
