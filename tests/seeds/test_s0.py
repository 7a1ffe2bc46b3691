"""Seed S0, task orchestration: tasks only over MCP, what a turn's record tells of its tools, and forgetting."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from agents.state import AgentContext, ConversationMetadata, SessionState
from storage.tasks import StudyTasks, Tasks
from tests.support.talk import Learner, Meet
from tests.support.task_server import TOKEN, shared_server
from tests.support.times import all_in_utc


def audit(folder: Path) -> list[str]:
    """What the task server wrote down: a line a call."""
    lines = (folder / "data" / "tasks.log").read_text().splitlines()
    assert all_in_utc([line.split()[0] for line in lines]) == {""}
    return [line[line.index("tool=") : line.index(" ms=")] for line in lines if "tool=" in line]


async def fail_two_cycles(learner: Learner) -> None:
    await learner.say("teach me ROS 2 topics")
    await learner.finish_quiz(right=False)
    await learner.finish_quiz(right=False)


@pytest.mark.parametrize("is_shared", [False, True])
async def test_s0_study_tasks_go_over_mcp_with_their_user_in_the_audit_log(
    tmp_path: Path, meet: Meet, monkeypatch: pytest.MonkeyPatch, is_shared: bool
) -> None:
    async def refused(*_: object, **options: object) -> None:
        raise AssertionError("this process writes tasks by itself")

    monkeypatch.setattr(Tasks, "add", refused)
    monkeypatch.setattr(Tasks, "complete", refused)
    (tmp_path / "data").mkdir()
    if not is_shared:
        await _makes_and_settles(await meet(TUTOR_MAX_CYCLES="2"), tmp_path)
        return
    with shared_server(tmp_path) as url:
        ada = await meet(TUTOR_MAX_CYCLES="2", TUTOR_TASKS_URL=url, TUTOR_TASKS_TOKEN=TOKEN)
        await _makes_and_settles(ada, tmp_path)


async def _makes_and_settles(ada: Learner, folder: Path) -> None:
    await fail_two_cycles(ada)
    [made] = await StudyTasks(ada.services.database).of("ada")
    assert f"tool=add_task user=ada by=tutor task={made.task_id} code=OK" in audit(folder)
    calls = (await ada.response()).tool_calls
    assert [(call.tool_name, call.error) for call in calls] == [("add_task", None)]
    assert "origin" not in calls[0].parameters
    for _ in range(6):
        await ada.say("teach me ROS 2 topics")
        while (await ada.state()).learning_phase == "quiz":
            await ada.finish_quiz(right=True)
        [task] = await StudyTasks(ada.services.database).of("ada")
        if task.closed_at:
            break
    assert task.outcome == "settled"
    assert f"tool=complete_task user=ada by=tutor task={made.task_id} code=OK" in audit(folder)


async def test_s0_look_ups_are_in_the_audit_log_too(ada: Learner, tmp_path: Path) -> None:
    await ada.say("remind me to buy bread")
    await ada.say("delete the bread one")
    assert [line.split()[:2] for line in audit(tmp_path)] == [
        ["tool=add_task", "user=ada"],
        ["tool=list_tasks", "user=ada"],
    ]


async def test_s0_what_was_called_last_is_what_is_remembered(ada: Learner) -> None:
    await ada.say("remind me to buy bread")
    state = await ada.state()
    assert (state.last_tool_used, state.last_tool_parameters) == ("add_task", {"title": "buy bread"})
    await ada.say("delete the bread one")
    state = await ada.state()
    assert (state.last_tool_used, state.last_tool_parameters) == ("list_tasks", {"status": "all"})
    await ada.say("no")
    await ada.say("rename it to buy rolls")  # 'it' is still the bread
    assert (await ada.state()).last_tool_used == "update_task"


async def test_s0_a_failed_tool_is_named_in_its_call_and_in_the_response(ada: Learner) -> None:
    await ada.say("remind me to buy bread")
    await ada.say("show my tasks")
    await ada.services.task_tools.close()
    [task] = await Tasks(ada.services.database).list("ada", now=datetime.now(UTC))
    await Tasks(ada.services.database).delete(task.id, user_id="ada", now=datetime.now(UTC))
    await ada.say("complete task 1")
    response = await ada.response()
    [call] = response.tool_calls
    assert call.error is not None
    assert call.error.startswith("NOT_FOUND")
    assert (response.status, response.error) == ("error", "NOT_FOUND")


async def test_s0_a_call_is_stamped_before_it_is_made_and_all_its_times_are_utc(ada: Learner) -> None:
    for title in ("buy bread", "buy milk", "call mum"):
        await ada.say(f"remind me to {title}")
    ada.services.zone = timezone(timedelta(hours=9))  # the learner is in Tokyo
    await ada.say("move the bread one to tomorrow")
    assert "due_at" in all_in_utc((await ada.response()).tool_calls[-1].parameters)
    await ada.say("show my tasks")
    await ada.say("complete 1, 2 and 3")
    response = (await ada.response()).model_dump(mode="json")
    calls = response["tool_calls"]
    assert [call["parameters"] for call in calls] == [{"task_id": number} for number in (1, 2, 3)]
    moments = [datetime.fromisoformat(call["invoked_at"]) for call in calls]
    assert moments == sorted(moments)
    for call, invoked_at in zip(calls, moments, strict=True):
        done = call["result"]["structuredContent"]["data"]
        assert invoked_at <= datetime.fromisoformat(done["completed_at"])
    assert all_in_utc(response) == {"timestamp", "invoked_at", "created_at", "completed_at", "due_at"}
    session = await ada.sessions.get_session(app_name="agents", user_id="ada", session_id="s1")
    assert session is not None
    assert "referenced_at" in all_in_utc(session.state)


@pytest.mark.parametrize(
    "broken",
    [
        {"task_references": {"1": "5"}},
        {"task_references": {"1": True}},
        {"task_references": {"1": 1.0}},
        {"task_references": {"1": None}},
        {"task_references": {"٣": 5}},
        {"task_references": {"01": 5}},
        {"task_references": {"0": 5}},
        {"task_references": {"-1": 5}},
        {"task_references": {"one": 5}},
        {"task_references": {"1" * 5000: 5}},
        {"task_references": {"1": 5}, "referenced_at": None},
        {"task_references": {"1": 5}, "referenced_at": "2026-03-02T09:00:00"},
        {"agent_context": {"confidence_history": [7.0]}},
        {"agent_context": {"confidence_history": [-0.1]}},
        {"agent_context": {"confidence_history": ["0.9"]}},
        {"agent_context": {"confidence_history": [True]}},
        {"agent_context": {"confidence_history": [0.1, 0.2, 0.3, 0.4]}},
        {"agent_context": {"clarification_count": -1}},
        {"agent_context": {"clarification_count": True}},
    ],
    ids=str,
)
def test_s0_conversation_metadata_takes_only_what_the_documents_allow(broken: dict[str, Any]) -> None:
    """At the model, so that no path can make another; in a client's session it is healed, and the rest stays."""
    metadata = {"referenced_at": "2026-01-23T10:30:00Z", "last_tool_used": "list_tasks", **broken}
    with pytest.raises(ValidationError):
        ConversationMetadata.model_validate(metadata)
    healed = SessionState.of(metadata)
    assert (healed.task_references, healed.agent_context) == ({}, AgentContext())
    assert healed.last_tool_used == "list_tasks"


