"""How fast 50,000 chunks are searched and opened, embedded."""

import time
from collections.abc import Awaitable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import numpy as np

from agents.language.vectors import unit_rows
from evals.report import Report, Row, goal
from rag.index import ChunkIndex, Scope
from rag.library import Library, LibraryOptions
from rag.retriever import rank
from storage.corpus import Chunk, CourseChanges, Document, DocumentContent
from storage.database import Database

_CHUNKS = 50_000
_CHUNKS_A_CHAPTER = 20
_VOCABULARY = 20_000
_STOP_WORDS = 100
_QUERIES = 300
_QUERY_WORDS = 6  # a question of the biology book has 6 words left once the stop words are gone


async def run() -> Report:
    """Fill a database with text of natural word frequencies, then open and search its index."""
    random = np.random.default_rng(7)
    with TemporaryDirectory() as folder:
        database = await Database.open(f"sqlite:///{folder}/tutor.db")
        options = LibraryOptions(index_folder=Path(folder) / "index", embedder="wordllama")
        try:
            build_seconds = await _fill(database, options, random)
            open_seconds, search_seconds, free_seconds, whole_seconds = await _search(
                database, options, random
            )
        finally:
            await database.close()
    p50, whole = median(search_seconds) * 1000, median(whole_seconds) * 1000
    free = median(free_seconds) * 1000
    p95 = quantiles(whole_seconds, n=20)[-1] * 1000
    return Report(
        name="Index: 50,000 chunks, embedded",
        command="python -m evals index",
        rows=[
            Row(
                measure="building the index from the database (chunks/s)",
                value=f"{_CHUNKS / build_seconds:,.0f}",
            ),
            goal("opening the index (s)", open_seconds, at_most=0.5),
            goal("tutor.retrieve within a course, p50 (ms)", whole, at_most=5, shown=f"{whole:.2f}"),
            Row(measure="tutor.retrieve within a course, p95 (ms)", value=f"{p95:.2f}"),
            Row(measure="of this: embed, search, rank, p50 (ms)", value=f"{p50:.2f}"),
            Row(measure="the same over all courses, without a filter, p50 (ms)", value=f"{free:.2f}"),
            Row(
                measure="baseline: numpy over the vectors alone, no words, p50 (ms)",
                value=f"{_numpy(random):.2f}",
            ),
        ],
        notes=(
            "The goal is read as what a learner waits for: the check for news in the database, embedding the query, "
            "three index queries within the course, ranking, and reading five passages. Only the unfiltered search "
            "by itself is below it.",
        ),
        figures={"open_seconds": open_seconds, "p50_ms": p50, "whole_p50_ms": whole},
    )


async def _fill(database: Database, options: LibraryOptions, random: np.random.Generator) -> float:
    library = Library(database, options)
    try:
        documents = tuple(_documents(random, library.embedder().name))
        await library.corpus.apply(
            CourseChanges(course="big", title="Big", documents=documents), now=datetime.now(UTC)
        )
        started = time.perf_counter()
        await library.follow()
        return time.perf_counter() - started
    finally:
        await library.close()


async def _search(
    database: Database, options: LibraryOptions, random: np.random.Generator
) -> tuple[float, list[float], list[float], list[float]]:
    library = Library(database, options)
    try:
        library.embedder()  # the weights load in the same time however large the index is
        started = time.perf_counter()
        await library.follow()
        opened = time.perf_counter() - started
        within, anywhere = Scope(course="big"), Scope()
        whole = [
            await _timed(library.retrieve(_text(random, _QUERY_WORDS), scope=within)) for _ in range(_QUERIES)
        ]
        index = await library.open_index()
        search, free = [
            [
                await _timed(_search_once(library, index, _text(random, _QUERY_WORDS), scope))
                for _ in range(_QUERIES)
            ]
            for scope in (within, anywhere)
        ]
        return opened, search, free, whole
    finally:
        await library.close()


def _numpy(random: np.random.Generator) -> float:
    """What the plainest search by meaning costs: every vector multiplied, the best 40 picked."""
    vectors = unit_rows(random.normal(size=(_CHUNKS, 256)).astype(np.float32))
    seconds = []
    for query in vectors[:_QUERIES]:
        started = time.perf_counter()
        np.argpartition(vectors @ query, -40)[-40:]
        seconds.append(time.perf_counter() - started)
    return median(seconds) * 1000


async def _search_once(library: Library, index: ChunkIndex, query: str, scope: Scope) -> list[str]:
    vector = await library.embedder().embed_query(query)
    return rank(await index.search(query, vector, scope=scope, limit=40))


async def _timed(work: Awaitable[object]) -> float:
    started = time.perf_counter()
    await work
    return time.perf_counter() - started


def _documents(random: np.random.Generator, embedder: str) -> Iterator[DocumentContent]:
    for number in range(_CHUNKS // _CHUNKS_A_CHAPTER):
        chapter = f"module-{number // 50}/ch{number}"
        vectors = unit_rows(random.normal(size=(_CHUNKS_A_CHAPTER, 256)).astype(np.float32))
        yield DocumentContent(
            document=Document(
                id=f"{number:036d}"[:8] + f"-0000-4000-8000-{number:012d}",
                chapter_id=chapter,
                module_name=f"Module {number // 50}",
                title=f"Chapter {number}",
                source_url=f"file:///big/{chapter}.md",
                position=number,
                content_hash=str(number),
            ),
            chunks=tuple(
                _chunk(random, number, index, vector, embedder) for index, vector in enumerate(vectors)
            ),
        )


def _chunk(random: np.random.Generator, number: int, index: int, vector: np.ndarray, embedder: str) -> Chunk:
    return Chunk(
        chunk_id=f"00000001-0000-4000-8000-{number * _CHUNKS_A_CHAPTER + index:012d}",
        chunk_index=index,
        chunk_text=_text(random, 160),
        heading_hierarchy=(f"Chapter {number}",),
        token_count=160,
        vector=vector.tobytes(),
        embedder=embedder,
    )


def _text(random: np.random.Generator, words: int) -> str:
    """Words of Zipf's frequencies, as in any language once its stop words are gone."""
    ranks = random.zipf(1.25, words * 12)
    return " ".join(f"w{rank % _VOCABULARY}" for rank in ranks[ranks > _STOP_WORDS][:words])
