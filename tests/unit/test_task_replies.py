"""What the task manager says."""

from datetime import UTC, datetime, timedelta

import pytest

from agents.task_manager import offline
from agents.task_manager.offline import ShownTask, in_order, in_view
from agents.task_manager.reading import Problem

NOW = datetime(2026, 3, 4, 10, 30, tzinfo=UTC)
DAY = timedelta(days=1)
GROCERIES = ShownTask(id=42, title="Buy groceries", now=NOW)
LATE = ShownTask(id=43, title="Call John", due_at=NOW - DAY, now=NOW)
SOON = ShownTask(id=44, title="Review docs", due_at=datetime(2026, 3, 5, 23, 59, tzinfo=UTC), now=NOW)
DONE = ShownTask(id=45, title="Read", done=True, due_at=NOW - DAY, now=NOW)


def test_a_task_is_read_as_the_tools_give_it() -> None:
    data = {
        "id": 7,
        "title": "Read",
        "status": "pending",
        "due_at": "2026-03-05T23:59:00+00:00",
        "origin": "tutor",
    }

    assert ShownTask.of(data, now=NOW) == ShownTask(
        id=7, title="Read", due_at=SOON.due_at, by_tutor=True, now=NOW
    )


def test_a_new_task_is_confirmed_with_its_due_date_in_words() -> None:
    assert offline.created(GROCERIES).text == "I've added 'Buy groceries' to your tasks."
    assert offline.created(SOON).text == "I've added 'Review docs' to your tasks, due tomorrow."


def test_the_list_is_numbered_with_the_overdue_first_and_the_done_last() -> None:
    tasks = [DONE, GROCERIES, SOON, LATE]

    reply = offline.listed(in_order(tasks), status="all")

    assert reply.status == "success"
    assert reply.text.splitlines() == [
        "Here are your tasks, one is overdue:",
        "1. Call John (overdue, was due yesterday at 10:30)",
        "2. Buy groceries",
        "3. Review docs (due tomorrow)",
        "4. Read (done)",
    ]


def test_a_title_of_many_lines_stays_one_line_of_the_list() -> None:
    task = ShownTask(id=1, title="one\ntwo\n3. three " + "x" * 300, now=NOW)

    lines = offline.listed([task]).text.splitlines()

    assert len(lines) == 2
    assert len(lines[1]) < 130


def test_tasks_of_the_tutor_are_marked_as_such() -> None:
    task = ShownTask(id=1, title="Review joints", by_tutor=True, now=NOW)

    assert "Review joints (from your tutor)" in offline.listed([task]).text


def test_an_empty_list_says_how_to_fill_it() -> None:
    assert "remind me to" in offline.listed([]).text
    assert offline.listed([], due="overdue").text == "Nothing is overdue."
    assert offline.listed([], status="completed").text == "You haven't ticked off a task yet."


def test_a_list_can_be_cut_to_what_is_due() -> None:
    tasks = [GROCERIES, LATE, SOON, DONE]

    def due(words: str) -> list[ShownTask]:
        return in_view(tasks, status="all", due=words, now=NOW)

    assert due("overdue") == [LATE]
    assert due("today") == [LATE]
    assert due("tomorrow") == [LATE, SOON]
    assert due("whenever") == tasks
    assert in_view(tasks, status="completed", due=None, now=NOW) == [DONE]
    assert in_view(tasks, status="pending", due=None, now=NOW) == [GROCERIES, LATE, SOON]


def test_several_titles_read_as_a_sentence() -> None:
    reply = offline.deleted([GROCERIES, LATE, SOON])

    assert reply.text == "I've deleted 'Buy groceries', 'Call John' and 'Review docs'."


