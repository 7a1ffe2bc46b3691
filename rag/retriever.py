"""Find the passages that answer a query."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np

from rag.embedders.port import Embedder, Reranker, Vector
from rag.follow import follow
from rag.index.port import ChunkIndex, IndexBrokenError, Scope
from rag.ranking import rank
from rag.results import RetrievalResult
from storage.corpus import Corpus
from storage.course import Passage
from storage.errors import InvalidInputError

MOST_QUERY_CHARS = 10_000
MOST_RESULTS = 10
_CANDIDATES = 60
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
        revision = (await self._corpus.clock()).revision
        key = (revision, query, top_k, threshold, scope)
        if key not in self._recent:
            self._recent[key] = await self._healing(query, top_k, threshold, scope)
            while len(self._recent) > _REMEMBERED:
                self._recent.popitem(last=False)
        return self._recent[key]

    async def _healing(self, query: str, top_k: int, threshold: float, scope: Scope) -> list[RetrievalResult]:
        """A broken index is rebuilt from the database, once; the learner only waits a moment."""
        try:
            return await self._search(query, top_k, threshold, scope)
        except IndexBrokenError:
            await self._index.clear()
            return await self._search(query, top_k, threshold, scope)

    async def _search(self, query: str, top_k: int, threshold: float, scope: Scope) -> list[RetrievalResult]:
        await follow(self._corpus, self._index, self._embedder)
        vector = await self._embedder.embed_query(query)
        candidates = await self._index.search(query, vector, scope=scope, limit=_CANDIDATES)
        ranked = await self._reranked(query, rank(candidates))
        considered = ranked if threshold else ranked[:top_k]
        similarity = await self._similarity(vector, considered, candidates.by_meaning)
        kept = [chunk for chunk in considered if similarity[chunk] >= threshold][:top_k]
        passages = await self._corpus.chunks_by_id(kept)
        return [
            _result(passage, place, similarity[passage.chunk_id]) for place, passage in enumerate(passages, 1)
        ]

    async def _reranked(self, query: str, ranked: list[str]) -> list[str]:
        if self._reranker is None or len(ranked) < 2:
            return ranked
        head = await self._corpus.chunks_by_id(ranked[:_RERANKED])
        order = await self._reranker.rerank(query, [passage.chunk_text for passage in head])
        return [head[place].chunk_id for place in order] + ranked[_RERANKED:]

    async def _similarity(
        self, vector: Vector, chunks: Sequence[str], known: Mapping[str, float]
    ) -> dict[str, float]:
        """Cosines of the chunks; those that only their words brought up are computed here."""
        missing = [chunk for chunk in chunks if chunk not in known]
        vectors = await self._corpus.vectors(missing, embedder=self._embedder.name) if missing else {}
        cosines = {chunk: float(vector @ np.frombuffer(raw, np.float32)) for chunk, raw in vectors.items()}
        return {chunk: min(1.0, max(0.0, score)) for chunk, score in {**known, **cosines}.items()}


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
