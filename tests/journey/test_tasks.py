"""To-dos in the conversation, through the real MCP server."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.processes import children
from tests.support.talk import Learner
from tests.support.task_server import TOKEN, shared_server


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


async def test_a_change_that_was_not_said_is_asked_for_and_it_is_the_task_spoken_of(ada: Learner) -> None:
    await add(ada, "team meeting", "meeting with Bob", "meeting notes")
    assert "I found 3 tasks that fit" in (await ada.say("update the meeting task")).text
    assert (await ada.say("the first one")).text.startswith("What shall I change?")
    renamed = await ada.say("rename it to weekly meeting")
    assert renamed.text == "The task is now called 'weekly meeting'."
    assert (await ada.say("move it to tomorrow")).text == "'weekly meeting' is due tomorrow."


async def test_what_a_command_lacks_is_asked_for_and_taken_from_the_answer(ada: Learner) -> None:
    assert (await ada.say("add a task")).text.startswith("What should the task say?")
    assert (await ada.response()).status == "clarification_needed"
    assert (await ada.say("buy milk tomorrow")).text == "I've added 'buy milk' to your tasks, due tomorrow."
    await ada.say("add a task")
    assert (await ada.say("never mind")).text == "All right, I've left your tasks as they are."
    assert (await ada.say("delete a task")).text.startswith("Which task shall I delete?")
    assert (await ada.say("the milk one")).text.startswith("Shall I delete 'buy milk'?")


async def test_several_are_done_at_once_and_one_that_is_gone_is_said(ada: Learner, tmp_path: Path) -> None:
    await add(ada, "a letter", "b minor", "c sharp", "d day")
    await ada.say("show my tasks")
    assert (await ada.say("complete 1 and 3")).text == "I've ticked off 'a letter' and 'c sharp'."
    elsewhere = await Learner(tmp_path, session_id="s2").begin()
    await elsewhere.say("delete the d day task")
    await elsewhere.say("yes")
    await elsewhere.close()
    heard = await ada.say("complete 2 and 4")
    assert heard.text.startswith(
        "I've ticked off 'b minor'. I couldn't find task 4. It may have been deleted."
    )
    assert (await ada.response()).status == "error"


async def test_several_commands_of_one_message_are_all_done_and_named(ada: Learner) -> None:
    heard = await ada.say("remind me to call mum tomorrow and to buy milk")
    calls = (await ada.response()).tool_calls
    assert [(call.tool_name, call.parameters["title"]) for call in calls] == [("add_task", "call mum"), ("add_task", "buy milk")]  # fmt: skip
    assert "'call mum' to your tasks, due tomorrow" in heard.text
    assert "'buy milk'" in heard.text


async def test_a_delete_among_several_commands_still_asks_first(ada: Learner) -> None:
    await add(ada, "see the dentist", "buy groceries")
    heard = await ada.say("add eggs and bread to my list; also delete the dentist task")
    assert heard.text.startswith(
        "I've added 'eggs and bread' to your tasks. Shall I delete 'see the dentist'?"
    )
    assert (await ada.response()).status == "confirmation_required"
    assert "I've deleted 'see the dentist'" in (await ada.say("yes")).text
    listed = (await ada.say("show my tasks")).text
    assert ("dentist" in listed, "eggs and bread" in listed) == (False, True)


async def test_an_errand_told_in_passing_is_offered_and_added_with_a_yes(ada: Learner) -> None:
    heard = await ada.say("I have to submit the form by tomorrow")
    assert heard.text == "Shall I put 'submit the form' on your list, due tomorrow?"
    response = await ada.response()
    assert (response.status, response.tool_calls) == ("confirmation_required", ())
    pending = (await ada.state()).pending_task
    assert pending is not None
    assert (pending.waiting_for, pending.tool_name) == ("confirmation", "add_task")
    assert (await ada.say("yes")).text == "I've added 'submit the form' to your tasks, due tomorrow."
    assert (await ada.state()).pending_task is None


async def test_an_errand_that_was_offered_is_dropped_with_a_no(ada: Learner) -> None:
    heard = await ada.say("I need to buy a charger and call the bank by Friday")
    assert heard.text == "Shall I put 'buy a charger' and 'call the bank' on your list?"
    assert (await ada.say("no")).text == "All right, I've left your tasks as they are."
    assert "no open tasks" in (await ada.say("show my tasks")).text


async def test_overdue_tasks_are_listed_first(ada: Learner) -> None:
    await ada.say("add a task: some day")
    await ada.say("remind me to call John tomorrow")
    ada.services.now = lambda: datetime.now(UTC) + timedelta(days=3)
    heard = await ada.say("show my tasks")
    assert heard.text.startswith("Here are your tasks, one is overdue:\n1. call John (overdue, was due on ")
    assert heard.text.endswith("\n2. some day")


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (f"add a task: {'x' * 256}", "A task title has at most 255 characters; this one has 256."),
        (
            f"add a task: long with description {'y' * 1001}",
            "A task description has at most 1000 characters; this one has 1001.",
        ),
    ],
)
async def test_what_is_too_long_is_refused_with_its_length(ada: Learner, message: str, said: str) -> None:
    assert (await ada.say(message)).text == said
    assert (await ada.response()).status == "error"


async def test_a_turn_says_what_it_understood_and_which_tool_it_chose(ada: Learner) -> None:
    await add(ada, "call John")
    await ada.say("add a note to the John task: he prefers mornings")
    trace = (await ada.response()).reasoning_trace
    assert (trace.intent, trace.alternatives[0][0]) == ("update", "create")
    assert trace.confidence > trace.alternatives[0][1]
    assert trace.tool_choice is not None
    assert (trace.tool_choice.tool_name, trace.tool_choice.requires_confirmation) == ("update_task", False)
    assert trace.tool_choice.alternatives[0][0] == "add_task"
    await ada.say("delete the John task")
    trace = (await ada.response()).reasoning_trace
    assert trace.tool_choice is not None
    assert (trace.tool_choice.tool_name, trace.tool_choice.requires_confirmation) == ("delete_task", True)


async def test_the_last_three_confidences_and_all_questions_back_are_remembered(ada: Learner) -> None:
    confidences = []
    for message in (
        "add a task: team meeting",
        "add a task: meeting notes",
        "add a task",
        "read",
        "delete the meeting task",
    ):
        await ada.say(message)
        confidences.append((await ada.response()).reasoning_trace.confidence)
    context = (await ada.state()).agent_context
    assert list(context.confidence_history) == confidences[-3:]
    assert (context.application_domain, context.clarification_count) == ("task_management", 2)


async def test_a_yes_after_something_else_was_spoken_of_deletes_nothing(ada: Learner) -> None:
    await add(ada, "buy groceries")
    await ada.say("delete the groceries task")
    await ada.say("what is a node?")
    await ada.say("yes")
    assert "buy groceries" in (await ada.say("show my tasks")).text


async def test_neither_yes_nor_no_deletes_nothing_and_says_so(ada: Learner) -> None:
    await add(ada, "buy groceries")
    await ada.say("delete the groceries task")
    assert (await ada.say("maybe")).text == "I didn't get a clear yes, so nothing is deleted."
    assert "buy groceries" in (await ada.say("show my tasks")).text


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
        door = {"TUTOR_TASKS_URL": url, "TUTOR_TASKS_TOKEN": TOKEN}
        ada = await Learner(tmp_path, **door).begin()
        bob = await Learner(tmp_path, user_id="bob", session_id="s2", **door).begin()
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
