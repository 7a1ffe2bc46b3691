"""Find the passages that answer a query, in an index that follows the database; and what a search returns."""

import logging
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Literal, Self, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from agents.language.formulas import readable_formulas
from agents.language.vectors import Vector
from agents.teaching.values import Address, FoundPassage, Moment, NotBlank, Passage, RetrievalResult
from rag.chunking import searchable
from rag.embedders import Embedder, Reranker
from rag.index import Candidates, ChunkIndex, IndexBrokenError, IndexState, Point, Scope
from storage.corpus import Clock, Corpus, IndexEntry
from storage.errors import InvalidInputError

logger = logging.getLogger(__name__)

EXCERPT_CHARS = 500
_DECIMALS = 3

RetrievalError = Literal["INVALID_INPUT", "API_ERROR", "QDRANT_ERROR", "STORAGE_ERROR"]
# What the results of a search are sorted by. The ranking chooses them whatever they are sorted by, and answers read them in
# its order; whoever is shown a list of scores expects them to fall.
SortedBy = Literal["similarity_score", "rank"]


def in_order(results: Iterable[RetrievalResult], sorted_by: SortedBy) -> list[RetrievalResult]:
    """The same results, the most alike or the best ranked first."""
    ranked = sorted(results, key=lambda result: result.rank)
    if sorted_by == "rank":
        return ranked
    return sorted(ranked, key=lambda result: -result.similarity_score)


def passages_shown(results: Iterable[RetrievalResult]) -> str:
    """Number, heading and text of each passage, as a model is shown them, and nothing else."""
    shown = [f"[{number}] {result.place}\n{result.chunk_text}" for number, result in enumerate(results, 1)]
    return "\n\n".join(shown) or "No relevant content found in the course."


def sources_footer(results: Iterable[RetrievalResult], *, with_scores: bool = True) -> str:
    """The **Sources** footer; empty when there are none. What nobody searched for has no score to tell."""
    lines = [
        f"[{number}] {result.place} ({result.chapter_id}"
        + (f", score: {result.similarity_score:.2f})" if with_scores else ")")
        + (f": {result.source_url}" if result.is_public else "")
        for number, result in enumerate(results, 1)
    ]
    # Two spaces end a line in Markdown; without them a browser runs the sources together.
    return "\n" + "  \n".join(["---\n**Sources:**", *lines]) if lines else ""


class RetrievalContext(BaseModel):
    """The passages of one query, ready to be read by a model or a person."""

    model_config = ConfigDict(frozen=True)

    query: NotBlank
    results: tuple[RetrievalResult, ...]
    retrieved_at: Moment
    filter_applied: str | None = None  # the course, module or chapter that was searched; None: everything

    def format_for_agent(self) -> str:
        return passages_shown(self.results)

    def format_sources_footer(self) -> str:
        return sources_footer(self.results)


class RetrievalRow(FoundPassage):
    """One passage as the tool shows it: its beginning, where it is from, and its score to three decimals."""

    text: NotBlank = Field(max_length=EXCERPT_CHARS)
    url: Address
    score: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _has_three_decimals(self) -> Self:
        if not self.score == self.similarity_score == round(self.score, _DECIMALS):
            raise ValueError("score is similarity_score, and both have three decimals at most")
        return self

    @classmethod
    def of(cls, result: RetrievalResult) -> Self:
        score = round(result.similarity_score, _DECIMALS)
        values = result.model_dump(exclude={"chunk_text", "source_url", "similarity_score"})
        return cls(
            text=excerpt(result.chunk_text),
            url=result.source_url,
            score=score,
            similarity_score=score,
            **values,
        )


