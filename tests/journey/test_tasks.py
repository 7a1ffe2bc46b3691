"""To-dos in the conversation, through the real MCP server."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage.tasks import Tasks
from tests.support.processes import children
from tests.support.talk import Learner, Meet
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
    assert (await ada.say("complete task 2")).text == "Great! I've marked 'call John' as completed ✓"
    assert (await ada.say("delete the first one")).text.startswith("Shall I delete 'buy groceries'?")


async def test_several_that_fit_are_offered_and_the_first_one_is_taken(ada: Learner) -> None:
    await add(ada, "team meeting", "meeting with Bob", "meeting notes")
    heard = await ada.say("move the meeting task to Friday")
    assert (await ada.response()).status == "clarification_needed"
    assert all(title in heard.text for title in ("team meeting", "meeting with Bob", "meeting notes"))
    assert "is due" in (await ada.say("the first one")).text
    assert (await ada.state()).agent_context.clarification_count == 1


async def titles(learner: Learner) -> list[str]:
    """What is on the list, oldest first."""
    found = await Tasks(learner.services.database).list(learner.user_id, now=datetime.now(UTC))
    return [task.title for task in sorted(found, key=lambda task: task.id)]


async def gone(learner: Learner, title: str) -> None:
    """A task is deleted elsewhere, while the conversation goes on here."""
    tasks = Tasks(learner.services.database)
    [task] = [each for each in await tasks.list("ada", now=datetime.now(UTC)) if each.title == title]
    await tasks.delete(task.id, user_id="ada", now=datetime.now(UTC))


async def test_a_change_that_was_not_said_is_asked_for_and_the_answer_is_the_change(ada: Learner) -> None:
    """The documents' clarification flow, to its end."""
    await add(ada, "team meeting", "meeting with Bob", "meeting notes")
    assert "I found 3 tasks that fit" in (await ada.say("update the meeting task")).text
    assert (await ada.say("the first one")).text.startswith("What shall I change?")
    renamed = await ada.say("to prepare the big meeting")
    assert renamed.text == "The task is now called 'prepare the big meeting'."
    assert await titles(ada) == ["prepare the big meeting", "meeting with Bob", "meeting notes"]
    assert (await ada.say("move it to tomorrow")).text == "'prepare the big meeting' is due tomorrow."
    for answer, said in {
        "call it weekly sync": "The task is now called 'weekly sync'.",
        "finish the report": "The task is now called 'finish the report'.",  # a bare title, though it looks like a command
        "to review the notes on topics": "The task is now called 'review the notes on topics'.",
        "description: bring the slides": "'review the notes on topics' has your note.",
        "to Friday": "'review the notes on topics' is due ",
        "no due date": "'review the notes on topics' has no due date any more.",
        "call it sync and move it to tomorrow": "The task is now called 'sync' and is due tomorrow.",
    }.items():
        assert (await ada.say("update it")).text.startswith("What shall I change?")
        assert (await ada.say(answer)).text.startswith(said)
    await ada.say("update it")
    assert (await ada.say("the title")).text.startswith("What should the task say?")
    assert (await ada.say("weekly meeting")).text == "The task is now called 'weekly meeting'."


