"""ADK's McpToolset over our task server, started when it is first needed."""

from collections.abc import Callable
from typing import Any

from google.adk.agents.readonly_context import ReadonlyContext
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset


class LazyTaskTools(BaseToolset):
    """One server process for the app, not one a call, and none before the first task."""

    def __init__(self, *, command: Callable[[], list[str]], start_seconds: float) -> None:
        super().__init__()
        self._command = command
        self._start_seconds = start_seconds
        self._tools: Any = None

    async def get_tools(self, readonly_context: ReadonlyContext | None = None) -> list[BaseTool]:
        if self._tools is None:
            self._tools = self._connect()
        tools: list[BaseTool] = await self._tools.get_tools(readonly_context)
        return tools

    async def close(self) -> None:
        if self._tools is not None:
            await self._tools.close()
            self._tools = None

    def _connect(self) -> Any:
        from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
        from mcp import StdioServerParameters

        program, *arguments = self._command()
        server = StdioServerParameters(command=program, args=arguments)
        return McpToolset(
            connection_params=StdioConnectionParams(server_params=server, timeout=self._start_seconds)
        )
