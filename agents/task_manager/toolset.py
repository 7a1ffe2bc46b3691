"""ADK's McpToolset over the task server, connected when it is first needed and again after a failure."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.readonly_context import ReadonlyContext
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.tool_context import ToolContext

from agents.settings import Settings

if TYPE_CHECKING:
    from google.adk.tools.mcp_tool import McpToolset

logger = logging.getLogger(__name__)

TASK_TOOLS = frozenset({"add_task", "list_tasks", "update_task", "complete_task", "delete_task"})
UNREACHABLE = "UNREACHABLE"  # our own code for a call that never came back


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A command to start, or an address to call; and how long to wait for either."""

    seconds: float
    url: str = ""
    token: str = field(default="", repr=False)
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        """What opens the shared server."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def task_connection(settings: Settings) -> Connection:
    """The shared server that the settings name, or else a process of our own."""
    if settings.tasks_url:
        token = settings.tasks_token.get_secret_value() if settings.tasks_token else ""
        return Connection(seconds=settings.tasks_timeout, url=settings.tasks_url, token=token)
    # What makes the process import the very modules that this one runs.
    same_code = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    return Connection(
        seconds=settings.tasks_timeout,
        command=(sys.executable, "-m", "tasks_tools", "--log", str(settings.data_dir / "tasks.log")),
        # The address may hold a password, which arguments would show to everybody on this machine.
        environment={"TUTOR_DATABASE_URL": settings.database, **same_code},
    )


class LazyTaskTools(BaseToolset):
    """One server for the app, not one a call, and none before the first task."""

    def __init__(
        self, where: Callable[[], Connection], *, is_busy: Callable[[], bool] = lambda: False
    ) -> None:
        super().__init__()
        self._where = where
        self._is_busy = is_busy
        self._connected: McpToolset | None = None
        self._failed_in = ""
        self._closing: set[asyncio.Task[None]] = set()

    @cached_property
    def connection(self) -> Connection:
        """Where the server is; the address of our own database is put together with the first task."""
        return self._where()

    async def get_tools(self, readonly_context: ReadonlyContext | None = None) -> list[BaseTool]:
        """The server's tools; none when it does not answer in time, which the task manager tells the learner."""
        invocation = readonly_context.invocation_id if readonly_context else ""
        # One wait a turn is enough: whoever failed in this one is asked again in the next.
        if invocation and invocation == self._failed_in:
            return []
        self._connected = self._connected or _connect(self.connection)
        try:
            async with asyncio.timeout(self.connection.seconds):
                tools: list[BaseTool] = await self._connected.get_tools(readonly_context)
                return tools
        except Exception as err:
            self.drop(invocation, cause=type(err).__name__)
            return []

    async def call(
        self, ctx: InvocationContext, tool_name: str, arguments: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Call a tool for code, as a model's call would go; a failure is part of the answer."""
        from tasks_tools.identity import calling_as

        found = {tool.name: tool for tool in await self.get_tools(ReadonlyContext(ctx))}
        if tool_name not in found:
            return unanswered()
        context = ToolContext(ctx)
        try:
            with calling_as(ctx.user_id):
                answer = await found[tool_name].run_async(args=dict(arguments), tool_context=context)
        except Exception as err:
            self.drop(ctx.invocation_id, cause=type(err).__name__)
            return unanswered()
        return self.notice_failure(found[tool_name], {}, context, answer) or answer

    def notice_failure(
        self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, tool_response: Any
    ) -> dict[str, Any] | None:
        """A call that never came back leaves its server, and comes out as a typed result."""
        if isinstance(tool_response, dict) and "structuredContent" in tool_response:
            return None
        self.drop(tool_context.invocation_id, cause=f"{tool.name} did not come back")
        return unanswered()

    def drop(self, invocation_id: str, *, cause: str) -> None:
        """Leave a server that failed; the next turn finds or starts another."""
        logger.warning("task server dropped: %s", cause)
        self._failed_in = invocation_id
        failed, self._connected = self._connected, None
        if failed is not None:
            # Ending a process that hangs takes seconds, and the learner waits for an answer.
            ending = asyncio.create_task(failed.close())
            self._closing.add(ending)
            ending.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Every Runner closes the tools of its app, and `adk eval` has several: the last one is meant."""
        if self._is_busy():
            return
        connected, self._connected = self._connected, None
        if connected is not None:
            await connected.close()
        if self._closing:
            await asyncio.wait(self._closing)


def unanswered() -> dict[str, Any]:
    """What stands for a call that never came back."""
    return {"success": False, "error": {"code": UNREACHABLE, "message": "The task server did not answer."}}


def _connect(connection: Connection) -> "McpToolset":
    # Importing mcp takes over a second, and starting the server another: both wait until a task is spoken of.
    from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams, StreamableHTTPConnectionParams
    from mcp import StdioServerParameters

    if connection.url:
        # Otherwise ADK looks for Google's certificates first, for seconds and with remarks on the terminal.
        os.environ.setdefault("GOOGLE_API_USE_CLIENT_CERTIFICATE", "false")
        return McpToolset(
            connection_params=StreamableHTTPConnectionParams(
                url=connection.url,
                headers=connection.headers,
                timeout=connection.seconds,
                sse_read_timeout=connection.seconds,
            ),
            header_provider=_name_the_learner,
        )
    command, *arguments = connection.command
    server = StdioServerParameters(command=command, args=arguments, env=dict(connection.environment))
    return McpToolset(
        connection_params=StdioConnectionParams(server_params=server, timeout=connection.seconds)
    )


def _name_the_learner(context: ReadonlyContext) -> dict[str, str]:
    """Who asks is the Runner's word, and travels in a header that no model writes."""
    from tasks_tools.identity import header_for, origin_header

    return {**header_for(context.user_id), **origin_header()}