def test_s0_the_documents_own_metadata_is_taken_as_it_stands() -> None:
    documents = {
        "task_references": {"1": 42, "2": 43, "3": 44},
        "referenced_at": "2026-01-23T10:30:00Z",
        "last_tool_used": "list_tasks",
        "last_tool_parameters": {"status": "pending"},
        "agent_context": {
            "application_domain": "task_management",
            "confidence_history": [0.92, 0.85, 0.78],
            "clarification_count": 0,
        },
    }
    for model in (ConversationMetadata, SessionState):
        kept = model.model_validate(documents).model_dump(mode="json")
        assert {name: kept[name] for name in documents} == documents


async def test_s0_a_clarification_carries_its_question_and_options_as_data(ada: Learner) -> None:
    for title in ("prepare the meeting", "book a room for the meeting"):
        await ada.say(f"remind me to {title}")
    await ada.say("complete the meeting one")
    response = await ada.response()
    assert response.status == "clarification_needed"
    assert response.clarification is not None
    assert response.clarification.question.endswith("?")
    assert response.clarification.options == ("prepare the meeting", "book a room for the meeting")
    await ada.say("the first one")
    assert (await ada.response()).clarification is None
    await ada.say("I'm lost")
    lost = (await ada.response()).clarification
    assert lost is not None
    assert len(lost.options) == 3


async def test_s0_retention_deletes_the_conversation_everywhere_and_daily(meet: Meet) -> None:
    old = await meet()
    await old.say("hello")
    ada = await meet(session_id="s2")
    await ada.say("what is a node?")
    assert len(await ada.services.sessions.turns("ada")) == 2
    ada.services.now = lambda: datetime.now(UTC) + timedelta(days=31)
    await ada.say("what is a topic?")  # no restart in between
    assert [turn.session_id for turn in await ada.services.sessions.turns("ada")] == ["s2"]
    assert await ada.services.sessions.transitions("s1") == []
    assert await ada.sessions.get_session(app_name="agents", user_id="ada", session_id="s1") is None
    kept = await ada.sessions.get_session(app_name="agents", user_id="ada", session_id="s2")
    assert kept is not None
    said = [
        part.text for event in kept.events for part in (event.content.parts if event.content else None) or []
    ]
    assert "what is a topic?" in said
    assert "what is a node?" not in said
