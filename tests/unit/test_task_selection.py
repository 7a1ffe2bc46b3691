"""From an intent to a tool call."""

from datetime import UTC, datetime
from typing import Any

import pytest

from agents.task_manager.intents import select_tool, understand
from agents.task_manager.reading import IntentResult, ToolSelectionResult
from tasks_tools.references import KnownTask

NOW = datetime(2026, 3, 4, 10, 30, tzinfo=UTC)
METADATA: dict[str, Any] = {
    "task_references": {"1": 42, "2": 43, "3": 44},
    "last_tool_parameters": {"task_id": 43},
}
TASKS = [
    KnownTask(id=42, title="Team meeting"),
    KnownTask(id=43, title="Client meeting"),
    KnownTask(id=44, title="Review docs", done=True),
]


def select(
    message: str, *, metadata: dict[str, Any] | None = None, tasks: list[KnownTask] | None = None
) -> ToolSelectionResult:
    shown = METADATA if metadata is None else metadata
    return select_tool(understand(message, listed=bool(shown)), metadata=shown, now=NOW, tasks=tasks)


def test_a_new_task_becomes_one_call() -> None:
    selected = select("remind me to buy groceries tomorrow at 5")

    assert selected.tool_name == "add_task"
    assert selected.calls == ({"title": "buy groceries", "due_at": "2026-03-05T17:00:00+00:00"},)
    assert not selected.requires_confirmation


@pytest.mark.parametrize(
    "message", ["add read the letter of 3 March 1917", "remind me to write about 5 May 2020"]
)
def test_a_date_that_is_over_stays_in_the_title(message: str) -> None:
    selected = select(message)

    assert "due_at" not in selected.parameters
    assert selected.parameters["title"].endswith(message.rsplit(maxsplit=1)[-1])


def test_a_list_asks_for_the_open_tasks_unless_told_otherwise() -> None:
    assert select("show my tasks").calls == ({"status": "pending"},)
    assert select("show completed tasks").calls == ({"status": "completed"},)


def test_positions_become_ids_one_call_each() -> None:
    selected = select("complete 1 and 3")

    assert selected.tool_name == "complete_task"
    assert selected.calls == ({"task_id": 42}, {"task_id": 44})


def test_a_change_carries_its_task_and_what_is_new() -> None:
    assert select("rename task 2 to Call Ann").calls == ({"task_id": 43, "title": "Call Ann"},)
    assert select("move it to next Friday").calls == ({"task_id": 43, "due_at": "2026-03-13T23:59:00+00:00"},)
    assert select("remove the due date from task 1").calls == ({"task_id": 42, "clear_due_at": True},)


def test_deleting_asks_first() -> None:
    assert select("delete task 2").requires_confirmation
    assert not select("complete task 2").requires_confirmation


def test_all_are_those_that_there_are_now_whatever_a_list_has_shown() -> None:
    """Completing all is about the open ones; what touches every task asks first."""
    now = [*TASKS, KnownTask(id=45, title="Added since", due_at=NOW)]
    assert select("delete all my tasks").problem == select("mark all of them as done").problem == "see_tasks"
    for message, ids in {
        "delete all my tasks": (42, 43, 44, 45),
        "mark all my tasks as done": (42, 43, 45),
        "delete all overdue tasks": (),
        "delete all my completed tasks": (44,),
        "delete all open tasks": (42, 43, 45),
        "delete all tasks due today": (45,),
    }.items():
        selected = select(message, tasks=now)
        assert (message, selected.task_ids) == (message, ids)
        assert selected.requires_confirmation
        assert selected.problem == (None if ids else "none_there")


@pytest.mark.parametrize(
    ("view", "ids"),
    [
        ({"status": "pending"}, (42, 43, 45)),
        ({"status": "completed"}, (44,)),
        ({"status": "pending", "due": "today"}, (45,)),
        (None, (42, 43, 44, 45)),
    ],
)
def test_all_of_them_are_those_that_the_last_list_would_show_now(view: Any, ids: tuple[int, ...]) -> None:
    now = [*TASKS, KnownTask(id=45, title="Added since", due_at=NOW)]
    selected = select("delete all of them", metadata={**METADATA, "task_view": view}, tasks=now)
    assert selected.task_ids == ids


def test_words_of_a_title_need_the_tasks() -> None:
    assert select("update the client meeting").problem == "see_tasks"
    assert select("complete the client meeting", tasks=TASKS).calls == ({"task_id": 43},)


def test_several_that_fit_are_options_and_no_call() -> None:
    selected = select("update the meeting task", tasks=TASKS)

    assert (selected.problem, selected.options, selected.calls) == ("which_one", (42, 43), ())


@pytest.mark.parametrize("metadata", [METADATA, {}])
def test_a_position_that_was_not_shown_is_not_found(metadata: dict[str, Any]) -> None:
    selected = select("complete task 9", metadata=metadata, tasks=TASKS)

    assert (selected.problem, selected.missing, selected.calls) == ("not_found", (9,), ())


def test_one_wrong_position_among_right_ones_stops_all() -> None:
    selected = select("delete 2 and 9")

    assert (selected.missing, selected.calls) == ((9,), ())


def test_the_done_ones_can_be_named_together() -> None:
    assert select("delete the completed tasks", metadata={}, tasks=TASKS).task_ids == (44,)


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("add a task", "no_title"),
        ("complete a task", "no_task"),
        ("edit the second one", "no_change"),
        ("set the due date of task 2 to whenever", "no_date"),
        ("complete the dentist", "not_found"),
    ],
)
def test_what_is_missing_is_named(message: str, problem: str) -> None:
    selected = select(message, tasks=TASKS)

    assert (selected.problem, selected.calls) == (problem, ())


def test_a_low_confidence_asks_instead_of_guessing() -> None:
    hint = IntentResult(intent="delete", confidence=0.4, entities=understand("delete task 2").entities)

    selected = select_tool(hint, metadata=METADATA, now=NOW)

    assert (selected.problem, selected.calls) == ("unsure", ())


def test_what_is_no_task_command_has_no_tool() -> None:
    assert select("what is a node?").tool_name is None


def test_other_tools_are_told_with_their_confidence() -> None:
    alternatives = dict(select("add a note to task 2: he prefers mornings").alternatives)

    assert "add_task" in alternatives


def test_it_without_a_task_that_was_spoken_of_is_asked_for() -> None:
    shown = {"task_references": {"1": 42, "2": 43, "3": 44}, "last_tool_parameters": {"status": "pending"}}

    assert select("delete it", metadata=shown).problem == "no_task"
    assert select("complete both", metadata=shown, tasks=TASKS).problem == "no_task"
