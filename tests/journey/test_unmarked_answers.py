"""Answers without a mark: the learner hears what is missing and is still asked, and nothing is made up."""

import pytest

from agents.teaching.grading import Grade
from tests.support.talk import Learner


async def test_why_after_an_answer_that_fits_no_option_says_that_nothing_was_graded(ada: Learner) -> None:
    await ada.say("teach me URDF")
    question = await ada.question()
    assert question.kind == "multiple_choice"
    await ada.reply("banana")
    heard = await ada.say("why?")
    assert "Nothing was graded: “banana” fits none of the options" in heard.text
    assert question.question_text in heard.text
    assert await ada.evidence() == []


async def test_why_after_the_next_mark_is_about_that_mark(ada: Learner) -> None:
    await ada.say("teach me Gazebo")
    await ada.reply("banana")
    await ada.answer(right=False)
    heard = await ada.say("why?")
    assert "I took it as not right, because the course says" in heard.text


@pytest.fixture
async def judge(ada: Learner, monkeypatch: pytest.MonkeyPatch) -> Learner:
    """A learner whose answer nobody could judge, so that they are asked to."""
    await ada.say("teach me ROS 2 topics")
    while (await ada.question()).options:
        await ada.answer(right=True)
    unsure = Grade(is_correct=False, score=0.5, reason="", confident=False)
    with monkeypatch.context() as patched:
        patched.setattr("agents.quiz.brief.code_grade", lambda *_, **__: unsure)
        await ada.reply("something near it")
    return ada


async def test_why_while_the_learner_is_to_judge_says_why_they_are(judge: Learner) -> None:
    before = await judge.evidence()
    heard = await judge.say("why?")
    assert "Your answer was “something near it”" in heard.text
    assert "Does it say what the course says?" in heard.text
    assert await judge.evidence() == before
    await judge.say("yes")
    assert [row.grader for row in await judge.evidence()][len(before) :] == ["learner"]


async def test_after_an_interruption_the_learner_is_still_asked_to_judge(judge: Learner) -> None:
    heard = await judge.say("what is a node?")
    assert "whether your answer (“something near it”) says the same as the course" in heard.text
    await judge.say("no")
    *_, marked = await judge.evidence()
    assert (marked.learner_answer, marked.grader) == ("something near it", "learner")
    assert not marked.is_correct
