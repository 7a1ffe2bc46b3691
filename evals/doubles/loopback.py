"""A small HTTP server on a free port of loopback, for doubles of services."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """One request."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class Told:
    """One answer; a text is sent as it is, an iterator piece by piece, anything else as JSON."""

    status: int
    content: Any
    content_type: str = "application/json"


@contextmanager
def serve(answer: Callable[[Asked], Told]) -> Iterator[str]:
    """Serve until the block ends; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            told = answer(
                Asked(self.command, self.path, dict(self.headers), json.loads(body) if body else None)
            )
            if isinstance(told.content, Iterator):
                self._stream(told)
                return
            text = told.content if isinstance(told.content, bytes) else json.dumps(told.content).encode()
            self.send_response(told.status)
            self.send_header("content-type", told.content_type)
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def _stream(self, told: Told) -> None:
            self.send_response(told.status)
            self.send_header("content-type", told.content_type)
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            with suppress(OSError):  # the client may leave
                for piece in told.content:
                    self.wfile.write(piece)
                    self.wfile.flush()

        do_GET = do_PUT = do_POST = do_DELETE = do  # noqa: N815

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
