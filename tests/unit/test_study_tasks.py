"""Which study tasks a learner's record calls for, and which it has answered."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agents.task_manager.study_tasks import (
    after_failed_cycles,
    answered,
    for_gaps,
    for_reviews,
    said,
    summary,
)
from storage.learners import KnowledgeGap, LearningCycle, MasteryRow
from storage.tasks import Outcome, StudyKind, StudyTask

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def mastery(name: str, *, due: datetime | None, mastered: bool = True) -> MasteryRow:
    return MasteryRow(
        user_id="ada",
        course="ros",
        concept_name=name,
        mastery_score=0.9,
        evidence_count=4,
        mastered=mastered,
        review_due_at=due,
        review_card=None,
        updated_at=NOW,
    )


def gap(number: int, name: str) -> KnowledgeGap:
    return KnowledgeGap(
        id=number,
        user_id="ada",
        course="ros",
        concept_name=name,
        topic="URDF",
        origin="diagnostic",
        detected_at=NOW,
        resolved_at=None,
    )


def cycle(number: int, topic: str, *, mastered: bool | None) -> LearningCycle:
    return LearningCycle(
        id=number,
        user_id="ada",
        session_id="s1",
        topic=topic,
        cycle_number=5,
        quiz_score=0.5,
        mastery_achieved=mastered,
        started_at=NOW,
        completed_at=NOW,
    )


def made(
    kind: StudyKind,
    subject: str,
    occasion: str,
    *,
    title: str = "Learn: node",
    outcome: Outcome | None = None,
) -> StudyTask:
    return StudyTask(
        id=1,
        user_id="ada",
        course="ros",
        kind=kind,
        subject=subject,
        occasion=occasion,
        task_id=1,
        title=title,
        made_at=NOW,
        closed_at=NOW if outcome else None,
        outcome=outcome,
    )


NOTHING: dict[str, Any] = {"mastery": (), "open_gaps": (), "cycles": ()}


def test_failed_cycles_ask_to_read_again_and_name_what_to_practise() -> None:
    [task] = after_failed_cycles(topic="ROS 2 topics", cycle_id=9, areas=["topic", "publisher"])

    assert (task.kind, task.subject, task.occasion) == ("cycles", "ROS 2 topics", "9")
    assert task.title == "Read again: ROS 2 topics"
    assert task.description == "Practise topic and publisher. Then say 'teach me ROS 2 topics' to try again."


def test_a_cycle_that_was_never_opened_is_no_occasion() -> None:
    assert after_failed_cycles(topic="ROS 2 topics", cycle_id=None, areas=[]) == ()


def test_gaps_keep_their_order_and_each_is_its_own_occasion() -> None:
    assert [(task.title, task.occasion) for task in for_gaps([gap(7, "node"), gap(3, "frame")])] == [
        ("Learn: node", "7"),
        ("Learn: frame", "3"),
    ]


def test_only_mastered_concepts_that_are_due_are_reviewed_the_longest_overdue_first() -> None:
    rows = [
        mastery("later", due=NOW + DAY),
        mastery("due", due=NOW),
        mastery("long due", due=NOW - DAY),
        mastery("lost", due=NOW - DAY, mastered=False),
        mastery("never", due=None),
    ]

    wanted = for_reviews(rows, now=NOW)

    assert [task.title for task in wanted] == ["Review: long due", "Review: due"]
    assert wanted[1].occasion == NOW.isoformat()


def test_a_review_that_falls_due_again_is_another_occasion() -> None:
    [first] = for_reviews([mastery("node", due=NOW)], now=NOW)
    [second] = for_reviews([mastery("node", due=NOW + DAY)], now=NOW + 2 * DAY)

    assert first.occasion != second.occasion


@pytest.mark.parametrize("name", ["x" * 400, "word " * 100])
def test_a_long_name_still_fits(name: str) -> None:
    [task] = for_gaps([gap(1, name)])

    assert len(task.title) <= 255
    assert len(task.description) <= 1000
    assert task.subject == name


@pytest.mark.parametrize(
    ("task", "standing"),
    [
        (made("gap", "node", "7"), NOTHING | {"open_gaps": [gap(7, "node")]}),
        (made("review", "node", "x"), NOTHING | {"mastery": [mastery("node", due=NOW)]}),
        (made("cycles", "URDF", "9"), NOTHING),
        (made("cycles", "URDF", "9"), NOTHING | {"cycles": [cycle(8, "URDF", mastered=True)]}),
        (made("cycles", "URDF", "9"), NOTHING | {"cycles": [cycle(12, "URDF", mastered=False)]}),
        (made("cycles", "URDF", "9"), NOTHING | {"cycles": [cycle(12, "nodes", mastered=True)]}),
    ],
)
def test_a_task_stays_while_its_occasion_is_there(task: StudyTask, standing: dict[str, Any]) -> None:
    assert answered([task], **standing, now=NOW) == ()


@pytest.mark.parametrize(
    ("task", "standing"),
    [
        (made("gap", "node", "7"), NOTHING),
        (made("gap", "node", "7"), NOTHING | {"open_gaps": [gap(8, "node")]}),
        (made("review", "node", "x"), NOTHING | {"mastery": [mastery("node", due=NOW + DAY)]}),
        (made("review", "node", "x"), NOTHING | {"mastery": [mastery("node", due=None, mastered=False)]}),
        (made("cycles", "URDF", "9"), NOTHING | {"cycles": [cycle(12, "URDF", mastered=True)]}),
    ],
)
def test_a_task_whose_occasion_is_gone_is_answered(task: StudyTask, standing: dict[str, Any]) -> None:
    assert answered([task], **standing, now=NOW) == (task,)


def test_what_is_closed_is_not_closed_again() -> None:
    assert answered([made("gap", "node", "7", outcome="deleted")], **NOTHING, now=NOW) == ()


def test_the_learner_is_told_in_a_sentence_each() -> None:
    review = made("review", "topic", "x", title="Review: topic")

    assert said(made=[made("gap", "node", "7"), review], settled=[]) == (
        "I put 'Learn: node' and 'Review: topic' on your to-do list."
    )
    assert said(made=[], settled=[review]) == "I ticked off 'Review: topic' on your to-do list."
    assert said(made=[], settled=[]) == ""


def test_the_record_tells_what_became_of_them() -> None:
    tasks = [
        made("gap", "node", "7"),
        made("gap", "a", "1", outcome="done"),
        made("gap", "b", "2", outcome="settled"),
        made("gap", "c", "3", outcome="deleted"),
    ]

    assert summary(tasks) == "Study tasks from your tutor: 1 open (Learn: node), 2 done, 1 deleted."
    assert summary([]) == ""
