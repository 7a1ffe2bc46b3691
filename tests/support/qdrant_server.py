"""A Qdrant server for tests: its REST protocol on loopback, the client's own local mode behind it."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pydantic import TypeAdapter
from qdrant_client import QdrantClient, models

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
    ("DELETE", r"/collections/([^/]+)", Store.drop),
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

    class Handler(BaseHTTPRequestHandler):
        def do(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            status, result = self.answer(json.loads(body) if body else None)
            text = TypeAdapter(Any).dump_json({"result": result, "status": "ok", "time": 0.0}, by_alias=True)
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_PUT = do_POST = do_DELETE = do  # noqa: N815

        def answer(self, body: Any) -> tuple[int, Any]:
            if api_key and self.headers.get("api-key") != api_key:
                return 401, None
            for method, pattern, serve in ROUTES:
                found = re.fullmatch(pattern, self.path.partition("?")[0])
                if self.command == method and found:
                    with store.lock:
                        return 200, serve(store, found.group(1), body)
            return 404, None

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        store.client.close()
