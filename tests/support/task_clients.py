"""Learners at a running task server: the SDK's own client, over a pipe or over HTTP."""

import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import httpx2
from anyio.from_thread import BlockingPortal
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tasks_tools.identity import header_for
from tests.support.task_server import PROJECT, TOKEN, server_arguments

TOOLS = {"add_task", "list_tasks", "update_task", "complete_task", "delete_task"}


class Learner(Protocol):
    """Calls tools as one user."""

    def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]: ...


class World(Protocol):
    """A running server, and learners who use it."""

    client: Client

    def learner(self, user_id: str) -> Learner: ...


class StdioWorld:
    """One pipe for all learners; each call says in its metadata whose it is."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self.client = client

    def learner(self, user_id: str) -> Learner:
        def call(tool: str, **arguments: Any) -> dict[str, Any]:
            return structured(self._portal, self.client, tool, arguments=arguments, meta={"user_id": user_id})

        return call


class HttpWorld:
    """A connection a learner, named in its header."""

    def __init__(self, portal: BlockingPortal, url: str, open_clients: ExitStack) -> None:
        self._portal = portal
        self._open_clients = open_clients
        self.url = url
        self.client = self.connect()

    def connect(self, *headers: tuple[str, str]) -> Client:
        client = self._portal.wrap_async_context_manager(connected(self.url, headers=headers))
        return self._open_clients.enter_context(client)

    def learner(self, user_id: str) -> Learner:
        client = self.connect(*header_for(user_id).items())

        def call(tool: str, **arguments: Any) -> dict[str, Any]:
            return structured(self._portal, client, tool, arguments=arguments)

        return call


@asynccontextmanager
async def connected(
    url: str, *, headers: Sequence[tuple[str, str]] = (), token: str = TOKEN
) -> AsyncIterator[Client]:
    opening = [("Authorization", f"Bearer {token}")] if token else []
    async with (
        httpx2.AsyncClient(headers=httpx2.Headers([*opening, *headers]), verify=False) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


def stdio(database: Path, *more: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=list(server_arguments(database, *more)),
        env={"PYTHONPATH": str(PROJECT)},
    )


def structured(portal: BlockingPortal, client: Client, tool: str, **options: Any) -> dict[str, Any]:
    async def call() -> Any:
        return await client.call_tool(tool, **options)

    result = portal.call(call)
    assert result.is_error is not result.structured_content["success"]
    content: dict[str, Any] = result.structured_content
    return content


def titles(learner: Learner, **arguments: Any) -> list[str]:
    return [task["title"] for task in learner("list_tasks", **arguments)["data"]["tasks"]]


def add(learner: Learner, title: str, **arguments: Any) -> int:
    number: int = learner("add_task", title=title, **arguments)["data"]["id"]
    return number


def code(result: Mapping[str, Any]) -> str:
    assert "data" not in result
    assert result["error"]["message"].strip()
    found: str = result["error"]["code"]
    return found
