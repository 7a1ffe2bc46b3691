"""What a turn begins with, in one statement, is what the repositories say one by one, on both databases."""

from dataclasses import replace
from typing import Any

from agents.bookkeeping import Bookkeeper
from storage.corpus import Corpus
from storage.database import Database
from storage.ledger import Ledger, ThresholdChoices
from storage.lessons import LessonPlace, Lessons, OpenLesson
from storage.openings import Opening, Openings
from tests.support.ledger import ANSWER, NOW

LESSON = OpenLesson(
    user_id="ada",
    session_id="s1",
    kind="quiz",
    asking="a1",
    course="ros",
    topic="URDF",
    cycle_number=1,
    threshold=0.85,
    questions=({"question_id": "q1"}, {"question_id": "q2"}),
    asked_at=NOW,
)
PLACE = LessonPlace(
    user_id="ada",
    course="ros",
    place="chapter",
    part=2,
    topic="URDF",
    session_id="s2",
    lesson={"course": "ros"},
    asking="a1",
    threshold=0.85,
    questions=LESSON.questions,
    kept_at=NOW,
)
HERE: dict[str, Any] = {
    "session_id": "s1",
    "kind": "quiz",
    "question_id": ANSWER.question_id,
    "course": "ros",
    "place": "chapter",
    "part": 2,
}


async def test_a_learner_of_whom_nothing_is_known_opens_with_the_clock_alone(database: Database) -> None:
    clock = await Corpus(database).clock()
    assert await Openings(database).of("ada", **HERE) == Opening(
        clock=clock, own_threshold=None, lesson=None, elsewhere=None, answers=[]
    )


async def test_an_opening_has_all_that_a_turn_begins_with_and_nothing_of_others(database: Database) -> None:
    ledger, lessons = Ledger(database, books=Bookkeeper()), Lessons(database)
    first = await ledger.append(replace(ANSWER, user_id="ada"))
    second = await ledger.append(replace(ANSWER, user_id="ada", asking="again"))
    await ledger.void(first.id, user_id="ada", grader="teacher", reason="unclear", now=NOW)
    await ledger.append(replace(ANSWER, user_id="ada", question_id="another"))
    await ledger.append(replace(ANSWER, user_id="eve"))
    for lesson in (LESSON, replace(LESSON, kind="diagnostic"), replace(LESSON, user_id="eve", asking="e")):
        await lessons.put(lesson)
    for place in (PLACE, replace(PLACE, part=1), replace(PLACE, user_id="eve")):
        await lessons.keep_place(place)
    await ThresholdChoices(database).choose("ada", threshold=0.7, now=NOW)
    await ThresholdChoices(database).choose("eve", threshold=0.6, now=NOW)

    found = await Openings(database).of("ada", **HERE)
    assert found.answers == [first, second] == await ledger.to_question("ada", question_id=ANSWER.question_id)
    assert (found.lesson, found.elsewhere, found.own_threshold) == (LESSON, PLACE, 0.7)


async def test_a_place_that_this_session_left_is_not_elsewhere(database: Database) -> None:
    await Lessons(database).keep_place(replace(PLACE, session_id="s1"))
    assert (await Openings(database).of("ada", **HERE)).elsewhere is None
