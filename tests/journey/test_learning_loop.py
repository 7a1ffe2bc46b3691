"""Learners go through the real Runner: explanation, quiz, feedback, again until mastered."""

from datetime import datetime

import pytest

from agents.teaching.lesson import Lesson
from agents.tutor.offline import LessonPlan, explanation
from tests.support.talk import Learner, Meet


async def test_teaching_explains_with_citations_and_ends_at_the_first_question(ada: Learner) -> None:
    heard = await ada.say("teach me ROS 2 topics")
    response = await ada.response()
    assert heard.authors == ["tutor", "quiz"]
    assert "[1]" in heard.messages[0][1]
    assert "Question 1 of 4" in heard.messages[1][1]
    assert response.grounded
    assert response.citations[0].chapter_id == "module-1-ros2/ch2-topics"


async def test_two_right_answers_on_each_concept_master_a_topic_in_two_cycles(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    concepts = (await ada.state()).topic_concepts
    first = await ada.finish_quiz(right=True)
    assert first.authors == ["quiz", "feedback", "tutor", "quiz"]
    assert (await ada.state()).quiz_score == 1.0, "of the quiz that is over, until the next has an answer"
    await ada.say("I disagree")
    assert (await ada.state()).quiz_score == 1.0
    assert "more right answer" in (await ada.say("what is my progress?")).text
    assert not await ada.services.learners.gaps("ada", course=(await ada.state()).course)
    heard = await ada.finish_quiz(right=True)
    state = await ada.state()
    cycles = await ada.services.learners.cycles("ada")
    assert heard.authors == ["quiz", "feedback"]
    assert state.mastery_score >= 0.85
    assert state.learning_phase == ""
    assert state.suggestion
    assert state.quiz_score == 1.0
    assert (state.learning_path, state.next_topic, state.path_reasoning) == ([], "", ""), "nobody has planned"
    assert [(cycle.cycle_number, cycle.quiz_score, cycle.mastery_achieved) for cycle in cycles] == [
        (1, 1.0, False),
        (2, 1.0, True),
    ]
    mastered = {
        row.concept_name
        for row in await ada.services.learners.mastery("ada", course=state.course)
        if row.mastered
    }
    assert mastered >= set(concepts)


async def test_a_round_begins_when_its_explanation_does(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    explained: list[datetime] = []

    def noted(brief: LessonPlan) -> Lesson:
        explained.append(ada.services.now())
        return explanation(brief)

    monkeypatch.setattr("agents.tutor.brief.explanation", noted)
    await ada.say("teach me ROS 2 topics")
    await ada.finish_quiz(right=False)
    cycles = await ada.services.learners.cycles("ada")
    assert len(cycles) == len(explained) == 2
    assert all(cycle.started_at < told for cycle, told in zip(cycles, explained, strict=True))


async def test_a_skipped_concept_keeps_its_topic_open(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    skipped = (await ada.question()).concept_name
    for _ in range(2):
        while (await ada.state()).learning_phase == "quiz":
            before = (await ada.state()).learning_cycle_count
            is_it = (await ada.question()).concept_name == skipped
            await (ada.say("skip") if is_it else ada.answer(right=True))
            if (await ada.state()).learning_cycle_count > before:
                break
    state = await ada.state()
    assert state.learning_phase == "quiz"
    assert state.improvement_areas == [skipped]


async def test_a_missed_question_brings_another_cycle_on_what_was_missed_with_new_items(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    first = (await ada.state()).quiz_questions
    await ada.answer(right=False)
    heard = await ada.finish_quiz(right=True)
    state = await ada.state()
    assert heard.authors == ["quiz", "feedback", "tutor", "quiz"]
    assert state.learning_cycle_count == 1
    assert first[0].concept_name in state.improvement_areas
    assert not {question.question_id for question in state.quiz_questions} & {
        question.question_id for question in first
    }
    explanations = [text for author, text in heard.messages if author == "tutor"]
    assert explanations


async def test_mastery_may_take_three_cycles(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    for _ in range(2):
        await ada.answer(right=False)
        await ada.finish_quiz(right=True)
    while (await ada.state()).learning_phase == "quiz":
        await ada.finish_quiz(right=True)
    cycles = await ada.services.learners.cycles("ada")
    assert 3 <= len(cycles) <= 5
    assert [cycle.mastery_achieved for cycle in cycles] == [False] * (len(cycles) - 1) + [True]


async def test_after_five_cycles_without_mastery_the_way_out_is_offered(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    heard = None
    for _ in range(5):
        heard = await ada.finish_quiz(right=False)
    state = await ada.state()
    assert heard is not None
    assert heard.authors == ["quiz", "feedback"]
    assert (state.learning_cycle_count, state.learning_phase) == (5, "")
    plan = await ada.say("yes please")
    assert plan.authors == ["pathplanner"]
    assert (await ada.state()).learning_path
    assert (await ada.say("yes")).authors == ["tutor", "quiz"]


async def test_no_question_comes_again_while_there_are_others(ada: Learner) -> None:
    """The quality of service is told in many sentences: two rounds have questions of their own."""
    await ada.say("teach me quality of service")
    asked = []
    for _ in range(2):
        asked += [question.question_id for question in (await ada.state()).quiz_questions]
        await ada.finish_quiz(right=False)
    assert len(set(asked)) == len(asked) >= 8


async def test_every_cycle_asks_about_the_topic_and_nothing_else(ada: Learner) -> None:
    await ada.say("teach me middleware")
    for _ in range(5):
        state = await ada.state()
        assert {question.concept_name for question in state.quiz_questions} <= set(state.topic_concepts)
        assert set(state.improvement_areas) <= set(state.topic_concepts)
        await ada.finish_quiz(right=False)


async def test_the_quiz_asks_only_about_what_was_explained(ada: Learner) -> None:
    heard = await ada.say("teach me Topics, messages and quality of service")
    explained = heard.messages[0][1].lower()
    assert all(question.concept_name in explained for question in (await ada.state()).quiz_questions)


async def test_quiz_me_goes_straight_to_the_questions(ada: Learner) -> None:
    heard = await ada.say("quiz me on loop closure")
    assert heard.authors == ["quiz"]
    assert "Question 1 of" in heard.text
    assert len(await ada.services.learners.cycles("ada")) == 1


async def test_an_answer_after_a_restart_is_scored_once(ada: Learner) -> None:
    """A learner who comes back tomorrow answers the question that was open."""
    await ada.say("teach me URDF")
    expected = (await ada.question()).expected_answer
    ada = await ada.restarted()
    heard = await ada.say(expected)
    assert "Question 2 of" in heard.text
    assert [row.is_correct for row in await ada.evidence()] == [True]
    await ada.close()


async def test_the_threshold_of_a_session_decides(meet: Meet) -> None:
    ada = await meet({"mastery_threshold": 0.99})
    await ada.say("teach me ROS 2 topics")
    await ada.finish_quiz(right=True)
    assert (await ada.state()).learning_phase == "quiz"
    assert not (await ada.services.learners.cycles("ada"))[0].mastery_achieved


async def test_the_quiz_length_and_the_cycles_of_a_session_decide(meet: Meet) -> None:
    ada = await meet({"quiz_length": 3, "max_cycles": 1})
    await ada.say("teach me ROS 2 topics")
    assert len((await ada.state()).quiz_questions) == 3
    heard = await ada.finish_quiz(right=False)
    assert heard.authors == ["quiz", "feedback"]
    assert (await ada.state()).learning_phase == ""


async def test_every_hand_over_is_recorded_with_its_reason_and_message(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    await ada.answer(right=True)
    rows = await ada.transition_rows()
    assert await ada.transitions() == [
        ("user", "coordinator"),
        ("coordinator", "learning_loop"),
        ("learning_loop", "tutor"),
        ("tutor", "quiz"),
        ("user", "coordinator"),
        ("coordinator", "learning_loop"),
        ("learning_loop", "quiz"),
    ]
    assert rows[0].message_excerpt == "teach me ROS 2 topics"
    assert all(row.reason for row in rows)
