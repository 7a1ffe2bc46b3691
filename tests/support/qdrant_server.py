"""A Qdrant server for tests: its REST protocol on loopback, the client's own local mode behind it."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import TypeAdapter
from qdrant_client import QdrantClient, models

from evals.doubles.loopback import Asked, Told, serve

Route = tuple[str, str, Callable[["Store", str, Any], Any]]


class Store:
    """Collections in memory; one request at a time."""

    def __init__(self) -> None:
        self.client = QdrantClient(":memory:")
        self.lock = threading.Lock()

    def exists(self, name: str, body: Any) -> Any:
        return {"exists": self.client.collection_exists(name)}

    def create(self, name: str, body: Any) -> Any:
        request = models.CreateCollection.model_validate(body)
        return self.client.create_collection(
            name, vectors_config=request.vectors, sparse_vectors_config=request.sparse_vectors
        )

    def info(self, name: str, body: Any) -> Any:
        return self.client.get_collection(name)

    def scroll(self, name: str, body: Any) -> Any:
        points, after = self.client.scroll(name, limit=models.ScrollRequest.model_validate(body).limit or 10)
        return {"points": points, "next_page_offset": after}

    def drop(self, name: str, body: Any) -> Any:
        return self.client.delete_collection(name)

    def index(self, name: str, body: Any) -> Any:
        return {"operation_id": 0, "status": "completed"}

    def upsert(self, name: str, body: Any) -> Any:
        return self.client.upsert(name, models.PointsList.model_validate(body).points)

    def delete(self, name: str, body: Any) -> Any:
        return self.client.delete(name, models.PointIdsList.model_validate(body).points)

    def retrieve(self, name: str, body: Any) -> Any:
        return self.client.retrieve(name, models.PointRequest.model_validate(body).ids, with_payload=True)

    def count(self, name: str, body: Any) -> Any:
        return self.client.count(name, count_filter=models.CountRequest.model_validate(body).filter)

    def query(self, name: str, body: Any) -> Any:
        requests = models.QueryRequestBatch.model_validate(body).searches
        return self.client.query_batch_points(name, requests)


ROUTES: list[Route] = [
    ("GET", r"/collections/([^/]+)/exists", Store.exists),
    ("PUT", r"/collections/([^/]+)", Store.create),
    ("GET", r"/collections/([^/]+)", Store.info),
    ("DELETE", r"/collections/([^/]+)", Store.drop),
    ("POST", r"/collections/([^/]+)/points/scroll", Store.scroll),
    ("PUT", r"/collections/([^/]+)/index", Store.index),
    ("PUT", r"/collections/([^/]+)/points", Store.upsert),
    ("POST", r"/collections/([^/]+)/points/delete", Store.delete),
    ("POST", r"/collections/([^/]+)/points", Store.retrieve),
    ("POST", r"/collections/([^/]+)/points/count", Store.count),
    ("POST", r"/collections/([^/]+)/points/query/batch", Store.query),
]


@contextmanager
def qdrant_server(*, api_key: str | None = None) -> Iterator[str]:
    """Serve on a free port of loopback; yields the address."""
    store = Store()

    def answer(asked: Asked) -> Told:
        if api_key and asked.headers.get("api-key") != api_key:
            return _told(401, None)
        for method, pattern, route in ROUTES:
            found = re.fullmatch(pattern, asked.path.partition("?")[0])
            if asked.method == method and found:
                with store.lock:
                    return _told(200, route(store, found.group(1), asked.body))
        return _told(404, None)

    with serve(answer) as url:
        yield url
    store.client.close()


def _told(status: int, result: Any) -> Told:
    content = {"result": result, "status": "ok", "time": 0.0}
    return Told(status, TypeAdapter(Any).dump_json(content, by_alias=True))
