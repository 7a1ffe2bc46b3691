"""The MCP server around the task tools, and running it as a process: stdio for a client of its own, HTTP for a shared deployment."""

import asyncio
import contextlib
import importlib
import json
import logging
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mcp.server import Server, ServerRequestContext
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from storage.errors import ConfigurationError
from storage.files import UtcFormatter
from tasks_tools.identity import (
    HEADER,
    ORIGIN_HEADER,
    ORIGIN_META_KEY,
    Origin,
    origin_of,
    user_of_header,
    user_of_meta,
)
from tasks_tools.schemas import (
    AddTask,
    CompleteTask,
    DeleteTask,
    ListTasks,
    TaskData,
    TaskListData,
    ToolResult,
    UpdateTask,
    output_schema,
)

if TYPE_CHECKING:
    from pydantic import BaseModel
    from starlette.types import ASGIApp, Receive, Scope, Send

    from tasks_tools.service import TaskService

logger = logging.getLogger("tasks_tools")

_LOG_BYTES = 1_000_000


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
    handler.setFormatter(UtcFormatter())
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


Transport = Literal["stdio", "http"]

NAME = "mastery-loop-tasks"
_INSTRUCTIONS = (
    "The learner's to-do list. Call list_tasks to learn the ids. Ask the learner before delete_task."
)
_UNREACHABLE = "The task list cannot be reached right now. Try again in a moment."
_NOBODY = "This request names no user whose tasks it may see."


class TaskServer:
    """The five tools as an MCP server; opens the database when it is first needed."""

    def __init__(self, database_url: str, *, transport: Transport, user: str | None = None) -> None:
        self._database_url = database_url
        self._transport = transport
        self._only = user
        self._service: TaskService | None = None
        self._opening = asyncio.Lock()
        self._warming: asyncio.Task[None] | None = None
        self.protocol: Server[Any] = Server(
            NAME,
            title="Mastery Loop tasks",
            instructions=_INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )

    async def close(self) -> None:
        """Close the database; the next call opens it again."""
        if self._warming is not None:
            self._warming.cancel()
        service, self._service = self._service, None
        if service is not None:
            await service.close()

    async def _list_tools(
        self, ctx: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        # Whoever asks for the tools will call one soon, and the database takes half a second to open.
        self._warming = self._warming or asyncio.create_task(self._warm_up())
        return ListToolsResult(tools=list(TOOLS))

    async def _call_tool(
        self, ctx: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> CallToolResult:
        started = time.perf_counter()
        user, origin = self._user(ctx), self._origin(ctx)
        arguments = params.arguments or {}
        result = await self._result(params.name, arguments=arguments, user=user, origin=origin)
        # Ids only: what a learner writes is theirs.
        logger.info(
            "tool=%s user=%s by=%s task=%s code=%s ms=%.1f",
            params.name if params.name in _NAMES else "unknown",
            user,
            origin,
            _task_id(result, arguments=arguments),
            result.code,
            (time.perf_counter() - started) * 1000,
        )
        answer = result.as_json()
        return CallToolResult(
            content=[TextContent(type="text", text=json.dumps(answer, ensure_ascii=False))],
            structured_content=answer,
            is_error=not result.success,
        )

    async def _result(
        self, tool: str, *, arguments: Mapping[str, Any], user: str | None, origin: Origin
    ) -> ToolResult:
        if user is None:
            return ToolResult.failed("UNAUTHENTICATED", _NOBODY)
        try:
            service = await self._opened()
            return await service.call(
                tool, arguments=arguments, user_id=user, origin=origin, now=datetime.now(UTC)
            )
        except Exception:
            # The client gets a sentence; the cause, which may name files and hosts, stays in our log.
            logger.exception("tool=%s user=%s failed", tool if tool in _NAMES else "unknown", user)
            return ToolResult.failed("STORAGE_ERROR", _UNREACHABLE)

    def _user(self, ctx: ServerRequestContext[Any]) -> str | None:
        if self._transport == "stdio":
            return user_of_meta(ctx.meta, only=self._only)
        named = ctx.request.headers.getlist(HEADER) if ctx.request is not None else ()
        return user_of_header(named, only=self._only)

    def _origin(self, ctx: ServerRequestContext[Any]) -> Origin:
        if self._transport == "stdio":
            return origin_of((ctx.meta or {}).get(ORIGIN_META_KEY))
        return origin_of(ctx.request.headers.get(ORIGIN_HEADER) if ctx.request is not None else None)

    async def _opened(self) -> "TaskService":
        async with self._opening:
            if self._service is None:
                # Imported here, so that the handshake does not wait for SQLAlchemy.
                from tasks_tools.service import TaskService

                self._service = await TaskService.open(self._database_url)
            return self._service

    async def _warm_up(self) -> None:
        try:
            # In a thread, so that the answer that started us need not wait for SQLAlchemy.
            await asyncio.to_thread(importlib.import_module, "tasks_tools.service")
            await self._opened()
        except Exception:
            # The first call will try again, and say so.
            logger.exception("the database cannot be opened yet")


def _tool(name: str, *, takes: type["BaseModel"], gives: type["BaseModel"], hints: ToolAnnotations) -> Tool:
    return Tool(
        name=name,
        description=takes.__doc__,
        input_schema=takes.model_json_schema(),
        output_schema=output_schema(gives),
        annotations=hints,
    )


def _hints(*, reads: bool = False, destroys: bool = False, repeatable: bool = False) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=reads, destructive_hint=destroys, idempotent_hint=repeatable, open_world_hint=False
    )


TOOLS = (
    _tool("add_task", takes=AddTask, gives=TaskData, hints=_hints()),
    _tool("list_tasks", takes=ListTasks, gives=TaskListData, hints=_hints(reads=True, repeatable=True)),
    _tool("update_task", takes=UpdateTask, gives=TaskData, hints=_hints(destroys=True, repeatable=True)),
    _tool("complete_task", takes=CompleteTask, gives=TaskData, hints=_hints(repeatable=True)),
    _tool("delete_task", takes=DeleteTask, gives=TaskData, hints=_hints(destroys=True)),
)
_NAMES = frozenset(tool.name for tool in TOOLS)


def _task_id(result: ToolResult, *, arguments: Mapping[str, Any]) -> object:
    if isinstance(result.data, TaskData):
        return result.data.id
    asked = arguments.get("task_id")
    return asked if isinstance(asked, int) else None
