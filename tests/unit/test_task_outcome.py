"""What is said of tool calls that worked, failed, or never came back."""

from datetime import UTC, datetime
from typing import Any

import pytest

from agents.state import SessionState, TaskTool
from agents.task_manager.conversation import UNREACHABLE, Command, TaskConversation, TaskOutcome, Work
from agents.task_manager.intents import understand
from agents.task_manager.reading import ToolSelectionResult

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
STATE = SessionState(task_references={"1": 42, "2": 43}, referenced_at=NOW)
LOST = {"success": False, "error": {"code": UNREACHABLE, "message": "x"}}


def done(task_id: int, title: str) -> dict[str, Any]:
    return {"success": True, "data": {"id": task_id, "title": title, "status": "completed", "due_at": None}}


def failed(code: str) -> dict[str, Any]:
    return {"success": False, "error": {"code": code, "message": "A title has at most 255 characters."}}


def finished(message: str, tool: TaskTool, *ids: int, results: list[dict[str, Any]]) -> TaskOutcome:
    selection = ToolSelectionResult(
        tool_name=tool,
        confidence=0.9,
        parameters={"status": "pending"} if tool == "list_tasks" else {},
        task_ids=ids,
    )
    work = Work(commands=(Command(intent=understand(message), selection=selection),))
    said = TaskConversation(state=STATE, now=NOW).go_on(work, results)
    assert isinstance(said, TaskOutcome)
    return said


def test_a_call_that_failed_beside_one_that_worked_is_said_with_it() -> None:
    said = finished(
        "complete 1 and 2",
        "complete_task",
        42,
        43,
        results=[failed("NOT_FOUND"), done(43, "b")],
    )

    assert said.reply.text.startswith("Great! I've marked 'b' as completed ✓ I couldn't find task 1.")
    assert said.reply.status == "error"
    assert said.changes["task_spoken_of"] == 43


@pytest.mark.parametrize(
    ("tool", "result", "words"),
    [
        ("complete_task", LOST, "I can't say whether that was done"),
        ("complete_task", {}, "I can't say whether that was done"),
        ("complete_task", {"error": "Connection closed"}, "I can't say whether that was done"),
        ("list_tasks", LOST, "Nothing was changed"),
        ("complete_task", failed("STORAGE_ERROR"), "Nothing was changed"),
        ("complete_task", failed("UNAUTHENTICATED"), "Nothing was changed"),
        ("complete_task", failed("NOT_FOUND"), "I couldn't find task 1."),
        ("add_task", failed("INVALID_INPUT"), "A title has at most 255 characters."),
    ],
)
def test_nothing_is_claimed_that_is_not_known(tool: TaskTool, result: dict[str, Any], words: str) -> None:
    said = finished("complete task 1", tool, 42, results=[result])

    assert words in said.reply.text
    assert said.reply.status == "error"
