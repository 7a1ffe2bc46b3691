"""Identity through ADK's own McpToolset: the Runner says who asks, and no model can say otherwise."""

import asyncio
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.base_toolset import BaseToolset
from google.adk.tools.mcp_tool import McpToolset, StreamableHTTPConnectionParams
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from agents.task_manager.toolset import Connection, LazyTaskTools
from tasks_tools.identity import call_as
from tests.support.task_server import PROJECT, TOKEN, listening, server_arguments


class CallsOneTool(BaseLlm):
    """A model that was told which call to make, and makes it."""

    model: str = "calls-one-tool"
    tool: str
    arguments: dict[str, Any]
    declared: list[str]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.declared.append(str(llm_request.config.tools))
        answered = any(part.function_response for part in llm_request.contents[-1].parts or ())
        part = (
            types.Part(text="done")
            if answered
            else types.Part(function_call=types.FunctionCall(name=self.tool, args=self.arguments))
        )
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def name_the_learner(tool: BaseTool, args: dict[str, Any], tool_context: ToolContext) -> None:
    call_as(tool_context.user_id)


class Tutor:
    """Turns of several users over one toolset, so over one server process."""

    def __init__(self, toolset: BaseToolset) -> None:
        self._toolset = toolset
        self.declared: list[str] = []

    async def call(self, learner: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
        model = CallsOneTool(tool=tool, arguments=arguments, declared=self.declared)
        agent = LlmAgent(
            name="task_manager", model=model, tools=[self._toolset], before_tool_callback=name_the_learner
        )
        runner = InMemoryRunner(agent=agent, app_name="agents")
        session = await runner.session_service.create_session(app_name="agents", user_id=learner)
        message = types.Content(role="user", parts=[types.Part(text="go")])
        events = [
            event
            async for event in runner.run_async(user_id=learner, session_id=session.id, new_message=message)
        ]
        responses = [response for event in events for response in event.get_function_responses()]
        assert len(responses) == 1
        content: dict[str, Any] = (responses[0].response or {})["structuredContent"]
        return content


@pytest.fixture
def arguments(migrated_sqlite: Path, tmp_path: Path) -> tuple[str, ...]:
    file = tmp_path / "tutor.db"
    file.write_bytes(migrated_sqlite.read_bytes())
    return server_arguments(file)


@pytest.fixture
def url(arguments: tuple[str, ...], tmp_path: Path) -> Iterator[str]:
    """The address of a shared server on a free port."""
    with listening(*arguments, folder=tmp_path) as address:
        yield address


@pytest.fixture(params=["stdio", "http"])
def connection(request: pytest.FixtureRequest) -> Connection:
    if request.param == "http":
        return Connection(seconds=30, url=request.getfixturevalue("url"), token=TOKEN)
    command = (sys.executable, *request.getfixturevalue("arguments"))
    return Connection(seconds=30, command=command, environment={"PYTHONPATH": str(PROJECT)})


@pytest.fixture
async def tutor(connection: Connection) -> AsyncIterator[Tutor]:
    tools = LazyTaskTools(lambda: connection)
    yield Tutor(tools)
    await tools.close()


async def test_each_learner_has_their_own_tasks_over_one_server(tutor: Tutor) -> None:
    added = await tutor.call("ada", "add_task", title="Ada's secret")
    bobs = await tutor.call("bob", "list_tasks")
    adas = await tutor.call("ada", "list_tasks")

    assert added["data"]["title"] == "Ada's secret"
    assert bobs["data"]["tasks"] == []
    assert [task["title"] for task in adas["data"]["tasks"]] == ["Ada's secret"]
    assert "user_id" not in "".join(tutor.declared)


async def test_learners_who_ask_at_the_same_time_are_not_mixed_up(tutor: Tutor) -> None:
    learners = [f"learner-{number}" for number in range(4)]

    await asyncio.gather(*(tutor.call(learner, "add_task", title=learner) for learner in learners))
    lists = await asyncio.gather(*(tutor.call(learner, "list_tasks") for learner in learners))

    assert [[task["title"] for task in found["data"]["tasks"]] for found in lists] == [
        [name] for name in learners
    ]


async def test_a_model_that_passes_another_users_id_is_refused(tutor: Tutor) -> None:
    task = (await tutor.call("ada", "add_task", title="Ada's secret"))["data"]["id"]

    listed = await tutor.call("bob", "list_tasks", user_id="ada")
    deleted = await tutor.call("bob", "delete_task", task_id=task)

    assert listed["error"]["code"] == "INVALID_INPUT"
    assert deleted["error"]["code"] == "NOT_FOUND"
    assert (await tutor.call("ada", "list_tasks"))["data"]["total"] == 1


async def test_a_toolset_that_sends_no_identity_over_http_is_refused_whatever_the_call_says(url: str) -> None:
    """The user in the request's body, which the callback adds, proves nothing to a shared server."""
    door = StreamableHTTPConnectionParams(url=url, timeout=30, headers={"Authorization": f"Bearer {TOKEN}"})
    toolset = McpToolset(connection_params=door)

    refused = await Tutor(toolset).call("ada", "list_tasks")
    await toolset.close()

    assert refused["error"]["code"] == "UNAUTHENTICATED"


@pytest.mark.parametrize("learner", ["Ådà 学生", "ada\nX-User-Id: bob", " bob", "bob\r\n"])
async def test_no_name_can_pass_for_another_in_the_header(url: str, learner: str) -> None:
    tools = LazyTaskTools(lambda: Connection(seconds=30, url=url, token=TOKEN))
    tutor = Tutor(tools)

    await tutor.call("bob", "add_task", title="Bob's secret")
    listed = await tutor.call(learner, "list_tasks")
    await tools.close()

    assert listed.get("data", {}).get("tasks", []) == []
    assert "Bob" not in str(listed)