def test_a_change_says_what_is_different() -> None:
    renamed = offline.updated([GROCERIES], changes={"title": "x"})
    moved = offline.updated([SOON], changes={"due_at": "x"})
    both = offline.updated([SOON, GROCERIES], changes={"due_at": "x"})
    cleared = offline.updated([GROCERIES], changes={"clear_due_at": True, "description": "x"})

    assert renamed.text == "The task is now called 'Buy groceries'."
    assert moved.text == "'Review docs' is due tomorrow."
    assert both.text == "'Review docs' and 'Buy groceries' are due tomorrow."
    assert cleared.text == "'Buy groceries' has no due date any more and has your note."


def test_deleting_waits_for_a_yes() -> None:
    one, two = (offline.confirm(tasks, tool_name="delete_task") for tasks in ([GROCERIES], [GROCERIES, LATE]))

    assert one.status == two.status == "confirmation_required"
    assert one.text == "Shall I delete 'Buy groceries'? Say yes to delete it for good, or no to keep it."
    assert "'Buy groceries' and 'Call John'" in two.text


def test_several_that_fit_are_offered_by_number() -> None:
    reply = offline.which_one([GROCERIES, SOON], tool_name="update_task")

    assert reply.status == "clarification_needed"
    assert reply.text.splitlines() == [
        "I found 2 tasks that fit. Which one shall I change?",
        "1. Buy groceries",
        "2. Review docs (due tomorrow)",
        "Say its number, or 'never mind'.",
    ]


def test_a_stale_position_is_said_in_the_agreed_words() -> None:
    reply = offline.not_found(["task 1"])

    assert reply.status == "error"
    assert reply.text == (
        "I couldn't find task 1. It may have been deleted. Try 'show my tasks' to see what's current."
    )
    assert "task 1 and 'the dentist'. They may" in offline.not_found(["task 1", "'the dentist'"]).text


@pytest.mark.parametrize("problem", ["no_title", "no_note", "no_task", "no_change", "no_date"])
def test_what_is_missing_is_asked_for(problem: Problem) -> None:
    reply = offline.asking(problem, tool_name="complete_task")

    assert reply.status == "clarification_needed"
    assert reply.text.strip()


def test_when_unsure_it_names_what_it_could_do() -> None:
    assert "add a task or delete a task?" in offline.unsure(["create", "delete"]).text
    assert "Is this about your tasks?" in offline.unsure(["none"]).text


def test_what_touches_every_task_says_how_many_and_which() -> None:
    def asked(tasks: list[ShownTask], tool: str) -> str:
        return offline.confirm(tasks, tool_name=tool, is_all=True).text

    assert asked([GROCERIES, SOON], "complete_task") == (
        "Shall I tick off both tasks: 'Buy groceries' and 'Review docs'? Say yes or no."
    )
    assert "all 3 tasks: 'Buy groceries', 'Call John' and 'Read' (done)?" in asked(
        [GROCERIES, LATE, DONE], "delete_task"
    )
    many = asked([ShownTask(id=number, title=f"t{number}", now=NOW) for number in range(30)], "delete_task")
    assert "all 30 tasks: 't0', 't1', " in many
    assert "and 20 more?" in many
    assert "'t10'" not in many


def test_failures_are_plain_sentences() -> None:
    assert offline.refused("A task needs a title of 1 to 255 characters.").status == "error"
    assert "Nothing was changed" in offline.UNAVAILABLE.text
    assert offline.UNAVAILABLE.status == "error"


@pytest.mark.parametrize(
    ("due", "words"),
    [
        (NOW, "today at 10:30"),
        (NOW.replace(hour=23, minute=59), "today"),
        (NOW + DAY, "tomorrow at 10:30"),
        (NOW - DAY, "yesterday at 10:30"),
        (NOW + 2 * DAY, "on Friday at 10:30"),
        (NOW + 9 * DAY, "on Friday 13 March at 10:30"),
        (NOW - 3 * DAY, "on Sunday 1 March at 10:30"),
        (NOW.replace(year=2027, hour=23, minute=59), "on Thursday 4 March 2027"),
    ],
)
def test_a_due_date_is_said_as_people_do(due: datetime, words: str) -> None:
    assert ShownTask(id=1, title="a", due_at=due, now=NOW).when == f"due {words}"
