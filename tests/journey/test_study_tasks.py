"""The tutor puts study tasks on the learner's list, and takes them off when they are done."""

from datetime import UTC, datetime, timedelta

import pytest

from storage.tasks import StudyTask, StudyTasks, Task, Tasks
from tests.support.talk import Heard, Learner, Meet

READ_AGAIN = "I put 'Read again: topic' on your to-do list."


@pytest.fixture
async def ada(meet: Meet) -> Learner:
    # Two cycles are as good as five to fail.
    return await meet(TUTOR_MAX_CYCLES="2")


async def study_tasks(learner: Learner) -> list[StudyTask]:
    return list(await StudyTasks(learner.services.database).of(learner.user_id))


async def to_dos(learner: Learner) -> list[Task]:
    return list(await Tasks(learner.services.database).list(learner.user_id, now=datetime.now(UTC)))


async def fail_all_cycles(learner: Learner) -> Heard:
    await learner.say("teach me ROS 2 topics")
    await learner.finish_quiz(right=False)
    return await learner.finish_quiz(right=False)


async def master(learner: Learner, message: str) -> Heard:
    """Answer right until mastered; after many wrong answers that takes more than one go."""
    for _ in range(5):
        heard = await learner.say(message)
        while (await learner.state()).learning_phase == "quiz":
            heard = await learner.finish_quiz(right=True)
        if (await learner.services.learners.cycles(learner.user_id))[-1].mastery_achieved:
            return heard
    raise AssertionError("not mastered")


def days_pass(learner: Learner, days: int) -> None:
    learner.services.now = lambda: datetime.now(UTC) + timedelta(days=days)


async def test_a_failed_last_cycle_becomes_a_task_that_the_list_marks_as_the_tutors(ada: Learner) -> None:
    heard = await fail_all_cycles(ada)

    assert heard.text.endswith(READ_AGAIN)
    assert "1. Read again: topic (from your tutor)" in (await ada.say("show my tasks")).text
    assert [(task.kind, task.subject, task.outcome) for task in await study_tasks(ada)] == [
        ("cycles", "topic", None)
    ]


async def test_a_cycle_before_the_last_makes_no_task(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    heard = await ada.finish_quiz(right=False)

    assert "to-do list" not in heard.text
    assert await to_dos(ada) == []


async def test_failing_again_while_it_is_open_makes_no_second_one(ada: Learner) -> None:
    await fail_all_cycles(ada)
    again = await fail_all_cycles(ada)

    assert "to-do list" not in again.text
    assert len(await to_dos(ada)) == 1


async def test_failing_again_after_it_was_deleted_is_a_new_occasion(ada: Learner) -> None:
    await fail_all_cycles(ada)
    await ada.say("delete the read again task")
    assert "I've deleted 'Read again: topic'" in (await ada.say("yes")).text
    again = await fail_all_cycles(ada)

    assert again.text.endswith(READ_AGAIN)
    assert [task.outcome for task in await study_tasks(ada)] == ["deleted", None]


async def test_mastering_the_topic_ticks_it_off_and_says_so(ada: Learner) -> None:
    await fail_all_cycles(ada)
    heard = await master(ada, "teach me ROS 2 topics")

    [task], [noted] = await to_dos(ada), await study_tasks(ada)
    assert "I ticked off 'Read again: topic' on your to-do list." in heard.text
    assert (task.status, noted.outcome) == ("completed", "settled")


async def test_completing_one_is_noted_in_the_learners_record_and_shown_with_the_progress(
    ada: Learner,
) -> None:
    await fail_all_cycles(ada)
    before = await ada.say("show my progress")
    await ada.say("complete the read again task")
    after = await ada.say("show my progress")

    assert "Study tasks from your tutor: 1 open (Read again: topic)." in before.text
    assert "Study tasks from your tutor: 1 done." in after.text
    assert [task.outcome for task in await study_tasks(ada)] == ["done"]


async def test_gaps_that_the_diagnostic_finds_become_a_few_tasks(ada: Learner) -> None:
    heard = await ada.say("test what I know about loop closure")
    while (await ada.state()).pending_question:
        heard = await ada.say("I don't know")

    gaps = (await ada.state()).prerequisite_gaps
    assert len(gaps) > 2
    assert f"I put 'Learn: {gaps[0]}' and 'Learn: {gaps[1]}' on your to-do list." in heard.text
    assert heard.text.endswith(f"Shall we start with **{gaps[0]}**?")
    assert [task.title for task in await to_dos(ada)] == [f"Learn: {gaps[0]}", f"Learn: {gaps[1]}"]


async def test_somebody_to_whom_all_is_new_gets_no_tasks_for_it(ada: Learner) -> None:
    await ada.say("test what I know about loop closure")
    heard = await ada.say("I'm completely new to this")

    assert (await ada.state()).prerequisite_gaps
    assert "to-do list" not in heard.text
    assert await to_dos(ada) == []


async def test_a_review_that_is_due_becomes_a_task_at_the_greeting_once(ada: Learner) -> None:
    await master(ada, "teach me ROS 2 topics")
    assert "to-do list" not in (await ada.say("hello")).text
    days_pass(ada, 60)

    first, second = await ada.say("hello"), await ada.say("hello")

    assert "I put 'Review: " in first.text
    assert "to-do list" not in second.text
    assert 1 <= len(await to_dos(ada)) <= 2
    assert {task.kind for task in await study_tasks(ada)} == {"review"}


async def test_a_review_that_was_done_is_ticked_off(ada: Learner) -> None:
    await master(ada, "teach me ROS 2 topics")
    days_pass(ada, 60)
    await ada.say("hello")
    subject = (await study_tasks(ada))[0].subject
    heard = await master(ada, f"quiz me on {subject}")

    assert f"'Review: {subject}'" in heard.text
    assert "I ticked off" in heard.text
    assert (await study_tasks(ada))[0].outcome == "settled"


async def test_a_review_task_that_was_deleted_does_not_come_back_for_the_same_review(ada: Learner) -> None:
    await master(ada, "teach me ROS 2 topics")
    days_pass(ada, 60)
    await ada.say("hello")
    made = await study_tasks(ada)
    for _ in made:
        await ada.say("show my tasks")
        await ada.say("delete task 1")
        await ada.say("yes")
    await ada.say("hello")

    known = {task.subject for task in made}
    assert [task.outcome for task in await study_tasks(ada) if task.subject in known] == ["deleted"] * len(
        made
    )


async def test_a_list_that_cannot_be_written_does_not_break_the_feedback(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    from storage.errors import StorageError

    async def fail(*args: object, **options: object) -> None:
        raise StorageError("The disk is full.")

    monkeypatch.setattr(StudyTasks, "plan", fail)
    heard = await fail_all_cycles(ada)

    assert "Shall I lay out a short path" in heard.text
    assert "to-do list" not in heard.text
    assert (await ada.state()).learning_phase == ""
