"""Find the passages that answer a query."""

from collections import OrderedDict
from collections.abc import Mapping

import numpy as np

from rag.embedders.port import Embedder, Reranker, Vector
from rag.follow import follow
from rag.index.port import ChunkIndex, IndexBrokenError, Scope
from rag.ranking import rank
from rag.results import RetrievalResult
from storage.corpus import Corpus
from storage.course import Clock, Passage
from storage.errors import InvalidInputError

MOST_QUERY_CHARS = 10_000
MOST_RESULTS = 10
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
        return [_result(passage, place, score) for place, (passage, score) in enumerate(kept, 1)]

    async def _reranked(self, query: str, ranked: list[str]) -> list[str]:
        if self._reranker is None or len(ranked) < 2:
            return ranked
        head = await self._corpus.chunks_by_id(ranked[:_RERANKED])
        order = await self._reranker.rerank(query, [passage.chunk_text for passage in head])
        return [head[place].chunk_id for place in order] + ranked[_RERANKED:]


def _similarity(passage: Passage, vector: Vector, known: Mapping[str, float]) -> float:
    """The cosine; of a passage that only its words brought up, it is computed here."""
    score = known.get(passage.chunk_id)
    if score is None:
        score = float(vector @ np.frombuffer(passage.vector, np.float32))
    return min(1.0, max(0.0, score))


def _checked(query: str, *, top_k: int, threshold: float) -> str:
    query = query.strip()
    if not query:
        raise InvalidInputError("The query is empty. Ask about something in the course.")
    if len(query) > MOST_QUERY_CHARS:
        raise InvalidInputError(
            f"The query has {len(query):,} characters; {MOST_QUERY_CHARS:,} is the most. Ask in fewer words."
        )
    if not 1 <= top_k <= MOST_RESULTS:
        raise InvalidInputError(f"top_k is {top_k}; it must be from 1 to {MOST_RESULTS}.")
    if not 0 <= threshold <= 1:
        raise InvalidInputError(f"threshold is {threshold:g}; it must be from 0 to 1.")
    return query


def _result(passage: Passage, place: int, similarity: float) -> RetrievalResult:
    return RetrievalResult(
        rank=place,
        similarity_score=round(similarity, 4),
        chunk_id=passage.chunk_id,
        chunk_text=passage.chunk_text,
        source_url=passage.source_url,
        title=passage.title,
        course=passage.course,
        chapter_id=passage.chapter_id,
        module_name=passage.module_name,
        heading_hierarchy=passage.heading_hierarchy,
        token_count=passage.token_count,
        chunk_index=passage.chunk_index,
        page=passage.page,
    )
