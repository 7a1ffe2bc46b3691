"""Find the passages that answer a query."""

from collections import Counter, OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from typing import TypeVar

import numpy as np

from rag.embedders.port import Embedder, Reranker, Vector
from rag.follow import follow
from rag.index.port import Candidates, ChunkIndex, IndexBrokenError, Scope
from rag.results import RetrievalResult
from storage.corpus import Corpus
from storage.course import Clock, Passage
from storage.errors import InvalidInputError

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
        """The best passages first; at most top_k, none less similar than the threshold."""
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
        passages = await self._corpus.chunks_by_id(ranked if threshold else ranked[:top_k])
        scored = [(passage, _similarity(passage, vector, candidates.by_meaning)) for passage in passages]
        kept = [(passage, score) for passage, score in scored if score >= threshold][:top_k]
        below = max(
            (candidates.by_meaning.get(chunk_id, 0.0) for chunk_id in ranked[len(passages) :]), default=0.0
        )
        scores = _never_rising([score for _, score in kept], below=min(1.0, below))
        return [
            RetrievalResult(**asdict(passage), rank=place, similarity_score=round(score, 4))
            for place, ((passage, _), score) in enumerate(zip(kept, scores, strict=True), 1)
        ]

    async def _reranked(self, query: str, ranked: list[str]) -> list[str]:
        if self._reranker is None or len(ranked) < 2:
            return ranked
        head = await self._corpus.chunks_by_id(ranked[:_RERANKED])
        order = await self._reranker.rerank(query, [passage.chunk_text for passage in head])
        return [head[place].chunk_id for place in order] + ranked[_RERANKED:]


def _never_rising(scores: Sequence[float], *, below: float) -> list[float]:
    """The similarities as they are told: what stands first is no less alike than what comes after it.

    Words and surroundings put a passage before others that mean more alike; its score is then that of the best of those.
    """
    told: list[float] = []
    for score in reversed(scores):
        below = max(below, score)
        told.append(below)
    return told[::-1]


def _similarity(passage: Passage, vector: Vector, known: Mapping[str, float]) -> float:
    """The cosine; of a passage that only its words brought up, it is computed here."""
    score = known.get(passage.chunk_id)
    if score is None:
        score = float(vector @ np.frombuffer(passage.vector, np.float32))
    return min(1.0, max(0.0, score))


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
