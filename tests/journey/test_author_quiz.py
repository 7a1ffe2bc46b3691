"""A lesson asks what its author asks, and what the learner answers counts for what the lesson teaches."""

from pathlib import Path

import pytest

from tests.support.exercises import read_asked, write
from tests.support.talk import Learner, Meet

SPRINGS = """# Springs

A **spring constant** is the force that stretches a spring by one metre. A stiff spring has a large one, and it is
measured by hanging a known weight on the spring and by reading how much longer the spring has become.

## Exercises

Ask: What does a stiff spring have?
+ a large spring constant (it takes more force to stretch it)
- a small spring constant

Ask (numeric): A spring gets 2 m longer by 6 N. What is its spring constant in N/m?
Key: 3

Ask (short_answer): What is hung on a spring to measure its spring constant?
Key: a known weight

Ask: Which essay would you write about springs?
"""


@pytest.fixture
async def ada(meet: Meet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Learner:
    read_asked(monkeypatch)
    course = write(tmp_path / "physics", {"1-springs": SPRINGS})
    return await meet(TUTOR_COURSE_DIR=str(course))


async def test_the_authors_questions_are_asked_and_those_without_an_answer_are_not(ada: Learner) -> None:
    await ada.say("teach me Springs")
    await ada.say("ready")
    asked = (await ada.state()).quiz_questions
    assert [each.kind for each in asked[:3]] == ["multiple_choice", "numeric", "short_answer"]
    assert {each.origin for each in asked[:3]} == {"author"}
    assert not any("essay" in each.question_text for each in asked)


async def test_where_the_author_asks_for_numbers_words_alone_are_no_mastery(ada: Learner) -> None:
    await ada.say("teach me Springs")
    await ada.say("ready")
    for each in (await ada.state()).quiz_questions:
        await ada.answer(right=each.kind != "numeric")
        if (await ada.state()).self_check_answer:
            await ada.say("yes")
    rows = await ada.evidence()
    assert {row.kind: row.shows_part for row in rows}["numeric"] is False
    assert all(row.shows_part for row in rows if row.kind != "numeric")
    assert not any(row.mastered for row in await ada.services.learners.mastery("ada"))


async def test_what_was_asked_is_counted_for_the_question(ada: Learner) -> None:
    await ada.say("teach me Springs")
    await ada.say("ready")
    question = await ada.question()
    await ada.answer(right=True)
    figures = await ada.services.library.corpus.items.figures("physics")
    assert (figures[question.question_id].times_asked, figures[question.question_id].times_right) == (1, 1)


async def test_a_second_quiz_asks_something_else_first(ada: Learner) -> None:
    await ada.say("teach me Springs")
    await ada.say("ready")
    first = {each.question_id for each in (await ada.state()).quiz_questions}
    await ada.finish_quiz(right=False)
    await ada.say("ready")
    second = [each.question_id for each in (await ada.state()).quiz_questions]
    assert second, "missed is taught and asked again"
    repeated = [each in first for each in second]
    assert repeated == sorted(repeated)


async def test_a_diagnostic_asks_what_the_author_asks_and_code_can_mark(ada: Learner) -> None:
    await ada.say("find my gaps in spring constant")
    question = await ada.question()
    assert question.origin == "author"
    assert question.kind in ("multiple_choice", "numeric", "short_answer")


async def test_practice_with_numbers_is_the_authors_calculations(ada: Learner) -> None:
    await ada.say("give me a practice problem with numbers")
    assert [each.kind for each in (await ada.state()).quiz_questions] == ["numeric"]
