"""The MCP server around the task tools: stdio for a client of its own, HTTP for a shared deployment."""

import asyncio
import importlib
import json
import logging
import time
from collections.abc import Mapping
from datetime import UTC, datetime
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

    from tasks_tools.service import TaskService

Transport = Literal["stdio", "http"]

NAME = "mastery-loop-tasks"
_INSTRUCTIONS = (
    "The learner's to-do list. Call list_tasks to learn the ids. Ask the learner before delete_task."
)
_UNREACHABLE = "The task list cannot be reached right now. Try again in a moment."
_NOBODY = "This request names no user whose tasks it may see."

logger = logging.getLogger("tasks_tools")


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
