"""The task server dies, hangs or is not there: a clear sentence in time, and the next command works."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext

from agents.task_manager.toolset import Connection
from tests.support.processes import bytes_read, children, living, until
from tests.support.talk import Heard, Learner

PROJECT = Path(__file__).parents[2]
UNREACHABLE = "I can't reach your task list right now. Nothing was changed; please try again in a moment."
UNCERTAIN = "Your task list didn't answer, so I can't say whether that was done. Say 'show my tasks' to see."
SHORT = 1.0
# Far more than the short timeout on a busy machine, far less than the default one.
IN_TIME = 15.0

# `adk run` says of every app that its own credential service is experimental.
ADKS_OWN_REMARKS = ",".join(
    f"ignore::UserWarning:google.adk.{module}"
    for module in ("cli.cli", "auth.credential_service.in_memory_credential_service")
)

NEVER_ANSWERS = "import sys; sys.stdin.read()"
# Introduces itself and its tools, and never answers a call.
ANSWERS_NO_CALL = """
import json, os, sys
answers = {
    "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                   "serverInfo": {"name": "hangs", "version": "1"}},
    "tools/list": {"tools": json.loads(os.environ["TOOLS"])},
}
for line in sys.stdin:
    request = json.loads(line)
    if request.get("method") in answers:
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": answers[request["method"]]}
        print(json.dumps(answer), flush=True)