class RetrievalToolResponse(BaseModel):
    """The retrieve_context tool's answer: results, or an error and what to do about it."""

    model_config = ConfigDict(frozen=True)

    results: tuple[RetrievalRow, ...] = ()
    total: int = 0
    query: str = ""
    sorted_by: SortedBy = "similarity_score"
    filter_applied: str | None = None
    error: RetrievalError | None = None
    message: str | None = None
    execution_time_seconds: float = Field(default=0.0, ge=0)

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if self.total != len(self.results):
            raise ValueError("total is the number of results")
        if self.error and self.results:
            raise ValueError("an error comes without results")
        if self.error and not (self.message or "").strip():
            raise ValueError("an error has a message")
        if not self.error and not self.query.strip():
            raise ValueError("only what failed may have had no query")
        keys = [row.rank if self.sorted_by == "rank" else -row.score for row in self.results]
        if keys != sorted(keys):
            raise ValueError(f"results are sorted by {self.sorted_by}")
        return self

    @property
    def is_error(self) -> bool:
        return self.error is not None

    def to_json(self) -> str:
        """As a tool's answer travels and a command prints it."""
        return self.model_dump_json(indent=2)

    @classmethod
    def found(
        cls, context: RetrievalContext, *, seconds: float, sorted_by: SortedBy = "similarity_score"
    ) -> Self:
        message = None if context.results else "No passage of the course matches. Try other words."
        return cls(
            results=tuple(map(RetrievalRow.of, in_order(context.results, sorted_by))),
            total=len(context.results),
            query=context.query,
            sorted_by=sorted_by,
            filter_applied=context.filter_applied,
            message=message,
            execution_time_seconds=round(seconds, 4),
        )

    @classmethod
    def failed(cls, query: str, error: RetrievalError, message: str, *, seconds: float = 0.0) -> Self:
        return cls(
            query=query[:EXCERPT_CHARS],
            error=error,
            message=message,
            execution_time_seconds=round(seconds, 4),
        )


def excerpt(text: str) -> str:
    """The first 500 characters, cut at a word; formulas as text."""
    text = readable_formulas(text)
    if len(text) <= EXCERPT_CHARS:
        return text
    return text[: EXCERPT_CHARS - 1].rsplit(" ", 1)[0].rstrip() + "…"


def merged(found: Iterable[Sequence[RetrievalResult]]) -> list[RetrievalResult]:
    """The results of several queries, each passage once, ranked in the order given."""
    passages: dict[str, RetrievalResult] = {}
    for results in found:
        for result in results:
            passages.setdefault(result.chunk_id, result)
    return [result.model_copy(update={"rank": rank}) for rank, result in enumerate(passages.values(), 1)]


_REEMBED_BATCH = 256


async def follow(
    corpus: Corpus, index: ChunkIndex, embedder: Embedder, *, clock: Clock | None = None
) -> None:
    """Bring the index up to the database's newest revision, from scratch where it must."""
    clock = clock or await corpus.clock()
    state = await index.state()
    if state and _is_current(state, clock, embedder):
        return
    # An index on a server is every worker's: while one builds it anew, none may empty it again.
    async with corpus.index_lock():
        state = await index.state()
        if not (state and _is_current(state, await corpus.clock(), embedder)):
            await _catch_up(corpus, index, embedder, state=state)


async def _catch_up(
    corpus: Corpus, index: ChunkIndex, embedder: Embedder, *, state: IndexState | None
) -> None:
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


K = TypeVar("K", bound=Hashable)


# How much each way of looking counts; evals/RESULTS.md says how these were found.
_WORDS, _MEANING, _CHAPTER = 1.0, 1.0, 0.7
# Each further passage of a chapter counts this much of the one before: five views beat one.
_REPEAT = 0.8


def rank(candidates: Candidates) -> list[str]:
    """Chunk ids, best first; ties go to the smaller id, so the order never wobbles."""
    limit = candidates.limit
    words, least_words = _scaled(candidates.by_words, limit=limit)
    meaning, least_meaning = _scaled(candidates.by_meaning, limit=limit)
    chapters, least_chapter = _scaled(candidates.chapters, limit=limit)
    # What a full list did not return scores there at most as much as its last one; a short list is all there is.
    scores = {
        chunk: _WORDS * words.get(chunk, least_words)
        + _MEANING * meaning.get(chunk, least_meaning)
        + _CHAPTER * chapters.get(home, least_chapter)
        for chunk, home in candidates.home.items()
    }
    seen: Counter[tuple[str, str]] = Counter()
    spread: dict[str, float] = {}
    for chunk in sorted(scores, key=lambda chunk: (-scores[chunk], chunk)):
        home = candidates.home[chunk]
        spread[chunk] = scores[chunk] * _REPEAT ** seen[home]
        seen[home] += 1
    return sorted(spread, key=lambda chunk: (-spread[chunk], chunk))


def _scaled(scores: Mapping[K, float], *, limit: int) -> tuple[dict[K, float], float]:
    """Scores as shares of the best one, and what those that are not in the list may have."""
    best = max(scores.values(), default=0.0)
    if best <= 0:
        return {}, 0.0
    shares = {key: max(score, 0.0) / best for key, score in scores.items()}
    return shares, min(shares.values()) if len(scores) >= limit else 0.0


