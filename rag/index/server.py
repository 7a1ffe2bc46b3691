"""A Qdrant server or cluster, shared by every process that is given its address."""

import asyncio
import uuid
import warnings
from collections.abc import Awaitable, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse
from qdrant_edge import SparseVector

from agents.language.vectors import Vector
from rag.index import (
    CHAPTER_WORDS,
    COURSE_FIELD,
    DENSE,
    FIELDS,
    HOME,
    MAKER,
    PASSAGE_WORDS,
    VECTOR_NAMES,
    WITHIN_FIELD,
    Candidates,
    IndexState,
    Point,
    Scope,
)
from rag.index.embedded import query_weights, vectors
from storage.errors import ForeignIndexError, QdrantConnectionError

_STATE_POINT = str(uuid.UUID(int=0))
_STATE_FIELD, _MAKER_FIELD = "index_state", "made_by"
_BATCH = 256

_RESTS = (0.2, 1.0, 3.0)  # seconds between tries
_WRONG = range(400, 500)  # what a server says of a request that will be no better next time

T = TypeVar("T")


class ServerIndex:
    """One collection; a point of its own says who made it, and holds the index's state."""

    def __init__(
        self, client: AsyncQdrantClient, *, collection: str, dimension: int, replicas: int = 1
    ) -> None:
        self._client = client
        self._collection = collection
        self._dimension = dimension
        self._replicas = replicas

    async def open(self) -> None:
        """Make the collection if the server does not have it."""
        if not await self._is_there():
            await self._create()

    async def state(self) -> IndexState | None:
        state = (await self._about()).get(_STATE_FIELD)
        return IndexState(**state) if state else None

    async def set_state(self, state: IndexState) -> None:
        await self._note({_STATE_FIELD: asdict(state)})

    async def upsert(self, points: Sequence[Point]) -> None:
        for start in range(0, len(points), _BATCH):
            batch = [_point(point) for point in points[start : start + _BATCH]]
            await self._put(batch)

    async def _put(self, batch: list[models.PointStruct]) -> None:
        """One batch, again and again while a node of the cluster is away: points are the same however often they come."""
        for rest in _RESTS:
            try:
                await _answer(self._client.upsert(self._collection, batch, wait=True))
            except QdrantConnectionError as err:
                if _is_refusal(err):
                    raise
                await asyncio.sleep(rest)
            else:
                return
        await _answer(self._client.upsert(self._collection, batch, wait=True))

    async def remove(self, point_ids: Sequence[str]) -> None:
        await _answer(self._client.delete(self._collection, list(point_ids), wait=True))

    async def count(self) -> int:
        beside_state = models.Filter(must_not=[models.HasIdCondition(has_id=[_STATE_POINT])])
        result = await _answer(self._client.count(self._collection, count_filter=beside_state, exact=True))
        return result.count

    async def search(self, text: str, vector: Vector, *, scope: Scope, limit: int) -> Candidates:
        where, words = _filter(scope), _sparse(query_weights(text))
        queries: list[tuple[str, Any]] = [(DENSE, vector.tolist())]
        # A server refuses a sparse query with no words in it.
        if words.indices:
            queries += [(PASSAGE_WORDS, words), (CHAPTER_WORDS, words)]
        requests = [
            models.QueryRequest(query=query, using=name, limit=limit, filter=where, with_payload=HOME)
            for name, query in queries
        ]
        answers = await _answer(self._client.query_batch_points(self._collection, requests))
        return Candidates.of([*(answer.points for answer in answers), [], []][:3], limit=limit)

    async def clear(self) -> None:
        if await self._is_there():
            await _answer(self._client.delete_collection(self._collection))
        await self._create()

    async def close(self) -> None:
        await self._client.close()

    async def _is_there(self) -> bool:
        """Whether there is a collection of ours; one of somebody else's is an error."""
        if not await _answer(self._client.collection_exists(self._collection)):
            return False
        about = await self._about()
        if about.get(_MAKER_FIELD) != MAKER and _STATE_FIELD not in about and not await self._looks_ours():
            raise ForeignIndexError(
                f"The Qdrant server has a collection '{self._collection}' that this program did not make, so it is left "
                "alone. Choose another name with TUTOR_QDRANT_COLLECTION."
            )
        return True

    async def _about(self) -> dict[str, Any]:
        found = await _answer(self._client.retrieve(self._collection, [_STATE_POINT], with_payload=True))
        return (found[0].payload or {}) if found else {}

    async def _note(self, facts: dict[str, Any]) -> None:
        payload = {_MAKER_FIELD: MAKER, **facts}
        point = models.PointStruct(id=_STATE_POINT, vector={}, payload=payload)
        await _answer(self._client.upsert(self._collection, [point], wait=True))

    async def _looks_ours(self) -> bool:
        """An earlier version made its collections without a mark, and one that was interrupted has no state either."""
        made = (await _answer(self._client.get_collection(self._collection))).config.params
        vectors = made.vectors if isinstance(made.vectors, dict) else {}
        if {*vectors, *(made.sparse_vectors or {})} != VECTOR_NAMES:
            return False
        some, _ = await _answer(self._client.scroll(self._collection, limit=1, with_payload=True))
        return all(set(point.payload or {}) == FIELDS for point in some)

    async def _create(self) -> None:
        words = models.SparseVectorParams(modifier=models.Modifier.IDF)
        await _answer(
            self._client.create_collection(
                self._collection,
                vectors_config={
                    DENSE: models.VectorParams(size=self._dimension, distance=models.Distance.COSINE)
                },
                sparse_vectors_config={PASSAGE_WORDS: words, CHAPTER_WORDS: words},
                replication_factor=self._replicas,
            )
        )
        for name in (COURSE_FIELD, WITHIN_FIELD):
            # Points of one course lie together, since nearly every search is within one.
            kind = models.KeywordIndexParams(
                type=models.KeywordIndexType.KEYWORD, is_tenant=name == COURSE_FIELD
            )
            await _answer(self._client.create_payload_index(self._collection, name, kind))
        await self._note({})


