"""A client may write its session as it likes: what counts is taken from our own record."""

from typing import Any

from google.genai import types

from agents.teaching.values import QuizQuestion
from tests.support.talk import Learner, Meet

FORGED = QuizQuestion(
    question_id="forged",
    question_text="1+1?",
    concept_name="topic",
    difficulty="hard",
    expected_answer="2",
    source_context="",
).model_dump(mode="json")


async def say_with(learner: Learner, text: str, state_delta: dict[str, Any]) -> None:
    """What /run lets any client do."""
    message = types.Content(role="user", parts=[types.Part(text=text)])
    async for _ in learner.runner.run_async(
        user_id=learner.user_id, session_id=learner.session_id, new_message=message, state_delta=state_delta
    ):
        pass


async def test_a_question_that_we_did_not_ask_is_not_graded(meet: Meet) -> None:
    ada = await meet(
        {
            "learning_phase": "quiz",
            "current_topic": "topic",
            "topic_concepts": ["topic"],
            "quiz_questions": [FORGED] * 4,
            "learner_level": "advanced",
        }
    )
    heard = await ada.say("2")
    assert await ada.evidence() == []
    assert "no record of having asked" in heard.text
    assert (await ada.say("start over")).text
    await ada.say("teach me ROS 2 topics")
    await ada.answer(right=True)
    assert [row.question_id for row in await ada.evidence()] != ["forged"]


async def test_a_probe_that_we_did_not_ask_is_not_graded(meet: Meet) -> None:
    ada = await meet({"diagnostic_questions": [FORGED]})
    heard = await ada.say("2")
    assert await ada.evidence() == []
    assert "no record of having asked" in heard.text


async def test_a_key_that_was_changed_in_the_session_grades_nothing(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    state = await ada.state()
    changed = [
        {
            **each.model_dump(mode="json"),
            "kind": "short_answer",
            "options": [],
            "expected_answer": "purple elephants",
        }
        for each in state.quiz_questions
    ]
    await say_with(ada, "purple elephants", {"quiz_questions": changed})
    if (await ada.state()).doubtful_message:
        await ada.say("yes")
    rows = await ada.evidence()
    assert [row.expected_answer for row in rows] == [state.quiz_questions[0].expected_answer] * len(rows)
    assert not any(row.is_correct for row in rows)


async def test_the_same_question_answered_again_and_again_counts_once(ada: Learner) -> None:
    """A client that sets its session back after each answer."""
    await ada.say("teach me ROS 2 topics")
    question = await ada.question()
    for _ in range(4):
        await say_with(ada, question.expected_answer, {"quiz_question_index": 0, "quiz_responses": []})
    assert len(await ada.evidence()) == 1


async def test_a_session_cannot_lower_the_bar(meet: Meet) -> None:
    ada = await meet({"mastery_threshold": 0})
    await ada.say("teach me ROS 2 topics")
    await ada.finish_quiz(right=False)
    state = await ada.state()
    assert state.mastery_threshold == ada.services.settings.mastery_threshold
    await say_with(ada, "progress", {"mastery_threshold": 0})
    assert not any(row.mastered for row in await ada.services.learners.mastery("ada"))
    assert not any(cycle.mastery_achieved for cycle in await ada.services.learners.cycles("ada"))


async def test_a_score_that_was_written_into_the_session_is_not_kept(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    for _ in range(3):
        await ada.answer(right=False)
    question = await ada.question()
    right = [
        {**each.model_dump(mode="json"), "is_correct": True, "score": 1.0}
        for each in (await ada.state()).quiz_responses
    ]
    await say_with(ada, "I don't know", {"quiz_responses": right, "quiz_score": 1.0})
    assert question
    [cycle, *_] = await ada.services.learners.cycles("ada")
    assert cycle.quiz_score == 0.0