MOST_QUERY_CHARS = 10_000
MOST_RESULTS = 10  # that a tool or a command asks for
MOST_PASSAGES = 20  # that the settings allow
_CANDIDATES = 40
_RERANKED = 20
_REMEMBERED = 256

_Key = tuple[int, str, int, float, Scope]


class Retriever:
    """Hybrid search over the index, answered from the database."""

    def __init__(self, *, corpus: Corpus, index: ChunkIndex, embedder: Embedder) -> None:
        self._corpus = corpus
        self._index = index
        self._embedder = embedder
        self._reranker = embedder if isinstance(embedder, Reranker) else None
        self._recent: OrderedDict[_Key, list[RetrievalResult]] = OrderedDict()

    async def retrieve(
        self,
        query: str,
        *,
        top_k: int = 5,
        threshold: float = 0.0,
        scope: Scope = Scope(),  # noqa: B008
    ) -> list[RetrievalResult]:
        """What the ranking puts first; at most top_k, none less similar than the threshold."""
        query = _checked(query, top_k=top_k, threshold=threshold)
        clock = await self._corpus.clock()
        key = (clock.revision, query, top_k, threshold, scope)
        if key not in self._recent:
            self._recent[key] = await self._healing(query, top_k, threshold, scope, clock)
            while len(self._recent) > _REMEMBERED:
                self._recent.popitem(last=False)
        return self._recent[key]

    async def _healing(
        self, query: str, top_k: int, threshold: float, scope: Scope, clock: Clock
    ) -> list[RetrievalResult]:
        """A broken index is rebuilt from the database, once; the learner only waits a moment."""
        try:
            return await self._search(query, top_k, threshold, scope, clock)
        except IndexBrokenError:
            await self._index.clear()
            return await self._search(query, top_k, threshold, scope, clock)

    async def _search(
        self, query: str, top_k: int, threshold: float, scope: Scope, clock: Clock
    ) -> list[RetrievalResult]:
        await follow(self._corpus, self._index, self._embedder, clock=clock)
        vector = await self._embedder.embed_query(query)
        candidates = await self._index.search(query, vector, scope=scope, limit=_CANDIDATES)
        ranked = await self._reranked(query, rank(candidates))
        # From the database, so that it is the same with every index: an engine's own score is one of shortened vectors, and it
        # has none for a passage that only its words brought up.
        passages = await self._corpus.chunks_by_id(ranked if threshold else ranked[:top_k])
        scored = [(passage, _cosine(passage, vector)) for passage in passages]
        kept = [(passage, score) for passage, score in scored if score >= threshold][:top_k]
        return [
            RetrievalResult(**asdict(passage), rank=place, similarity_score=round(score, 4))
            for place, (passage, score) in enumerate(kept, 1)
        ]

    async def _reranked(self, query: str, ranked: list[str]) -> list[str]:
        if self._reranker is None or len(ranked) < 2:
            return ranked
        head = await self._corpus.chunks_by_id(ranked[:_RERANKED])
        order = await self._reranker.rerank(query, [passage.chunk_text for passage in head])
        return [head[place].chunk_id for place in order] + ranked[_RERANKED:]


def _cosine(passage: Passage, vector: Vector) -> float:
    """How alike two unit vectors are, from 0 to 1."""
    return min(1.0, max(0.0, float(vector @ np.frombuffer(passage.vector, np.float32))))


def checked_query(query: str) -> str:
    """What can be looked up; the message says what to ask instead."""
    query = query.strip()
    if not query:
        raise InvalidInputError("The query is empty. Ask about something in the course.")
    if len(query) > MOST_QUERY_CHARS:
        raise InvalidInputError(
            f"The query has {len(query):,} characters; {MOST_QUERY_CHARS:,} is the most. Rephrase it in fewer words."
        )
    return query


def _checked(query: str, *, top_k: int, threshold: float) -> str:
    query = checked_query(query)
    if not 1 <= top_k <= MOST_PASSAGES:
        raise InvalidInputError(f"top_k is {top_k}; it must be from 1 to {MOST_PASSAGES}.")
    if not 0 <= threshold <= 1:
        raise InvalidInputError(f"threshold is {threshold:g}; it must be from 0 to 1.")
    return query
