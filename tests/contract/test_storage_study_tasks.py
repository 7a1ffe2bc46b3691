"""Study tasks on both databases: made once for an occasion, and what became of them is kept."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from storage.database import Database
from storage.tasks import StudyTask, StudyTasks, Tasks, WantedTask

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
Make = Callable[..., Awaitable[list[StudyTask]]]
GAP = WantedTask(kind="gap", subject="node", occasion="7", title="Learn: node", description="Say teach me.")


@pytest.fixture
def study(database: Database) -> StudyTasks:
    return StudyTasks(database)


@pytest.fixture
def tasks(database: Database) -> Tasks:
    return Tasks(database)


@pytest.fixture
def make(study: StudyTasks, tasks: Tasks) -> Make:
    """Plans study tasks and puts them on the list, as the tutor does with the task server between."""

    async def planned_and_listed(*wanted: WantedTask, course: str = "ros") -> list[StudyTask]:
        made = []
        for planned, each in await study.plan("ada", course=course, wanted=wanted, most_open=2, now=NOW):
            task = await tasks.add(
                "ada", title=each.title, description=each.description, origin="tutor", now=NOW
            )
            await study.put_on_list(planned.id, user_id="ada", task_id=task.id)
            made.append(replace(planned, task_id=task.id))
        return made

    return planned_and_listed


async def test_a_study_task_is_on_the_list_and_marked_as_the_tutors(
    study: StudyTasks, tasks: Tasks, make: Make
) -> None:
    [made] = await make(GAP)

    [task] = await tasks.list("ada", now=NOW)
    assert (task.title, task.description, task.status, task.origin) == (
        "Learn: node",
        "Say teach me.",
        "pending",
        "tutor",
    )
    assert (made.task_id, made.closed_at, made.outcome) == (task.id, None, None)
    assert await study.of("ada") == [made]


async def test_what_is_open_is_not_made_again_whatever_the_occasion(
    study: StudyTasks, tasks: Tasks, make: Make
) -> None:
    await make(GAP)

    again = await make(GAP, replace(GAP, occasion="8"), replace(GAP, kind="review"))

    assert again == []
    assert len(await tasks.list("ada", now=NOW)) == 1


@pytest.mark.parametrize("closing", ["complete", "delete"])
async def test_what_the_learner_closed_comes_again_only_for_a_new_occasion(
    study: StudyTasks, tasks: Tasks, make: Make, closing: str
) -> None:
    [made] = await make(GAP)
    await getattr(tasks, closing)(made.task_id, user_id="ada", now=NOW)

    assert await make(GAP) == []
    [new] = await make(replace(GAP, occasion="8"))
    assert new.task_id != made.task_id


async def test_completing_and_deleting_are_noted_as_different_things(
    study: StudyTasks, tasks: Tasks, make: Make
) -> None:
    done, deleted = await make(GAP, replace(GAP, subject="topic"))

    await tasks.complete(done.task_id, user_id="ada", now=LATER)
    await tasks.delete(deleted.task_id, user_id="ada", now=LATER)

    assert [(task.outcome, task.closed_at) for task in await study.of("ada")] == [
        ("done", LATER),
        ("deleted", LATER),
    ]


async def test_the_first_closing_counts(study: StudyTasks, tasks: Tasks, make: Make) -> None:
    [made] = await make(GAP)
    await tasks.complete(made.task_id, user_id="ada", now=NOW)
    await tasks.complete(made.task_id, user_id="ada", now=LATER)
    await tasks.delete(made.task_id, user_id="ada", now=LATER)

    [noted] = await study.of("ada")
    assert (noted.outcome, noted.closed_at) == ("done", NOW)


async def test_at_most_so_many_of_a_kind_are_open_at_a_time(
    study: StudyTasks, tasks: Tasks, make: Make
) -> None:
    many = [replace(GAP, subject=name) for name in ("a", "b", "c")]

    first = await make(*many)
    await tasks.complete(first[0].task_id, user_id="ada", now=NOW)
    second = await make(*many, replace(GAP, subject="d", kind="review"))

    assert [task.subject for task in first] == ["a", "b"]
    assert [task.subject for task in second] == ["c", "d"]


async def test_the_same_subject_in_another_course_is_another_thing(study: StudyTasks, make: Make) -> None:
    await make(GAP)

    assert len(await make(GAP, course="biology")) == 1
    assert [task.course for task in await study.of("ada", course="biology")] == ["biology"]


async def test_turns_that_notice_the_same_thing_at_once_make_one_task(
    study: StudyTasks, tasks: Tasks, make: Make
) -> None:
    others = [replace(GAP, subject=name) for name in ("a", "b", "c")]

    await asyncio.gather(*(make(GAP, *others) for _ in range(6)))

    assert [task.title for task in await tasks.list("ada", now=NOW)] == ["Learn: node"] * 2
    assert [task.subject for task in await study.of("ada")] == ["node", "a"]


async def test_a_task_whose_occasion_is_gone_is_ticked_off_by_the_tutor(
    study: StudyTasks, tasks: Tasks, make: Make
) -> None:
    [made] = await make(GAP)

    await tasks.complete(made.task_id, user_id="ada", now=LATER, origin="tutor")

    [noted] = await study.of("ada")
    assert (noted.outcome, noted.closed_at) == ("settled", LATER)


async def test_what_could_not_be_put_on_the_list_is_wanted_again(study: StudyTasks, make: Make) -> None:
    [(planned, _)] = await study.plan("ada", course="ros", wanted=[GAP], most_open=2, now=NOW)
    assert await study.of("ada") == []
    assert await make(GAP) == []

    await study.give_up(planned.id, user_id="eve")
    assert await make(GAP) == []

    await study.give_up(planned.id, user_id="ada")
    assert len(await make(GAP)) == 1


async def test_a_plan_whose_process_died_is_made_anew(study: StudyTasks) -> None:
    await study.plan("ada", course="ros", wanted=[GAP], most_open=2, now=NOW)

    later = NOW + timedelta(minutes=6)
    assert len(await study.plan("ada", course="ros", wanted=[GAP], most_open=2, now=later)) == 1


async def test_a_learners_own_task_leaves_no_trace_among_the_tutors(
    study: StudyTasks, tasks: Tasks, make: Make
) -> None:
    own = await tasks.add("ada", title="Read", now=NOW)
    await tasks.complete(own.id, user_id="ada", now=NOW)

    assert await study.of("ada") == []
