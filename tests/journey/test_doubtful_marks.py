"""Marks in doubt: what cannot be read, what only the learner can judge, and what they dispute."""

import pytest

from agents.quiz.marking import code_grade
from agents.teaching.grading import Grade
from agents.teaching.values import QuizQuestion
from tests.support.talk import Learner, Meet


async def test_a_choice_that_cannot_be_read_is_asked_for_again_without_a_word_of_the_answer(
    ada: Learner,
) -> None:
    await ada.say("teach me ROS 2 topics")
    while (await ada.question()).kind != "multiple_choice":
        await ada.answer(right=True)
    question, before = await ada.question(), await ada.evidence()
    heard = await ada.say("the green one")
    assert "nothing was graded" in heard.text
    assert question.source_context not in heard.text
    assert await ada.question() == question
    assert await ada.evidence() == before


async def test_whoever_has_seen_the_answer_can_only_judge_their_own(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where only the learner can tell, the course's words are shown; repeating them proves nothing."""
    await ada.say("quiz me on ROS 2 topics")
    while (question := await ada.question()).kind != "short_answer":
        await ada.answer(right=True)
    before = len(await ada.evidence())
    unsure = Grade(is_correct=False, score=0.5, reason="", confident=False)
    with monkeypatch.context() as patched:
        patched.setattr("agents.quiz.brief.code_grade", lambda *_, **__: unsure)
        heard = await ada.reply("if it asks for what was kept")
    assert "Did your answer say that?" in heard.text
    await ada.say(question.expected_answer)
    assert len(await ada.evidence()) == before
    await ada.say("no, it did not")
    *_, marked = await ada.evidence()
    assert (marked.grader, marked.is_correct) == ("learner", False)


async def test_there_is_nothing_to_dispute_before_the_first_answer(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    heard = await ada.say("I disagree")
    assert "no graded answer" in heard.text
    assert "Question 1 of 4" in heard.text


async def test_disagreeing_does_not_make_another_option_right(ada: Learner) -> None:
    await ada.say("teach me URDF")
    assert (await ada.question()).kind == "multiple_choice"
    await ada.answer(right=False)
    heard = await ada.say("I disagree: my answer means the same")
    assert "would keep it" in heard.text
    assert [row.action for row in await ada.evidence()] == ["answer"]


async def test_disagreeing_without_an_argument_keeps_the_verdict_and_shows_why(meet: Meet) -> None:
    ada = await meet({"quiz_length": 3})
    await ada.say("teach me ROS 2 topics")
    await _miss_one_with_options(ada)
    pending = await ada.question()
    heard = await ada.say("I disagree")
    assert heard.authors == ["quiz"]
    assert "I looked again and would keep it" in heard.text
    assert pending.question_text in heard.text
    assert await ada.question() == pending
    assert [row.action for row in await ada.evidence()][-1] == "answer"


async def test_an_answer_that_we_were_unsure_of_is_voided_when_disputed(ada: Learner) -> None:
    """It counts neither for nor against, in the ledger, in mastery and in the quiz under way."""
    await ada.say("teach me ROS 2 topics")
    while (await ada.question()).kind != "short_answer":
        await ada.answer(right=True)
    await ada.say(_half_an_answer(await ada.question()))
    await ada.say("no")  # asked to compare it with the course themselves, they were too strict
    heard = await ada.say("I disagree, my answer was good enough")
    rows = await ada.evidence()
    assert "no longer counts either way" in heard.text
    assert (rows[-1].action, rows[-1].amends_id) == ("void", rows[-2].id)
    assert (await ada.state()).quiz_responses[-1].grader == "voided"
    again = await ada.say("I still disagree")
    assert "already" in again.text
    assert len(await ada.evidence()) == len(rows)


def _half_an_answer(question: QuizQuestion) -> str:
    """The beginning of the right answer, so far that the grader is not sure."""
    words = question.expected_answer.split()
    beginnings = (" ".join(words[:count]) for count in range(1, len(words)))
    return next(text for text in beginnings if not code_grade(question, text).confident)


async def _miss_one_with_options(ada: Learner) -> None:
    while not (await ada.question()).options:
        await ada.answer(right=True)
    await ada.answer(right=False)
