"""What is kept beside the ledger says what a replay of the ledger says, on both databases, whatever happened."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, update

from agents.bookkeeping import Bookkeeper, course_record, difference
from agents.teaching.evidence import LedgerRow, Rekey, replay
from agents.teaching.mastery import UNFITTED, CourseStanding, Parameters, course_mastery
from storage.database import Database
from storage.ledger import Ledger
from storage.tables import concept_records, course_records, quiz_results
from tests.support.ledger import ANSWER, NOW

FITTED = Parameters(bias=0.2, belief=0.6, recent=0.8, run=0.3)


@pytest.fixture
def ledger(database: Database) -> Ledger:
    return Ledger(database, books=Bookkeeper())


@dataclass(frozen=True)
class Step:
    """Something that happens to a learner's record."""

    what: Literal["answer", "late answer", "again", "void", "rekey", "refit"]
    concept: str
    which: int  # of the questions, or of the answers so far
    is_correct: bool
    cycle: int
    days: int


steps = st.lists(
    st.builds(
        Step,
        what=st.sampled_from(["answer"] * 5 + ["late answer", "again", "void", "rekey", "refit"]),
        concept=st.sampled_from(["joint", "link", "frame"]),
        which=st.integers(0, 5),
        is_correct=st.booleans(),
        cycle=st.integers(0, 2),
        days=st.integers(0, 90),
    ),
    max_size=14,
)


async def happen(ledger: Ledger, user_id: str, story: Sequence[Step]) -> Parameters:
    """Write the story; returns the parameters that count at its end."""
    now, parameters, answers = NOW, UNFITTED, list[LedgerRow]()
    for number, step in enumerate(story):
        now += timedelta(days=step.days)
        answer = replace(
            ANSWER,
            user_id=user_id,
            concept_name=step.concept,
            topic="URDF" if step.which % 2 else "frames",
            question_id=f"{step.concept} {step.which}",
            cycle_number=step.cycle,
            kind="multiple_choice" if step.which == 3 else "short_answer",
            is_correct=step.is_correct,
            answered_at=now if step.what == "answer" else now - timedelta(days=40),
            asking=str(number),
        )
        if step.what in ("answer", "late answer"):
            answers.append(await ledger.append(answer, parameters=parameters))
        elif step.what == "refit":
            parameters = FITTED
        elif answers:
            of = answers[step.which % len(answers)]
            if step.what == "again":
                same = replace(
                    answer, asking=of.asking, question_id=of.question_id, cycle_number=of.cycle_number
                )
                assert await ledger.append(same, parameters=parameters) == of
            elif step.what == "void":
                await ledger.void(of.id, user_id=user_id, grader="teacher", reason="", now=now)
            else:
                key = Rekey(expected_answer="x", is_correct=step.is_correct, score=0.5)
                await ledger.rekey(of.id, user_id=user_id, rekey=key, grader="dispute", reason="", now=now)
    return parameters


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(story=steps)
async def test_after_any_story_the_record_is_what_a_replay_makes(ledger: Ledger, story: list[Step]) -> None:
    user_id = str(uuid4())

    parameters = await happen(ledger, user_id, story)

    rows = await ledger.of(user_id, course="ros")
    shelf = (await ledger.shelves_of(user_id)).get("ros")
    assert difference(shelf, rows) == []
    later = NOW + timedelta(days=5000)
    states = {name: concept.state for name, concept in course_record(shelf).concepts.items()}
    kept = CourseStanding(states, now=later, parameters=parameters).concepts()
    assert kept == course_mastery(replay(rows), now=later, parameters=parameters)


async def test_a_difference_is_named(ledger: Ledger, database: Database) -> None:
    await ledger.append(ANSWER)
    await ledger.append(replace(ANSWER, question_id="q2", asking="2"))
    async with database.write() as conn:
        await conn.execute(
            update(quiz_results).where(quiz_results.c.question_id == "q2").values(is_correct=False)
        )

    shelf = (await ledger.shelves_of("ada"))["ros"]
    assert difference(shelf, await ledger.of("ada")) == ["joint", "figures"]


async def test_a_record_of_another_version_is_made_anew_at_its_first_use(
    ledger: Ledger, database: Database
) -> None:
    for number in range(3):
        await ledger.append(replace(ANSWER, question_id=f"q{number}", asking=str(number)))
    before = await ledger.shelves_of("ada")
    async with database.write() as conn:
        await conn.execute(update(course_records).values(version=-1))
        await conn.execute(delete(concept_records))

    assert await ledger.shelves_of("ada") == before
    async with database.write() as conn:
        await conn.execute(update(course_records).values(version=-1))
    await ledger.append(replace(ANSWER, question_id="q9", asking="9"))
    assert difference((await ledger.shelves_of("ada"))["ros"], await ledger.of("ada")) == []


async def test_who_learnt_before_anything_was_kept_has_forecasts_and_a_history_all_the_same(
    ledger: Ledger, database: Database
) -> None:
    for number in range(6):
        moment = NOW + timedelta(days=number)
        await ledger.append(replace(ANSWER, question_id=f"q{number}", asking=str(number), answered_at=moment))
    before = course_record((await ledger.shelves_of("ada"))["ros"])
    async with database.write() as conn:  # as a migration leaves it
        await conn.execute(update(quiz_results).values(forecast=None))
        await conn.execute(update(course_records).values(version=0, figures=None))
        await conn.execute(delete(concept_records))

    after = course_record((await ledger.shelves_of("ada"))["ros"])
    assert after.concepts == before.concepts
    assert after.figures.forecasts == before.figures.forecasts
    assert after.figures.mastered[0][1] == 0 < after.figures.mastered[-1][1]


async def test_the_newest_answers_come_with_what_became_of_them(ledger: Ledger) -> None:
    first, second, third = [
        await ledger.append(replace(ANSWER, question_id=f"q{number}", asking=str(number)))
        for number in range(3)
    ]
    voided = await ledger.void(second.id, user_id="ada", grader="teacher", reason="", now=NOW)

    assert await ledger.newest("ada", most=2) == [second, third, voided]
    assert await ledger.newest("ada", most=1, course="bio") == []
    assert await ledger.newest("ada", most=5, concept_names=["link"]) == []
    assert (await ledger.newest("ada", most=5))[0] == first


async def test_what_was_answered_lately_is_told_as_it_stands_now(ledger: Ledger) -> None:
    for day in range(4):
        moment = NOW + timedelta(days=day)
        await ledger.append(replace(ANSWER, question_id=f"q{day}", asking=str(day), answered_at=moment))
    _, second, third, fourth = await ledger.of("ada")
    late = NOW + timedelta(days=9)
    key = Rekey(expected_answer="x", is_correct=False, score=0.0)
    await ledger.void(second.id, user_id="ada", grader="teacher", reason="", now=late)
    await ledger.void(third.id, user_id="ada", grader="teacher", reason="", now=late)
    await ledger.rekey(third.id, user_id="ada", rekey=key, grader="teacher", reason="", now=late)

    assert await ledger.since("ada", NOW + timedelta(hours=1)) == [
        (third.answered_at, False),
        (fourth.answered_at, True),
    ]
    assert await ledger.since("eve", NOW) == []
