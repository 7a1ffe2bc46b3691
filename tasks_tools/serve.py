"""Running the task server as a process: transports, signals, and a log that is not the terminal."""

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

from storage.errors import ConfigurationError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_LOG_BYTES = 1_000_000
_FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"


def serve(
    database_url: str,
    *,
    port: int | None,
    host: str,
    token: str | None,
    user: str | None,
    log_file: Path | None,
) -> None:
    """Serve stdio, or HTTP on a port, until the client goes or a signal comes; a token that we make up is told."""
    _log_to(log_file)
    if port is None:
        asyncio.run(_serve_stdio(database_url, user=user))
        return
    needed = token or secrets.token_urlsafe(24)

    def say(address: str) -> None:
        sys.stderr.write(f"Tasks are served at {address}. Stop with Ctrl-C.\n")
        if not token:
            sys.stderr.write(f"Callers need TUTOR_TASKS_TOKEN={needed} (set it here too to keep it).\n")

    asyncio.run(_serve_http(database_url, port=port, host=host, token=needed, user=user, on_ready=say))


async def _serve_stdio(database_url: str, *, user: str | None) -> None:
    """Serve the client that started this process, until it closes our input or a signal ends us."""
    from mcp.server.stdio import stdio_server

    from tasks_tools.server import TaskServer

    server = TaskServer(database_url, transport="stdio", user=user)

    async def serve() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.protocol.run(incoming, outgoing, server.protocol.create_initialization_options())

    serving = asyncio.create_task(serve())
    with _signals() as stop:
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
    await server.close()
    if not serving.done():
        # The SDK reads our input in a thread that nothing can interrupt, so a tidy return would hang.
        logging.shutdown()
        os._exit(0)
    try:
        await serving
    except* BrokenPipeError:
        # The client stopped reading before it closed our input; there is nobody left to tell.
        os._exit(0)


async def _serve_http(
    database_url: str,
    *,
    port: int,
    host: str,
    token: str,
    user: str | None,
    on_ready: Callable[[str], None],
) -> None:
    """Serve any number of clients at http://host:port/mcp until a signal ends us.

    Whoever has the token is believed who asks: give it to apps that log people in, not to people.
    """
    import uvicorn

    from tasks_tools.server import TaskServer

    listening = _listen(host, port=port)
    server = TaskServer(database_url, transport="http", user=user)
    # Stateless: a restarted server goes on serving the clients of the old one.
    app = _with_token(
        server.protocol.streamable_http_app(stateless_http=True, json_response=True, host=host), token=token
    )
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=2, ws="none")
    with _ignored_signals():
        try:
            on_ready(f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/mcp")
            await uvicorn.Server(config).serve(sockets=[listening])
        finally:
            await server.close()


def _with_token(app: "ASGIApp", *, token: str) -> "ASGIApp":
    """Only requests with the token reach the app."""
    expected = f"Bearer {token}".encode()

    async def guarded(scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "http":
            shown = [value for name, value in scope["headers"] if name == b"authorization"]
            if len(shown) != 1 or not secrets.compare_digest(shown[0], expected):
                body = b'{"error": "This server needs its token: Authorization: Bearer TUTOR_TASKS_TOKEN."}'
                headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
                await send({"type": "http.response.start", "status": 401, "headers": headers})
                await send({"type": "http.response.body", "body": body})
                return
        await app(scope, receive, send)

    return guarded


def _log_to(file: Path | None) -> None:
    """Send all logging to a file, or nowhere: a client may show our stderr to people."""
    handler: logging.Handler = logging.NullHandler()
    if file is not None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            handler = RotatingFileHandler(
                file, maxBytes=_LOG_BYTES, backupCount=2, encoding="utf-8", delay=True
            )
        except OSError:
            raise ConfigurationError(
                "The log file cannot be written. Choose another place with --log FILE."
            ) from None
    handler.setFormatter(logging.Formatter(_FORMAT))
    # A full disk must not turn into tracebacks on the client's terminal.
    logging.raiseExceptions = False
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("tasks_tools").setLevel(logging.INFO)


def _listen(host: str, *, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError):
        raise ConfigurationError(
            f"Port {port} cannot be used. Choose another one with --http PORT."
        ) from None


@contextlib.contextmanager
def _signals() -> Iterator[asyncio.Event]:
    """An event that SIGTERM and SIGINT set."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    # Windows has no such handlers; there a signal ends the process at once.
    with contextlib.suppress(NotImplementedError):
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
    try:
        yield stop
    finally:
        with contextlib.suppress(NotImplementedError):
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)


@contextlib.contextmanager
def _ignored_signals() -> Iterator[None]:
    """uvicorn shuts down on a signal and then raises it once more for whoever came before it: nobody."""
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
