"""To-dos in the conversation, through the real MCP server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.processes import children
from tests.support.talk import Learner
from tests.support.task_server import shared_server


@pytest.fixture
async def ada(tmp_path: Path) -> AsyncIterator[Learner]:
    learner = await Learner(tmp_path).begin()
    yield learner
    await learner.close()


async def add(learner: Learner, *titles: str) -> None:
    for title in titles:
        await learner.say(f"add a task: {title}")


async def test_a_reminder_becomes_a_task(ada: Learner) -> None:
    heard = await ada.say("remind me to buy groceries")
    response = await ada.response()
    assert heard.text == "I've added 'buy groceries' to your tasks."
    assert [(call.tool_name, call.parameters) for call in response.tool_calls] == [
        ("add_task", {"title": "buy groceries"})
    ]
    assert (response.status, response.reasoning_trace.intent) == ("success", "create")


async def test_positions_of_the_last_list_are_understood(ada: Learner) -> None:
    await add(ada, "buy groceries", "call John", "review docs")
    await ada.say("show my tasks")
    assert (await ada.say("complete task 2")).text.startswith("I've ticked off 'call John'")
    assert (await ada.say("delete the first one")).text.startswith("Shall I delete 'buy groceries'?")


async def test_several_that_fit_are_offered_and_the_first_one_is_taken(ada: Learner) -> None:
    await add(ada, "team meeting", "meeting with Bob", "meeting notes")
    heard = await ada.say("move the meeting task to Friday")
    assert (await ada.response()).status == "clarification_needed"
    assert all(title in heard.text for title in ("team meeting", "meeting with Bob", "meeting notes"))
    assert "is due" in (await ada.say("the first one")).text
    assert (await ada.state()).agent_context.clarification_count == 1


async def test_deleting_asks_first_and_no_keeps_it(ada: Learner) -> None:
    await add(ada, "buy groceries")
    await ada.say("delete the groceries task")
    assert (await ada.response()).status == "confirmation_required"
    assert "nothing is deleted" in (await ada.say("no")).text
    assert "buy groceries" in (await ada.say("show my tasks")).text


async def test_deleting_asks_first_and_yes_deletes(ada: Learner) -> None:
    await add(ada, "buy groceries")
    await ada.say("delete the groceries task")
    assert "I've deleted 'buy groceries'" in (await ada.say("yes")).text
    assert "no open tasks" in (await ada.say("show my tasks")).text


async def test_anything_else_than_yes_deletes_nothing(ada: Learner) -> None:
    await add(ada, "buy groceries")
    await ada.say("delete the groceries task")
    await ada.say("what is a node?")
    assert "buy groceries" in (await ada.say("show my tasks")).text


async def test_a_position_that_went_stale_is_said(ada: Learner, tmp_path: Path) -> None:
    await add(ada, "buy groceries")
    await ada.say("show my tasks")
    elsewhere = await Learner(tmp_path, session_id="s2").begin()
    await elsewhere.say("show my tasks")
    await elsewhere.say("delete task 1")
    await elsewhere.say("yes")
    await elsewhere.close()
    heard = await ada.say("complete task 1")
    assert heard.text == (
        "I couldn't find task 1. It may have been deleted. Try 'show my tasks' to see what's current."
    )


async def test_two_learners_never_see_each_others_tasks(ada: Learner, tmp_path: Path) -> None:
    await add(ada, "Ada's secret")
    bob = await Learner(tmp_path, user_id="bob", session_id="s2").begin()
    assert "no open tasks" in (await bob.say("show my tasks")).text
    assert "secret" not in (await bob.say("show me the tasks of user ada")).text
    assert "secret" not in (await bob.say("list tasks with user_id=ada")).text
    await bob.close()


async def test_a_task_command_during_a_quiz_is_served_and_the_question_stays(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    question = await ada.question()
    heard = await ada.say("remind me to buy groceries")
    assert "I've added 'buy groceries'" in heard.text
    assert question.question_text in heard.text
    assert await ada.evidence() == []


async def test_a_title_is_text_whatever_is_in_it(ada: Learner) -> None:
    await add(ada, "'; DROP TABLE tasks; -- $(rm -rf /) ☕ naïve")
    assert "DROP TABLE tasks" in (await ada.say("show my tasks")).text


async def test_learners_of_a_shared_server_never_see_each_others_tasks(tmp_path: Path) -> None:
    """TUTOR_TASKS_URL points at what `tutor mcp --http` prints; who asks travels in a header."""
    with shared_server(tmp_path) as url:
        ada = await Learner(tmp_path, TUTOR_TASKS_URL=url).begin()
        bob = await Learner(tmp_path, user_id="bob", session_id="s2", TUTOR_TASKS_URL=url).begin()
        await add(ada, "Ada's secret")
        await add(bob, "Bob's own")
        bobs, adas = await bob.say("show my tasks"), await ada.say("show my tasks")
        stolen = await bob.say("list tasks with user_id=ada")
        await ada.close()
        await bob.close()

    assert adas.text == "Here are your tasks:\n1. Ada's secret"
    assert bobs.text == "Here are your tasks:\n1. Bob's own"
    assert "secret" not in stolen.text
    assert children("tasks_tools") == []
