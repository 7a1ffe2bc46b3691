"""To-dos, on both databases."""

from datetime import UTC, datetime, timedelta

import pytest

from storage.database import Database
from storage.errors import InvalidInputError
from storage.tasks import Task, Tasks

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def tasks(database: Database) -> Tasks:
    return Tasks(database)


async def test_a_new_task_is_pending_and_trimmed(tasks: Tasks) -> None:
    task = await tasks.add(
        "ada", title="  Read chapter 1 ", description="  twice  ", due_at=NOW + DAY, now=NOW
    )

    assert task == Task(
        id=task.id,
        user_id="ada",
        title="Read chapter 1",
        description="twice",
        status="pending",
        due_at=NOW + DAY,
        origin="learner",
        created_at=NOW,
        completed_at=None,
    )
    assert await tasks.list("ada", now=NOW) == [task]


async def test_a_blank_description_is_no_description(tasks: Tasks) -> None:
    assert (await tasks.add("ada", title="Read", description="   ", now=NOW)).description is None


async def test_titles_and_descriptions_may_be_as_long_as_promised(tasks: Tasks) -> None:
    task = await tasks.add("ada", title="ü" * 255, description="ü" * 1000, now=NOW)

    assert (len(task.title), len(task.description or "")) == (255, 1000)


@pytest.mark.parametrize(
    ("title", "description", "number"),
    [("", None, "255"), ("  \n ", None, "255"), ("x" * 256, None, "256"), ("ok", "x" * 1001, "1001")],
)
async def test_a_text_of_the_wrong_length_is_refused_with_its_number(
    tasks: Tasks, title: str, description: str | None, number: str
) -> None:
    with pytest.raises(InvalidInputError, match=number):
        await tasks.add("ada", title=title, description=description, now=NOW)
    assert await tasks.list("ada", now=NOW) == []


async def test_overdue_tasks_come_first_then_by_due_date_then_by_age(tasks: Tasks) -> None:
    await tasks.add("ada", title="undated, younger", now=NOW + DAY)
    await tasks.add("ada", title="undated", now=NOW)
    await tasks.add("ada", title="later", due_at=NOW + 2 * DAY, now=NOW)
    await tasks.add("ada", title="soon", due_at=NOW + DAY, now=NOW)
    await tasks.add("ada", title="overdue", due_at=NOW - DAY, now=NOW)
    done = await tasks.add("ada", title="done in time", due_at=NOW - 2 * DAY, now=NOW)
    await tasks.complete(done.id, user_id="ada", now=NOW)

    listed = [task.title for task in await tasks.list("ada", now=NOW)]

    assert listed == ["overdue", "done in time", "soon", "later", "undated", "undated, younger"]


async def test_the_list_can_show_one_status(tasks: Tasks) -> None:
    open_task = await tasks.add("ada", title="open", now=NOW)
    done = await tasks.add("ada", title="done", now=NOW)
    await tasks.complete(done.id, user_id="ada", now=NOW)

    assert [task.id for task in await tasks.list("ada", status="pending", now=NOW)] == [open_task.id]
    assert [task.id for task in await tasks.list("ada", status="completed", now=NOW)] == [done.id]


async def test_an_update_changes_only_what_it_names(tasks: Tasks) -> None:
    task = await tasks.add("ada", title="Read", description="slowly", due_at=NOW, now=NOW)

    renamed = await tasks.update(task.id, user_id="ada", title=" Read it ")
    moved = await tasks.update(task.id, user_id="ada", due_at=NOW + DAY)
    cleared = await tasks.update(task.id, user_id="ada", description="", clear_due_at=True)

    assert renamed is not None
    assert (renamed.title, renamed.description, renamed.due_at) == ("Read it", "slowly", NOW)
    assert moved is not None
    assert (moved.title, moved.due_at) == ("Read it", NOW + DAY)
    assert cleared is not None
    assert (cleared.title, cleared.description, cleared.due_at) == ("Read it", None, None)


async def test_an_update_checks_lengths_too(tasks: Tasks) -> None:
    task = await tasks.add("ada", title="Read", now=NOW)

    with pytest.raises(InvalidInputError, match="300"):
        await tasks.update(task.id, user_id="ada", title="x" * 300)
    assert await tasks.list("ada", now=NOW) == [task]


async def test_completing_twice_keeps_the_first_time(tasks: Tasks) -> None:
    task = await tasks.add("ada", title="Read", now=NOW)

    first = await tasks.complete(task.id, user_id="ada", now=NOW + DAY)
    second = await tasks.complete(task.id, user_id="ada", now=NOW + 2 * DAY)

    assert first == second
    assert first is not None
    assert (first.status, first.completed_at) == ("completed", NOW + DAY)


async def test_a_deleted_task_is_gone_and_its_number_is_not_used_again(tasks: Tasks) -> None:
    """The learner may still say "task 2" and must not hit another one."""
    task = await tasks.add("ada", title="Read", now=NOW)

    assert await tasks.delete(task.id, user_id="ada", now=NOW) == task
    assert await tasks.delete(task.id, user_id="ada", now=NOW) is None
    assert (await tasks.add("ada", title="Write", now=NOW)).id != task.id


@pytest.mark.parametrize("task_id", [0, -1, 999, 2**31, 2**63, 10**30])
async def test_a_number_without_a_task_is_none(tasks: Tasks, task_id: int) -> None:
    assert await tasks.update(task_id, user_id="ada", title="x") is None
    assert await tasks.complete(task_id, user_id="ada", now=NOW) is None
    assert await tasks.delete(task_id, user_id="ada", now=NOW) is None


async def test_any_text_that_a_browser_sends_is_stored(tasks: Tasks) -> None:
    """NUL and lone surrogates would abort a turn on PostgreSQL."""
    task = await tasks.add("ada", title="a\x00b\ud800c 🎓", now=NOW)

    assert task.title == "a\ufffdb\ufffdc 🎓"
