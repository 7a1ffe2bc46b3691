"""A teacher's decisions about questions, the course's given title and where it was read from, on both databases."""

from collections.abc import Awaitable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from agents.bookkeeping import Bookkeeper
from agents.teaching.evidence import QuestionRuling
from storage.corpus import Corpus, CourseChanges
from storage.database import Database
from storage.ledger import Calibrations, Disputes, Ledger, QuestionRulings, ThresholdChoices
from storage.tables import question_rulings
from tests.support.ledger import ANSWER, DISPUTE, NOW

LATER = NOW + timedelta(hours=1)


@pytest.fixture
def rulings(database: Database) -> QuestionRulings:
    return QuestionRulings(database)


async def void(rulings: QuestionRulings, *, course: str = "ros") -> QuestionRuling:
    return await rulings.add(
        course=course,
        question_id="q1",
        question_text="What connects links?",
        ruling="void",
        decided_by="tess",
        now=NOW,
    )


async def also_right(rulings: QuestionRulings, answer: str) -> QuestionRuling:
    return await rulings.add(
        course="ros",
        question_id="q1",
        question_text="What connects links?",
        ruling="also_right",
        accepted_answer=answer,
        decided_by="tess",
        now=NOW,
    )


async def test_decisions_are_kept_by_course(rulings: QuestionRulings) -> None:
    ruling = await void(rulings)
    await void(rulings, course="bio")

    assert await rulings.of("ros") == [ruling]
    assert (ruling.ruling, ruling.decided_by, ruling.accepted_answer) == ("void", "tess", None)


async def test_the_same_decision_twice_is_one(rulings: QuestionRulings) -> None:
    assert await void(rulings) == await void(rulings)
    hinge = await also_right(rulings, "a hinge")
    assert await also_right(rulings, "a hinge") == hinge
    assert await also_right(rulings, "an axle") != hinge


async def test_a_decision_can_be_withdrawn_once_and_made_again(rulings: QuestionRulings) -> None:
    ruling = await void(rulings)

    assert await rulings.withdraw(ruling.id, now=LATER) == ruling
    assert await rulings.withdraw(ruling.id, now=LATER) is None
    assert await rulings.withdraw(2**40, now=LATER) is None
    assert await rulings.of("ros") == []
    assert (await void(rulings)).id != ruling.id


@pytest.mark.parametrize(("ruling", "accepted"), [("also_right", None), ("void", "a hinge"), ("nicer", None)])
async def test_the_database_itself_refuses_half_a_decision(
    database: Database, ruling: str, accepted: str | None
) -> None:
    values = {
        "course": "ros",
        "question_id": "q1",
        "question_text": "?",
        "ruling": ruling,
        "accepted_answer": accepted,
        "decided_by": "tess",
        "decided_at": NOW,
    }
    with pytest.raises(IntegrityError):
        async with database.write() as conn:
            await conn.execute(insert(question_rulings).values(values))


async def test_a_teacher_reads_everybodys_answers_and_disputes_on_a_course(database: Database) -> None:
    ledger, disputes = Ledger(database, books=Bookkeeper()), Disputes(database)
    adas = await ledger.append(ANSWER)
    bobs = await ledger.append(replace(ANSWER, user_id="bob", question_id="q2"))
    await ledger.append(replace(ANSWER, course="bio"))
    await disputes.add(DISPUTE)
    await disputes.add(replace(DISPUTE, course="bio"))

    assert await ledger.about("ros") == [adas, bobs]
    assert await ledger.about("ros", question_id="q2") == [bobs]
    assert await disputes.of_course("ros") == [DISPUTE]


async def test_a_threshold_is_a_learners_own_or_a_courses_and_can_be_taken_back(database: Database) -> None:
    choices = ThresholdChoices(database)
    assert await choices.of("ada") is None

    await choices.rule("ros", threshold=0.9, decided_by="teacher", now=NOW)
    await choices.rule("ros", threshold=0.7, decided_by="teacher", now=LATER)
    await choices.choose("ada", threshold=0.0, now=NOW)
    assert await choices.of("ada") == 0.0
    assert await choices.of("bob") is None
    assert await choices.of_courses() == {"ros": 0.7}

    await choices.choose("ada", threshold=None, now=LATER)
    await choices.rule("ros", threshold=None, decided_by="teacher", now=LATER)
    assert await choices.of("ada") is None
    assert await choices.of_courses() == {}
    with pytest.raises(IntegrityError):
        await choices.choose("ada", threshold=1.5, now=NOW)


async def test_a_given_title_outlives_reading_again_and_can_be_taken_back(corpus: Corpus) -> None:
    await corpus.apply(CourseChanges(course="ros", title="Ros 2"), now=NOW)
    before = await corpus.clock()

    assert await corpus.rename_course("ros", title="Robots, year one") is True
    await corpus.apply(CourseChanges(course="ros", title="Ros 2"), now=LATER)
    [course] = await corpus.list_courses()
    assert (course.name, course.title) == ("ros", "Robots, year one")
    assert (await corpus.clock()).revision > before.revision

    await corpus.rename_course("ros", title=None)
    [course] = await corpus.list_courses()
    assert course.title == "Ros 2"
    assert await corpus.rename_course("none", title="x") is False


async def test_where_a_course_was_read_from_is_remembered(corpus: Corpus) -> None:
    await corpus.apply(CourseChanges(course="ros", title="Ros 2"), now=NOW)
    assert await corpus.read_from("ros") == []
    await corpus.note_reading("ros", ["/books/ros"])
    await corpus.note_reading("ros", ["/books/more.md", "/books/ros"])

    assert await corpus.read_from("ros") == ["/books/ros", "/books/more.md"]
    assert await corpus.read_from("none") == []


async def test_every_decision_for_everybody_moves_the_clock_and_nothing_else_does(
    database: Database,
) -> None:
    """By this a process knows that the rulings, calibrations and thresholds that it has read still count."""
    corpus, choices, rulings = Corpus(database), ThresholdChoices(database), QuestionRulings(database)
    calibrations = Calibrations(database)

    async def moves(work: Awaitable[object]) -> bool:
        before = (await corpus.clock()).decided
        await work
        return (await corpus.clock()).decided != before

    ruled = {"course": "ros", "question_id": "q1", "question_text": "?", "decided_by": "t", "now": NOW}
    assert await moves(rulings.add(**ruled, ruling="void"))
    assert not await moves(rulings.add(**ruled, ruling="void")), "it was in force"
    [known] = await rulings.of("ros")
    assert await moves(rulings.withdraw(known.id, now=LATER))
    assert not await moves(rulings.withdraw(known.id, now=LATER)), "it was not in force any more"
    assert await moves(calibrations.add({"x": 1.0}, answers=9, now=NOW))
    assert await moves(calibrations.undo(now=LATER))
    assert not await moves(calibrations.undo(now=LATER))
    assert await moves(choices.rule("ros", threshold=0.9, decided_by="t", now=NOW))
    assert await moves(choices.rule("ros", threshold=None, decided_by="t", now=NOW))
    assert not await moves(choices.choose("ada", threshold=0.9, now=NOW)), "a learner's own"