"""


@pytest.fixture
async def ada(tmp_path: Path) -> AsyncIterator[Learner]:
    learner = await Learner(tmp_path).begin()
    yield learner
    await learner.close()
    assert children("tasks_tools") == []


class Gate(BasePlugin):
    """Holds the database when a tool is about to be called, so that no answer can come before we let it."""

    def __init__(self, database: Path) -> None:
        super().__init__(name="gate")
        self._connection = sqlite3.connect(database, isolation_level=None)
        self.reached = asyncio.Event()
        self.read_before = 0

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> None:
        if tool.name == "add_task" and not self.reached.is_set():
            self._connection.execute("BEGIN IMMEDIATE")
            [server] = children("tasks_tools")
            self.read_before = bytes_read(server)
            self.reached.set()

    def open(self) -> None:
        self._connection.close()


async def say_in_time(learner: Learner, text: str) -> Heard:
    async with asyncio.timeout(IN_TIME):
        return await learner.say(text)


def hanging(program: str, **environment: str) -> Connection:
    return Connection(seconds=SHORT, command=(sys.executable, "-c", program), environment=environment)


async def test_a_server_killed_while_it_works_is_said_and_the_next_command_gets_another(
    ada: Learner, tmp_path: Path
) -> None:
    await ada.say("add a task: read chapter 1")
    [server] = children("tasks_tools")
    gate = Gate(tmp_path / "data" / "tutor.db")
    ada.runner.plugin_manager.register_plugin(gate)

    turn = asyncio.create_task(ada.say("add a task: read chapter 2"))
    await gate.reached.wait()
    await until(lambda: bytes_read(server) > gate.read_before)
    os.kill(server, signal.SIGKILL)
    gate.open()
    heard = await turn

    assert heard.text == UNCERTAIN
    assert (await ada.response()).status == "error"
    assert (await ada.say("show my tasks")).text == "Here are your tasks:\n1. read chapter 1"
    assert children("tasks_tools") != [server]


async def test_a_server_killed_between_two_commands_is_not_noticed(ada: Learner) -> None:
    await ada.say("add a task: read chapter 1")
    [server] = children("tasks_tools")
    os.kill(server, signal.SIGKILL)
    await until(lambda: server not in children("tasks_tools"))

    assert (await ada.say("show my tasks")).text == "Here are your tasks:\n1. read chapter 1"


async def test_a_server_that_never_answers_is_said_in_time_and_left(ada: Learner) -> None:
    real = ada.task_tools.connection
    ada.task_tools.connection = hanging(NEVER_ANSWERS)

    assert (await say_in_time(ada, "show my tasks")).text == UNREACHABLE
    assert (await ada.response()).status == "error"
    ada.task_tools.connection = real
    assert "no open tasks" in (await ada.say("show my tasks")).text


async def test_a_question_of_ours_outlives_a_server_that_is_down(ada: Learner) -> None:
    for title in ("team meeting", "meeting notes", "buy milk"):
        await ada.say(f"add a task: {title}")
    for asked, answer, said in (
        ("delete the milk task", "yes", "I've deleted 'buy milk'."),
        ("move the meeting task to Friday", "the first one", "'team meeting' is due "),
        ("delete all my tasks", "yes", "I've deleted 'team meeting' and 'meeting notes'."),
    ):
        await ada.say(asked)
        real = ada.task_tools.connection
        ada.task_tools.connection = replace(real, command=("/nowhere/python", *real.command[1:]))
        ada.task_tools.drop("", cause="the test")
        down = await say_in_time(ada, answer)
        assert down.text == (
            "I can't reach your task list right now. Nothing was changed, and I still wait for your answer: please "
            "say it again in a moment."
        )
        assert ((await ada.response()).status, (await ada.response()).error) == ("error", "UNREACHABLE")
        ada.task_tools.connection = real
        assert (await ada.say(answer)).text.startswith(said)


async def test_a_server_that_hangs_in_a_call_is_said_in_time_and_left(ada: Learner) -> None:
    from tasks_tools.server import TOOLS

    tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in TOOLS]
    real = ada.task_tools.connection
    ada.task_tools.connection = hanging(ANSWERS_NO_CALL, TOOLS=json.dumps(tools))

    assert (await say_in_time(ada, "remind me to buy milk")).text == UNCERTAIN
    assert (await say_in_time(ada, "show my tasks")).text == UNREACHABLE
    ada.task_tools.connection = real
    assert "I've added 'buy milk'" in (await ada.say("remind me to buy milk")).text


async def test_a_server_whose_program_is_gone_is_said_and_works_when_it_is_back(ada: Learner) -> None:
    real = ada.task_tools.connection
    ada.task_tools.connection = replace(real, command=("/nowhere/python", *real.command[1:]))

    assert (await say_in_time(ada, "show my tasks")).text == UNREACHABLE
    assert (await ada.response()).status == "error"
    assert (await ada.say("what is a node?")).authors == ["coordinator"]
    ada.task_tools.connection = real
    assert "no open tasks" in (await ada.say("show my tasks")).text


async def test_a_shared_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    ada = await Learner(tmp_path, TUTOR_TASKS_URL="http://127.0.0.1:9/mcp").begin()
    assert (await say_in_time(ada, "show my tasks")).text == UNREACHABLE
    await ada.close()


async def test_one_server_process_serves_all_commands_and_learners_and_none_is_started_before(
    ada: Learner,
) -> None:
    await ada.say("hello")
    assert children("tasks_tools") == []
    await ada.say("remind me to buy milk")
    [server] = children("tasks_tools")
    for message in ("show my tasks", "complete task 1", "show my tasks"):
        await ada.say(message)

    assert children("tasks_tools") == [server]


def test_a_task_command_in_a_terminal_leaves_no_noise_and_no_process_behind(tmp_path: Path) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-m", "google.adk.cli", "run", "--in_memory", str(PROJECT / "agents")],
        input="remind me to buy milk tomorrow\nexit\n",
        capture_output=True,
        text=True,
        env={
            **kept,
            "PYTHONPATH": str(PROJECT),
            "PYTHONWARNINGS": ADKS_OWN_REMARKS,
            "TUTOR_DATA_DIR": str(tmp_path / "data"),
        },
        cwd=tmp_path,
        check=True,
    )

    assert "I've added 'buy milk' to your tasks, due tomorrow." in done.stdout
    assert done.stderr == ""
    assert living(str(tmp_path)) == []
    with closing(sqlite3.connect(tmp_path / "data" / "tutor.db")) as database:
        assert database.execute("SELECT title FROM tasks").fetchall() == [("buy milk",)]
    assert "tool=add_task user=" in (tmp_path / "data" / "tasks.log").read_text(encoding="utf-8")


async def test_the_task_server_stays_while_another_turn_is_under_way(ada: Learner) -> None:
    """`adk eval` plays several cases at once, each with a Runner that closes the app's tools at its end."""
    await ada.say("add a task: read")
    ada.services.turns.of("a turn of somebody else")
    await ada.runner.close()
    ada.services.turns.close("a turn of somebody else")
    assert ada.task_tools._connected is not None
    await ada.close()
    assert ada.task_tools._connected is None
