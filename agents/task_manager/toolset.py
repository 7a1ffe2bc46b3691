"""ADK's McpToolset over our task server, started when it is first needed."""

from collections.abc import Callable
from typing import Any

from google.adk.agents.readonly_context import ReadonlyContext
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset


class LazyTaskTools(BaseToolset):
    """One server process for the app, not one a call, and none before the first task."""

    def __init__(
        self, *, command: list[str], start_seconds: float, is_busy: Callable[[], bool] = lambda: False
    ) -> None:
        super().__init__()
        self._is_busy = is_busy
        self._command = command
        self._start_seconds = start_seconds
        self._tools: Any = None

    async def get_tools(self, readonly_context: ReadonlyContext | None = None) -> list[BaseTool]:
        if self._tools is None:
            self._tools = self._connect()
        tools: list[BaseTool] = await self._tools.get_tools(readonly_context)
        return tools

    async def close(self) -> None:
        """Every Runner closes the tools of its app, and `adk eval` has several: the last one is meant."""
        if self._tools is None or self._is_busy():
            return
        tools, self._tools = self._tools, None
        await tools.close()

    def _connect(self) -> Any:
        from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
        from mcp import StdioServerParameters

        server = StdioServerParameters(command=self._command[0], args=self._command[1:])
        return McpToolset(
            connection_params=StdioConnectionParams(server_params=server, timeout=self._start_seconds)
        )