def connect(url: str, *, api_key: str | None) -> AsyncQdrantClient:
    with warnings.catch_warnings():
        # It remarks on a key over plain http, which is how a server on the same machine is reached.
        warnings.simplefilter("ignore")
        return AsyncQdrantClient(url=url, api_key=api_key, timeout=10, check_compatibility=False)


async def _answer(call: Awaitable[T]) -> T:
    """Await one request, turning the client's failures into ours."""
    try:
        return await call
    except UnexpectedResponse as err:
        raise QdrantConnectionError(_refused(err.status_code)) from err
    except (ApiException, OSError) as err:
        raise QdrantConnectionError(
            "The Qdrant server does not answer. Start it or check QDRANT_URL; "
            "without QDRANT_URL the tutor uses its own embedded index."
        ) from err


def _is_refusal(err: QdrantConnectionError) -> bool:
    cause = err.__cause__
    return isinstance(cause, UnexpectedResponse) and cause.status_code in _WRONG and cause.status_code != 429


def _refused(status: int | None) -> str:
    if status in (401, 403):
        return "The Qdrant server refused the key. Check QDRANT_API_KEY."
    return f"The Qdrant server refused the request (status {status}). Run 'tutor reindex', or check its log."


def _point(point: Point) -> models.PointStruct:
    found_by = {
        name: _sparse(value) if isinstance(value, SparseVector) else value
        for name, value in vectors(point).items()
    }
    return models.PointStruct(id=point.point_id, vector=found_by, payload=point.payload)


def _sparse(weights: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=list(weights.indices), values=list(weights.values))


def _filter(scope: Scope) -> models.Filter | None:
    must: list[Any] = [
        models.FieldCondition(key=name, match=models.MatchValue(value=value))
        for name, value in scope.fields.items()
    ]
    return models.Filter(must=must) if must else None
