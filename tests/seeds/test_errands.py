"""The flows and examples of the first document, as one visit: a list of to-dos over many turns and a restart."""

from datetime import UTC, datetime

import pytest

from agents.conversation import agent_session_of
from storage.tasks import Tasks
from tests.support.stories import Story, play

GONE = "I couldn't find task 1. It may have been deleted. Try 'show my tasks' to see what's current."
MEETINGS = ("prepare the meeting", "book a room for the meeting")


async def errands(story: Story) -> None:
    for title in ("buy groceries", "call John", "review docs"):
        await story.say(f"remind me to {title}")
    await story.say("show my tasks")
    story.found["after the list"] = story.turns[-1]
    await story.restart()
    await story.say("complete task 2")
    await story.say("what is a node?")
    learner = story.learner
    turns = await learner.services.sessions.turns("ada", session_id="s1")
    story.found["session"] = agent_session_of(turns, system="Be kind.", max_history=20)
    # Another program deletes what was the first of the list.
    table = Tasks(learner.services.database)
    await table.delete(1, user_id="ada", now=datetime.now(UTC))
    await story.say("update task 1")
    await story.say("never mind")
    await story.say("delete task 1")
    for title in MEETINGS:
        await story.say(f"remind me to {title}")
    await story.say("show my tasks")
    story.found["after the second list"] = story.turns[-1]
    await story.say("update the meeting task")
    await story.say("the first one")
    await story.say("to prepare the big meeting")
    story.found["tasks"] = await table.list("ada", now=datetime.now(UTC))
    await story.say("remind me to buy milk")
    await story.say("delete all my tasks")
    await story.say("no")
    await story.say("delete everything")
    await story.say("no")
    await story.say("show my tasks")
    await story.say("reset")
    await story.say("complete task 1")
    # A conversation of its own.
    await learner.sessions.create_session(app_name="agents", user_id="ada", session_id="s2")
    learner.session_id = "s2"
    await story.say("complete task 2")
    story.found["in another session"] = story.turns[-1]
    story.found["left"] = await table.list("ada", now=datetime.now(UTC), status="pending")


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return play(tmp_path_factory.mktemp("errands"), errands)


def test_a_reminder_becomes_a_pending_task_and_is_confirmed(story: Story) -> None:
    told = story["remind me to buy groceries"]
    response = told.response
    assert response.reasoning_trace.intent == "create"
    [call] = response.tool_calls
    assert (call.tool_name, call.parameters) == ("add_task", {"title": "buy groceries"})
    assert call.error is None
    assert call.result is not None
    answered = call.result["structuredContent"]
    task = answered["data"]
    assert answered["success"] is True
    assert (task["id"], task["title"], task["description"], task["status"]) == (
        1,
        "buy groceries",
        None,
        "pending",
    )
    assert (response.status, response.session_id) == ("success", "s1")
    assert response.answer == told.text
    assert "buy groceries" in response.answer


def test_positions_of_the_list_are_kept_with_the_session(story: Story) -> None:
    told = story.found["after the list"]
    lines = told.text.splitlines()[1:]
    assert lines == ["1. buy groceries", "2. call John", "3. review docs"]
    assert told.state["task_references"] == {"1": 1, "2": 2, "3": 3}
    assert datetime.fromisoformat(told.state["referenced_at"]).tzinfo is not None
    assert abs(datetime.fromisoformat(told.state["referenced_at"]) - told.response.timestamp).seconds < 60
    assert (told.state["last_tool_used"], told.state["last_tool_parameters"]) == (
        "list_tasks",
        {"status": "pending"},
    )
    assert told.state["agent_context"]["application_domain"] == "task_management"


def test_the_next_list_takes_the_place_of_the_last(story: Story) -> None:
    second = story.found["after the second list"]
    assert second.state["task_references"] == {"1": 3, "2": 4, "3": 5}
    assert second.state["referenced_at"] > story.found["after the list"].state["referenced_at"]


