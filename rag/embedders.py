"""What turns text into vectors: WordLlama inside this process, or Cohere."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from agents.language.vectors import DIMENSION, Matrix, Vector, unit_rows, word_vectors
from storage.errors import CohereAPIError, ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """Unit vectors, one row a text, and how many tokens each text has."""

    vectors: Matrix
    token_counts: list[int]


class Embedder(Protocol):
    """Vectors of different embedders do not mix, so each has a name that says all of that."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def count_tokens(self, text: str) -> int: ...

    async def embed_documents(self, texts: Sequence[str]) -> Embedded: ...

    async def embed_query(self, text: str) -> Vector: ...

    async def close(self) -> None: ...


@runtime_checkable
class Reranker(Protocol):
    """Orders passages by how well they answer a query; an embedder may be one too."""

    async def rerank(self, query: str, passages: Sequence[str]) -> list[int]: ...


class WordLlamaEmbedder:
    """The mean of a text's token vectors."""

    name = "wordllama-256"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._words = word_vectors()

    def count_tokens(self, text: str) -> int:
        return max(1, len(self._words.token_ids([text])[0]))

    async def embed_documents(self, texts: Sequence[str]) -> Embedded:
        return await asyncio.to_thread(self.embed, texts)

    async def embed_query(self, text: str) -> Vector:
        return np.asarray(self.embed([text]).vectors[0], dtype=np.float32)

    async def close(self) -> None:
        """Nothing is held open."""

    def embed(self, texts: Sequence[str]) -> Embedded:
        """The vectors at once, for callers that cannot wait."""
        ids = self._words.token_ids(texts)
        return Embedded(vectors=self._words.means(ids), token_counts=[max(1, len(tokens)) for tokens in ids])


_MODEL = "embed-v4.0"
_RERANK_MODEL = "rerank-v3.5"
_BATCH = 96  # the most texts that one call takes
_ATTEMPTS = 3
_RETRY_STATUS = {408, 429, 500, 502, 503, 504}

T = TypeVar("T")


class CohereEmbedder:
    """Documents and queries are embedded differently; the service is told which is which."""

    name = f"cohere-{_MODEL}"
    dimension = 1536

    def __init__(self, *, api_key: str, base_url: str | None = None, first_wait_seconds: float = 0.5) -> None:
        import cohere  # slow, and only this embedder needs it

        # The client would retry by itself, unseen; the attempts are ours to count.
        self._client = cohere.AsyncClientV2(api_key=api_key, base_url=base_url, timeout=30)
        self._first_wait = first_wait_seconds

    def count_tokens(self, text: str) -> int:
        # The real tokenizer is a download; four bytes a token is Cohere's own rule of thumb.
        return max(1, len(text.encode()) // 4)

    async def embed_documents(self, texts: Sequence[str]) -> Embedded:
        rows: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            rows += await self._embed(list(texts[start : start + _BATCH]), "search_document")
        matrix = np.asarray(rows, dtype=np.float32).reshape(len(rows), self.dimension)
        return Embedded(vectors=unit_rows(matrix), token_counts=[self.count_tokens(text) for text in texts])

    async def embed_query(self, text: str) -> Vector:
        rows = await self._embed([text], "search_query")
        return np.asarray(unit_rows(np.asarray(rows, dtype=np.float32))[0], dtype=np.float32)

    async def rerank(self, query: str, passages: Sequence[str]) -> list[int]:
        response = await self._attempt(
            lambda: self._client.rerank(
                model=_RERANK_MODEL, query=query, documents=list(passages), request_options=_NO_RETRIES
            )
        )
        return [result.index for result in response.results]

    async def close(self) -> None:
        await self._client.__aexit__(None, None, None)  # type: ignore[no-untyped-call]

    async def _embed(self, texts: list[str], input_type: str) -> list[list[float]]:
        response = await self._attempt(
            lambda: self._client.embed(
                model=_MODEL,
                texts=texts,
                input_type=input_type,
                embedding_types=["float"],
                output_dimension=self.dimension,
                request_options=_NO_RETRIES,
            )
        )
        return list(response.embeddings.float_ or [])

    async def _attempt(self, call: Callable[[], Awaitable[Any]]) -> Any:
        """Three attempts with doubling waits, for failures that may pass."""
        from tenacity import (
            AsyncRetrying,
            retry_if_exception,
            stop_after_attempt,
            wait_exponential,
        )

        retrying = AsyncRetrying(
            retry=retry_if_exception(_may_pass),
            stop=stop_after_attempt(_ATTEMPTS),
            wait=wait_exponential(multiplier=self._first_wait),
            reraise=True,
        )
        try:
            async for attempt in retrying:
                with attempt:
                    return await call()
        except Exception as err:
            raise CohereAPIError(_explain(err)) from err


_NO_RETRIES: Any = {"max_retries": 0}


def _status(err: BaseException) -> int | None:
    return getattr(err, "status_code", None)


def _may_pass(err: BaseException) -> bool:
    import httpx

    return _status(err) in _RETRY_STATUS or isinstance(err, httpx.TransportError)


def _explain(err: Exception) -> str:
    status = _status(err)
    if status in (401, 403):
        return (
            "Cohere refused the key. Check COHERE_API_KEY, or set TUTOR_EMBEDDER=wordllama to work offline."
        )
    if status == 429:
        return "Cohere says there were too many requests. Wait a minute, or set TUTOR_EMBEDDER=wordllama."
    if status is not None and status < 500:
        return f"Cohere did not accept the request (status {status}). Set TUTOR_EMBEDDER=wordllama to go on without it."
    return (
        "Cohere does not answer after 3 attempts. Check the network, or set TUTOR_EMBEDDER=wordllama "
        "to work offline."
    )


def make_embedder(kind: str, *, cohere_api_key: str | None) -> Embedder:
    """Build the embedder that the settings name; 'auto' is Cohere when there is a key."""
    if kind == "auto":
        kind = "cohere" if cohere_api_key else "wordllama"
    if kind == "wordllama":
        return WordLlamaEmbedder()
    if not cohere_api_key:
        raise ConfigurationError(
            "TUTOR_EMBEDDER is 'cohere' but COHERE_API_KEY is not set. Set the key, or use TUTOR_EMBEDDER=wordllama."
        )
    return CohereEmbedder(api_key=cohere_api_key)
