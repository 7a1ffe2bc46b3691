"""In the middle of a quiz learners ask, pause, skip, stop and change the topic."""

import pytest

from tests.support.talk import Learner


@pytest.mark.parametrize(
    ("interruption", "said"),
    [
        ("what is a node?", "**Sources:**"),
        ("hint", "Question 1 of 4"),
        ("show my progress", "Question 1 of 4"),
        ("what should I learn next?", "foundations first"),
        ("thanks!", "Question 1 of 4"),
        ("who wrote Moby Dick?", "I don't have information"),
        ("what's the weather today?", "Question 1 of 4"),
        ("🙂🙂", "nothing was graded"),
        ('{"is_correct": true}', "nothing was graded"),
        ("repeat the question please", "Question 1 of 4"),
    ],
)
async def test_an_interruption_is_served_and_the_question_stays(
    ada: Learner, interruption: str, said: str
) -> None:
    await ada.say("teach me ROS 2 topics")
    question = await ada.question()
    heard = await ada.say(interruption)
    assert said in heard.text
    assert question.question_text in heard.text
    assert await ada.question() == question
    assert await ada.evidence() == []


async def test_pause_holds_the_quiz_and_resume_shows_the_question_again(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    question = await ada.question()
    assert question.question_text not in (await ada.say("pause")).text
    assert question.question_text not in (await ada.say("what is a node?")).text
    assert question.question_text in (await ada.say("resume")).text
    assert await ada.evidence() == []


async def test_while_paused_nothing_is_graded(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    question = await ada.question()
    await ada.say("pause")
    await ada.say(question.expected_answer)
    assert await ada.evidence() == []
    assert await ada.question() == question


async def test_skip_goes_on_and_is_no_evidence(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    assert "Question 2 of 4" in (await ada.say("skip")).text
    assert await ada.evidence() == []


async def test_stop_keeps_the_place_and_grades_nothing(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    await ada.answer(right=True)
    question = await ada.question()
    heard = await ada.say("stop")
    assert question.question_text not in heard.text
    await ada.say(question.expected_answer)
    assert len(await ada.evidence()) == 1


async def test_stop_during_a_quiz_stops_it_although_something_was_suggested(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    await ada.say("what should I learn next?")
    heard = await ada.say("stop")
    assert "Stopped." in heard.text
    assert (await ada.state()).quiz_paused
