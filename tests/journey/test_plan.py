"""A plan in the chat: days up to a date, what moved, to-dos, and no plan for who only complains of one."""

from datetime import UTC, date, datetime, timedelta

import pytest

from agents.teaching.schedule import Promise
from storage.tasks import Tasks
from tests.support.talk import Learner

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)  # a Thursday


@pytest.fixture
def clock(ada: Learner) -> list[datetime]:
    moment = [NOW]
    ada.services.now = lambda: moment[0]
    return moment


async def promised(ada: Learner) -> Promise:
    stored = await ada.services.learners.plan("ada", course="physical-ai")
    assert stored is not None
    return Promise.from_json(stored)


async def test_a_topic_and_a_date_is_a_plan_with_days(ada: Learner, clock: list[datetime]) -> None:
    heard = await ada.say("SLAM by next Friday")

    assert heard.authors == ["pathplanner"]
    assert "It fits until Friday, 27 November" in heard.text
    assert "SLAM" in (await ada.state()).goals
    promise = await promised(ada)
    assert promise.by == date(2026, 11, 27)
    assert all(day <= date(2026, 11, 27) for _, _, day in promise.days)


async def test_what_does_not_fit_is_said(ada: Learner, clock: list[datetime]) -> None:
    heard = await ada.say("plan my way to Gazebo until tomorrow, 10 minutes a day")

    assert "does not fit until Friday, 20 November" in heard.text
    assert (await promised(ada)).minutes_a_day == 10


async def test_the_date_is_remembered_and_a_missed_day_moves(ada: Learner, clock: list[datetime]) -> None:
    await ada.say("plan my way to Gazebo in two weeks")
    clock[0] += timedelta(days=7)
    heard = await ada.say("what should I learn next?")

    assert "Not done when planned, so moved: " in heard.text
    assert "until Thursday, 3 December" in heard.text
    assert "moved" not in (await ada.say("what should I learn next?")).text


async def test_the_steps_go_on_the_to_do_list_over_mcp(ada: Learner, clock: list[datetime]) -> None:
    await ada.say("SLAM by next Friday")
    heard = await ada.say("put it on my to-do list")
    tasks = await Tasks(ada.services.database).list("ada", now=NOW)

    assert heard.authors == ["pathplanner"]
    assert "Learn: SLAM and loop closure" in [task.title for task in tasks]
    assert len(tasks) == len((await promised(ada)).days)
    assert all(task.due_at and task.due_at.date() <= date(2026, 11, 28) for task in tasks)
    await ada.say("SLAM by next Friday")
    assert "already" in (await ada.say("put the plan on my list")).text
    assert len(await Tasks(ada.services.database).list("ada", now=NOW)) == len(tasks)


async def test_another_thing_for_the_list_is_no_plan(ada: Learner, clock: list[datetime]) -> None:
    await ada.say("SLAM by next Friday")

    assert (await ada.say("put milk on my list")).authors == ["task_manager"]


async def test_a_complaint_is_not_answered_with_a_plan(ada: Learner, clock: list[datetime]) -> None:
    await ada.say("plan my way to SLAM")
    for complaint in ("your plan is far too long", "that plan was useless, I learnt nothing"):
        assert "pathplanner" not in (await ada.say(complaint)).authors


async def test_an_errand_with_a_date_stays_an_errand(ada: Learner, clock: list[datetime]) -> None:
    assert (await ada.say("milk by Friday")).authors == ["task_manager"]


async def test_a_step_that_is_shown_is_picked_by_its_number(ada: Learner) -> None:
    await ada.say("what should I learn next?")
    first, second, *_ = (await ada.state()).choices
    assert (first.action, second.action) == ("teach", "teach")
    await ada.say("start with the second one")
    assert (await ada.state()).current_topic == second.topic
    await ada.say("thanks")
    assert (await ada.state()).choices == []
