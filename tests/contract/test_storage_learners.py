"""Cycles, diagnostics, mastery and gaps, on both databases."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from storage.database import Database
from storage.learners import DiagnosticResult, KnowledgeGap, Learners, MasteryRow

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
MASTERY = MasteryRow(
    user_id="ada",
    course="ros",
    concept_name="joint",
    mastery_score=0.7,
    evidence_count=4,
    mastered=False,
    review_due_at=None,
    review_card=None,
    updated_at=NOW,
)
DIAGNOSTIC = DiagnosticResult(
    user_id="ada",
    session_id="s1",
    topic="URDF",
    prerequisite_gaps=("XML", "frames"),
    learner_level="beginner",
    recommendations=("Start with XML.",),
    timestamp=NOW,
)


@pytest.fixture
def learners(database: Database) -> Learners:
    return Learners(database)


async def open_gap(learners: Learners, concept_name: str = "frames", *, now: datetime = NOW) -> KnowledgeGap:
    return await learners.open_gap(
        "ada", course="ros", concept_name=concept_name, topic="URDF", origin="quiz", now=now
    )


async def test_a_cycle_is_open_until_it_is_closed(learners: Learners) -> None:
    opened = await learners.open_cycle("ada", session_id="s1", topic="URDF", cycle_number=1, now=NOW)
    assert (opened.started_at, opened.completed_at, opened.mastery_achieved) == (NOW, None, None)

    closed = await learners.close_cycle(
        opened.id, user_id="ada", quiz_score=0.9, mastery_achieved=True, now=LATER
    )

    assert closed == replace(opened, quiz_score=0.9, mastery_achieved=True, completed_at=LATER)
    assert await learners.cycles("ada") == [closed]


async def test_a_closed_cycle_is_not_closed_again(learners: Learners) -> None:
    opened = await learners.open_cycle("ada", session_id="s1", topic="URDF", cycle_number=1, now=NOW)
    await learners.close_cycle(opened.id, user_id="ada", quiz_score=0.9, mastery_achieved=True, now=NOW)

    again = await learners.close_cycle(
        opened.id, user_id="ada", quiz_score=0.1, mastery_achieved=False, now=LATER
    )

    assert again is None
    assert [cycle.quiz_score for cycle in await learners.cycles("ada")] == [0.9]


@pytest.mark.parametrize("cycle_id", [0, 999, 2**40])
async def test_a_number_without_a_cycle_is_none(learners: Learners, cycle_id: int) -> None:
    closed = await learners.close_cycle(
        cycle_id, user_id="ada", quiz_score=1.0, mastery_achieved=True, now=NOW
    )
    assert closed is None


async def test_cycles_are_listed_oldest_first(learners: Learners) -> None:
    for topic, number in (("URDF", 1), ("VSLAM", 1), ("URDF", 2)):
        await learners.open_cycle("ada", session_id="s1", topic=topic, cycle_number=number, now=NOW)

    assert [cycle.topic for cycle in await learners.cycles("ada")] == ["URDF", "VSLAM", "URDF"]


async def test_diagnostics_are_kept_oldest_first(learners: Learners) -> None:
    second = replace(DIAGNOSTIC, topic="VSLAM", prerequisite_gaps=(), timestamp=LATER)
    await learners.add_diagnostic(DIAGNOSTIC)
    await learners.add_diagnostic(second)

    assert await learners.diagnostics("ada") == [DIAGNOSTIC, second]


async def test_mastery_is_replaced_by_what_is_newer(learners: Learners) -> None:
    newer = replace(
        MASTERY, mastery_score=0.9, mastered=True, review_due_at=LATER, review_card={"stability": 2.5}
    )
    other = replace(MASTERY, concept_name="link")
    await learners.put_mastery([MASTERY, other])
    await learners.put_mastery([newer])

    assert await learners.mastery("ada") == [newer, other]


async def test_mastery_can_lose_its_review_again(learners: Learners) -> None:
    await learners.put_mastery([replace(MASTERY, review_due_at=LATER, review_card={"stability": 2.5})])
    await learners.put_mastery([MASTERY])

    assert await learners.mastery("ada", course="ros") == [MASTERY]
    assert await learners.mastery("ada", course="bio") == []


async def test_mastery_of_nothing_writes_nothing(learners: Learners) -> None:
    await learners.put_mastery([])

    assert await learners.mastery("ada") == []


async def test_an_open_gap_is_not_opened_twice(learners: Learners) -> None:
    first = await open_gap(learners)
    second = await open_gap(learners, now=LATER)

    assert first == second
    assert first.detected_at == NOW


async def test_turns_that_notice_a_gap_at_once_open_it_once(learners: Learners) -> None:
    gaps = await asyncio.gather(*(open_gap(learners) for _ in range(8)))

    assert len({gap.id for gap in gaps}) == 1
    assert await learners.gaps("ada") == gaps[:1]


async def test_a_resolved_gap_is_listed_only_on_request_and_can_open_again(learners: Learners) -> None:
    first = await open_gap(learners)
    resolved = await learners.resolve_gap("ada", course="ros", concept_name="frames", now=LATER)

    assert resolved == replace(first, resolved_at=LATER)
    assert await learners.gaps("ada") == []
    assert await learners.resolve_gap("ada", course="ros", concept_name="frames", now=LATER) is None

    again = await open_gap(learners, now=LATER)

    assert await learners.gaps("ada", course="ros") == [again]
    assert await learners.gaps("ada", include_resolved=True) == [resolved, again]


async def test_times_keep_their_moment_whatever_their_zone(learners: Learners) -> None:
    paris = NOW.astimezone(timezone(timedelta(hours=1)))
    gap = await open_gap(learners, now=paris)

    assert gap.detected_at == NOW
    assert gap.detected_at.tzinfo is UTC


async def test_a_time_without_a_zone_is_refused(learners: Learners) -> None:
    with pytest.raises(Exception, match="naive"):
        await open_gap(learners, now=NOW.replace(tzinfo=None))


async def test_a_goal_that_is_said_again_becomes_the_newest(database: Database) -> None:
    learners = Learners(database)
    for minute, goal in enumerate(("SLAM", "URDF", "SLAM")):
        await learners.add_goal("ada", course="ros", goal=goal, now=NOW + timedelta(minutes=minute))
    assert await learners.goals("ada", course="ros") == ["URDF", "SLAM"]
