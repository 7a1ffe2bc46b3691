"""Sessions: learners come back, study side by side, bring a state of their own and leave in the middle."""

import asyncio
from typing import Any

import pytest

from agents.state import SessionState
from tests.support.talk import Learner, Meet


async def test_a_returning_learner_is_recognised_in_a_new_session(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    for _ in range(2):
        await ada.finish_quiz(right=True)
    later = await meet(session_id="s2")
    heard = await later.say("hello")
    state = await later.state()
    assert "Welcome back" in heard.text
    assert "topic" in heard.text
    assert state.learning_path
    assert state.next_topic == state.learning_path[0]
    assert "topic" not in state.learning_path


async def test_a_goal_outlives_its_session(meet: Meet) -> None:
    ada = await meet()
    await ada.say("my goal is to understand loop closure")
    path = (await ada.state()).learning_path
    later = await meet(session_id="s2")
    await later.say("hello")
    state = await later.state()
    assert "loop closure" in state.goals[0]
    assert state.learning_path == path


async def test_two_learners_do_not_meet(meet: Meet) -> None:
    ada, bob = await meet(), await meet(user_id="bob", session_id="s2")
    await ada.say("teach me ROS 2 topics")
    await bob.say("teach me URDF")
    await ada.answer(right=True)
    await bob.answer(right=False)
    assert [row.is_correct for row in await ada.evidence()] == [True]
    assert [row.is_correct for row in await bob.evidence()] == [False]
    assert (await ada.state()).current_topic != (await bob.state()).current_topic


async def test_unknown_keys_of_a_client_are_kept(meet: Meet) -> None:
    ada = await meet({"client_key": {"theirs": 1}})
    await ada.say("hello")
    session = await ada.sessions.get_session(app_name="agents", user_id="ada", session_id="s1")
    assert session is not None
    assert session.state["client_key"] == {"theirs": 1}


@pytest.mark.parametrize(
    "broken",
    [
        {"mastery_threshold": 7},
        {"learning_phase": 7},
        {"last_response": "x"},
        {"last_response": {"turn_number": "many", "citations": 3, "reasoning_trace": []}},
        {"quiz_questions": [{"question_text": "1+1?"}], "learning_phase": "quiz"},
        {"learning_phase": "quiz", "quiz_question_index": 99},
        {"learning_phase": "feedback"},
        {"learning_phase": "explain", "current_topic": "nothing that the course has"},
        {"task_references": {"one": 1}},
        {"task_references": {"1": "5", "2": True}, "referenced_at": "2026-03-02", "task_spoken_of": "it"},
        {
            "agent_context": {"confidence_history": [7.0]},
            "pending_task": {"waiting_for": "answer", "tool_name": "x"},
        },
        {"diagnostic_responses": "all right", "open_cycle_id": "x", "topic_place": 3, "choices": {}},
    ],
    ids=",".join,
)
async def test_a_broken_state_is_healed_and_the_turn_goes_on(meet: Meet, broken: dict[str, Any]) -> None:
    ada = await meet({**broken, "client_key": {"theirs": 1}})
    assert (await ada.response_to("hello")).status == "success"
    assert (await ada.response_to("start over")).status == "success"
    await ada.say("teach me ROS 2 topics")
    await ada.answer(right=True)
    session = await ada.sessions.get_session(app_name="agents", user_id="ada", session_id="s1")
    assert session is not None
    assert SessionState.healing(session.state) == {}
    assert session.state["client_key"] == {"theirs": 1}
    assert len(await ada.evidence()) == 1


async def test_start_over_leaves_a_quiz_that_is_open(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    await ada.say("start over")
    assert (await ada.state()).pending_question is None
    assert all(cycle.completed_at for cycle in await ada.services.learners.cycles("ada"))


async def test_answers_sent_at_once_are_graded_in_turn(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    await asyncio.gather(*(ada.say(text) for text in ("I don't know", "no idea", "dunno")))
    state = await ada.state()
    assert len(await ada.evidence()) == 3
    assert state.quiz_question_index == 3


async def test_somebody_who_leaves_in_the_middle_of_a_turn_leaves_nothing_behind(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that disconnects cancels its turn; the session is free for the next one."""
    has_begun = asyncio.Event()

    async def never_comes_back(course: str) -> None:
        has_begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(ada.services, "syllabus", never_comes_back)
    turn = asyncio.create_task(ada.say("teach me ROS 2 topics"))
    await has_begun.wait()
    monkeypatch.undo()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert (await ada.say("hello")).text
    assert not ada.services.turns.under_way