def test_a_position_is_understood_after_a_restart(story: Story) -> None:
    told = next(turn for turn in story.turns if turn.said == "complete task 2")
    assert [(call.tool_name, call.parameters) for call in told.response.tool_calls] == [
        ("complete_task", {"task_id": 2})
    ]
    assert "call John" in told.text
    assert [task.status for task in story.found["tasks"] if task.id == 2] == ["completed"]


def test_the_last_call_is_remembered_while_something_else_is_spoken_of(story: Story) -> None:
    state = story["what is a node?"].state
    assert (state["last_tool_used"], state["last_tool_parameters"]) == ("complete_task", {"task_id": 2})
    assert state["task_references"] == {"1": 1, "2": 2, "3": 3}


def test_the_conversation_is_kept_with_its_calls(story: Story) -> None:
    history = story.found["session"].conversation_history
    called = [message.function_call.name for message in history if message.function_call]
    answered = [message for message in history if message.function_response]
    assert called == [*["add_task"] * 3, "list_tasks", "complete_task", "retrieve_context"][-len(called) :]
    assert {"list_tasks", "complete_task", "retrieve_context"} <= set(called)
    assert len(answered) == len(called)
    assert history[-1].content == story["what is a node?"].response.answer


def test_positions_belong_to_their_session(story: Story) -> None:
    told = story.found["in another session"]
    assert "complete_task" not in [call.tool_name for call in told.response.tool_calls]
    assert told.state["task_references"] == {}


def test_after_a_reset_positions_mean_nothing(story: Story) -> None:
    told = story["complete task 1"]
    assert "complete_task" not in [call.tool_name for call in told.response.tool_calls]
    assert story["reset"].state["task_references"] == {}


def test_an_update_of_a_task_that_is_gone_is_told_in_the_documents_words(story: Story) -> None:
    told = story["update task 1"]
    assert GONE in told.text
    assert (told.response.status, told.response.error) == ("error", "NOT_FOUND")


def test_a_delete_of_a_task_that_is_gone_is_told_in_the_documents_words(story: Story) -> None:
    told = story["delete task 1"]
    assert GONE in told.text
    assert (told.response.status, told.response.error) == ("error", "NOT_FOUND")


def test_several_that_fit_are_options(story: Story) -> None:
    response = story["update the meeting task"].response
    assert response.status == "clarification_needed"
    assert response.reasoning_trace.intent == "update"
    assert response.clarification is not None
    assert response.clarification.options == MEETINGS
    assert all(title in response.answer for title in MEETINGS)


def test_what_is_said_to_what_shall_i_change_changes_it(story: Story) -> None:
    told = story["to prepare the big meeting"]
    [call] = [each for each in told.response.tool_calls if each.tool_name == "update_task"]
    assert call.parameters["task_id"] == 4
    assert "big" in next(task.title for task in story.found["tasks"] if task.id == 4)


def test_a_call_is_dated_before_what_it_did(story: Story) -> None:
    told = next(turn for turn in story.turns if turn.said == "complete task 2")
    [call] = told.response.tool_calls
    assert call.result is not None
    assert call.invoked_at <= datetime.fromisoformat(call.result["structuredContent"]["data"]["completed_at"])


def test_the_trace_says_what_the_message_named(story: Story) -> None:
    trace = story["remind me to buy groceries"].response.model_dump()["reasoning_trace"]
    assert trace["entities"]["title"] == "buy groceries"


def test_the_trace_says_with_what_the_tool_was_called(story: Story) -> None:
    trace = story["remind me to buy groceries"].response.model_dump()["reasoning_trace"]
    assert trace["tool_choice"]["parameters"]["title"] == "buy groceries"


def test_all_my_tasks_are_those_that_are_there_now(story: Story) -> None:
    told = story["delete all my tasks"]
    assert told.response.status == "confirmation_required"
    assert "buy milk" in told.text


def test_delete_everything_is_asked_about(story: Story) -> None:
    told = story["delete everything"]
    assert told.response.status in ("clarification_needed", "confirmation_required")
    assert "milk" in str(story.found["left"])
