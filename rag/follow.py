"""The index follows the database: whatever was written there, by whichever process, is found here."""

import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import numpy as np

from rag.chunking import searchable
from rag.embedders.port import Embedder
from rag.index.port import ChunkIndex, IndexState, Point
from storage.corpus import Corpus
from storage.course import Clock, IndexEntry

logger = logging.getLogger(__name__)

_REEMBED_BATCH = 256


async def follow(
    corpus: Corpus, index: ChunkIndex, embedder: Embedder, *, clock: Clock | None = None
) -> None:
    """Bring the index up to the database's newest revision, from scratch where it must."""
    clock = clock or await corpus.clock()
    state = await index.state()
    if state and _is_current(state, clock, embedder):
        return
    await reembed(corpus, embedder)
    clock = await corpus.clock()
    since = state.revision if state and _can_continue(state, clock, embedder) else None
    if since is None:
        await index.clear()
    changed = await _apply(corpus, index, since=since or 0)
    await index.set_state(_state(clock, embedder, points=await index.count()))
    logger.info("index at revision %d: %d chunks changed", clock.revision, changed)


async def reembed(corpus: Corpus, embedder: Embedder) -> None:
    """After a switch of embedder, give every chunk a vector of the new one."""
    while entries := await corpus.not_embedded_by(embedder.name, limit=_REEMBED_BATCH):
        embedded = await embedder.embed_documents([searchable(entry) for entry in entries])
        vectors = {
            entry.chunk_id: vector.tobytes() for entry, vector in zip(entries, embedded.vectors, strict=True)
        }
        await corpus.replace_vectors(embedder.name, vectors=vectors)


def _is_current(state: IndexState, clock: Clock, embedder: Embedder) -> bool:
    return state == _state(clock, embedder, points=state.points)


def _can_continue(state: IndexState, clock: Clock, embedder: Embedder) -> bool:
    """Same database, same embedder, same format, and not ahead of a database that was restored."""
    same = replace(state, revision=clock.revision) == _state(clock, embedder, points=state.points)
    return same and state.revision <= clock.revision


def _state(clock: Clock, embedder: Embedder, *, points: int) -> IndexState:
    return IndexState(
        database_id=clock.database_id, revision=clock.revision, embedder=embedder.name, points=points
    )


async def _apply(corpus: Corpus, index: ChunkIndex, *, since: int) -> int:
    removed = await corpus.removed_since(since)
    if removed and since:
        await index.remove(removed)
    changed = 0
    async for entries in _whole_documents(corpus.changed_since(since)):
        await index.upsert([*map(_passage, entries), *_chapters(entries)])
        changed += len(entries)
    return changed


async def _whole_documents(batches: AsyncIterator[Sequence[IndexEntry]]) -> AsyncIterator[list[IndexEntry]]:
    """Regroup batches so that none ends inside a document: a chapter's words are counted together."""
    held: list[IndexEntry] = []
    async for batch in batches:
        held += batch
        last = held[-1].document_id
        whole = [entry for entry in held if entry.document_id != last]
        if whole:
            yield whole
            held = held[len(whole) :]
    if held:
        yield held


def _passage(entry: IndexEntry) -> Point:
    return Point(
        point_id=entry.chunk_id,
        course=entry.course,
        chapter_id=entry.chapter_id,
        text=searchable(entry),
        vector=np.frombuffer(entry.vector, dtype=np.float32),
    )


def _chapters(entries: list[IndexEntry]) -> list[Point]:
    texts: dict[tuple[str, str, str], list[str]] = {}
    for entry in entries:
        key = (entry.document_id, entry.course, entry.chapter_id)
        texts.setdefault(key, [entry.title]).append(searchable(entry))
    return [
        Point(point_id=document_id, course=course, chapter_id=chapter_id, text="\n".join(parts))
        for (document_id, course, chapter_id), parts in texts.items()
    ]