async def test_what_is_no_answer_to_what_shall_i_change_is_served_and_changes_no_task(ada: Learner) -> None:
    await add(ada, "team meeting", "buy milk")
    before = await titles(ada)

    async def instead(message: str) -> str:
        await ada.say("update the meeting task")
        return (await ada.say(message)).text

    assert "named unit" in await instead("what is a node?")
    assert (await ada.state()).pending_task is None
    assert await instead("thanks") == "You're welcome."
    assert await instead("never mind") == "All right, I've left your tasks as they are."
    assert (await instead("hm")).startswith("What shall I change?")
    assert (await instead("delete it")).startswith("Shall I delete 'team meeting'?")
    assert (await instead("learn about nodes")).startswith(
        "Shall I change the task's title"
    )  # or is it a wish?
    await ada.say("no")
    assert await titles(ada) == before
    assert "'buy milk' as completed" in await instead("finish the milk one")
    await ada.say("quiz me on topics")
    question = await ada.question()
    await instead(question.expected_answer)
    assert [row.is_correct for row in await ada.evidence()] == [True]
    assert await titles(ada) == before


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
    assert "'a letter' and 'c sharp'" in (await ada.say("complete 1 and 3")).text
    elsewhere = await Learner(tmp_path, session_id="s2").begin()
    await elsewhere.say("delete the d day task")
    await elsewhere.say("yes")
    await elsewhere.close()
    heard = await ada.say("complete 2 and 4")
    assert heard.text.startswith(
        "Great! I've marked 'b minor' as completed ✓ I couldn't find task 4. It may have been deleted."
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
    assert trace.entities == {"description": "he prefers mornings", "reference": "the John task"}
    assert trace.tool_choice is not None
    assert trace.tool_choice.parameters == {"task_id": 1, "description": "he prefers mornings"}
    assert (trace.intent, trace.alternatives[0][0]) == ("update", "create")
    assert trace.confidence > trace.alternatives[0][1]
    assert trace.tool_choice is not None
    assert (trace.tool_choice.tool_name, trace.tool_choice.requires_confirmation) == ("update_task", False)
    assert trace.tool_choice.alternatives[0][0] == "add_task"
    await ada.say("delete the John task")
    trace = (await ada.response()).reasoning_trace
    assert trace.tool_choice is not None
    assert (trace.tool_choice.tool_name, trace.tool_choice.requires_confirmation) == ("delete_task", True)
    assert trace.tool_choice.parameters == {"task_id": 1}
    await ada.say("remind me to buy milk and to call mum")
    trace = (await ada.response()).reasoning_trace
    assert [each.entities["title"] for each in (trace, *trace.further)] == ["buy milk", "call mum"]


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
    await ada.say("I'm lost")  # whoever of us asks back
    assert (await ada.response()).status == "clarification_needed"
    assert (await ada.state()).agent_context.clarification_count == 3


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


@pytest.mark.parametrize(
    "message", ["update task 1", "rename task 1 to buy bread", "complete task 1", "delete task 1"]
)
async def test_a_position_that_went_stale_is_said_in_the_documents_words(ada: Learner, message: str) -> None:
    await add(ada, "buy groceries")
    await ada.say("show my tasks")
    await gone(ada, "buy groceries")
    assert (await ada.say(message)).text == (
        "I couldn't find task 1. It may have been deleted. Try 'show my tasks' to see what's current."
    )
    assert ((await ada.response()).status, (await ada.response()).error) == ("error", "NOT_FOUND")


async def test_a_task_that_is_gone_is_called_as_the_learner_called_it(ada: Learner) -> None:
    await add(ada, "buy groceries", "meeting with Bob", "call John")
    await ada.say("delete the meeting one")
    await gone(ada, "meeting with Bob")
    assert (await ada.say("yes")).text.startswith(
        "I couldn't find 'the meeting one'. It may have been deleted."
    )
    await ada.say("show my tasks")
    await gone(ada, "buy groceries")
    both = (await ada.say("delete 1 and 2")).text
    assert both.startswith("I couldn't find task 1. It may have been deleted.")
    assert "Shall I delete 'call John'?" in both
    await gone(ada, "call John")
    assert (await ada.say("yes")).text.startswith("I couldn't find task 2.")
    assert (await ada.say("complete 1 and 2")).text.startswith("I couldn't find task 1 and task 2. They may")


async def test_all_my_tasks_are_those_of_now_and_those_that_were_named(ada: Learner) -> None:
    await add(ada, "buy groceries", "call John")
    await ada.say("show my tasks")
    await add(ada, "read chapter 2")
    asked = (await ada.say("delete all my tasks")).text
    assert "all 3 tasks: 'buy groceries', 'call John' and 'read chapter 2'?" in asked
    await Tasks(ada.services.database).add("ada", title="came in between", now=datetime.now(UTC))
    done = (await ada.say("yes")).text
    assert done.startswith("I've deleted 'buy groceries', 'call John' and 'read chapter 2'.")
    assert "'came in between' was added after I asked, so it is still on your list." in done
    assert await titles(ada) == ["came in between"]
    await add(ada, "one more")
    assert "both tasks: 'came in between' and 'one more'?" in (await ada.say("complete all my tasks")).text
    await Tasks(ada.services.database).add("ada", title="and another", now=datetime.now(UTC))
    assert "'and another' was added after I asked" in (await ada.say("yes")).text
    assert (await ada.say("show my tasks")).text == "Here are your tasks:\n1. and another"
    await ada.say("show my completed tasks")
    assert "both tasks: 'came in between' (done)" in (await ada.say("delete all of them")).text
    await ada.say("no")
    assert len(await titles(ada)) == 3


async def test_positions_end_with_the_conversation_they_were_shown_in(ada: Learner, meet: Meet) -> None:
    await add(ada, "buy groceries")
    await ada.say("show my tasks")
    await ada.say("delete it")
    await ada.say("reset")
    state = await ada.state()
    assert (state.task_references, state.referenced_at, state.pending_task) == ({}, None, None)
    await ada.say("yes")
    assert (await ada.say("complete task 1")).text.startswith("I couldn't find task 1.")
    assert (await ada.say("complete it")).text.startswith("Which task shall I tick off?")
    await ada.say("show my tasks")
    other = await meet(session_id="s2")
    assert (await other.say("complete task 1")).text.startswith("I couldn't find task 1.")
    ada.services.now = lambda: datetime.now(UTC) + timedelta(days=31)
    assert (await ada.say("complete task 1")).text.startswith("I couldn't find task 1.")
    assert (await ada.state()).task_references == {}
    assert await titles(ada) == ["buy groceries"]


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
