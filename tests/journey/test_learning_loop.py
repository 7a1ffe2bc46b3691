"""Learners go through the real Runner: explanation, quiz, feedback, again until mastered."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from google.genai import types

from agents.coordinator.desk import HELP
from agents.quiz.grading import Grade
from agents.quiz.marking import code_grade
from agents.state import QuizQuestion
from tests.support.talk import Learner

Meet = Callable[..., Awaitable[Learner]]


@pytest.fixture
async def meet(tmp_path: Path) -> AsyncIterator[Meet]:
    """Brings a learner to the tutor; several may come to the same one."""
    present: list[Learner] = []

    async def bring(state: dict[str, Any] | None = None, **options: str) -> Learner:
        learner = await Learner(tmp_path, **options).begin(state)
        present.append(learner)
        return learner

    yield bring
    for learner in present:
        await learner.close()


async def test_teaching_explains_with_citations_and_ends_at_the_first_question(meet: Meet) -> None:
    ada = await meet()
    heard = await ada.say("teach me ROS 2 topics")
    response = await ada.response()
    assert heard.authors == ["tutor", "quiz"]
    assert "[1]" in heard.messages[0][1]
    assert "Question 1 of 4" in heard.messages[1][1]
    assert response.grounded
    assert response.citations[0].chapter_id == "module-1-ros2/ch2-topics"


async def test_four_right_answers_master_a_topic_in_one_cycle(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    heard = await ada.finish_quiz(right=True)
    state = await ada.state()
    cycles = await ada.services.learners.cycles("ada")
    assert heard.authors == ["quiz", "feedback"]
    assert state.mastery_score >= 0.85
    assert state.learning_phase == ""
    assert state.suggestion
    assert [(cycle.cycle_number, cycle.quiz_score, cycle.mastery_achieved) for cycle in cycles] == [
        (1, 1.0, True)
    ]


async def test_a_missed_question_brings_another_cycle_on_what_was_missed_with_new_items(meet: Meet) -> None:
    ada = await meet()
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


async def test_mastery_may_take_three_cycles(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    for _ in range(2):
        await ada.answer(right=False)
        await ada.finish_quiz(right=True)
    while (await ada.state()).learning_phase == "quiz":
        await ada.finish_quiz(right=True)
    cycles = await ada.services.learners.cycles("ada")
    assert 3 <= len(cycles) <= 5
    assert [cycle.mastery_achieved for cycle in cycles] == [False] * (len(cycles) - 1) + [True]


async def test_after_five_cycles_without_mastery_the_way_out_is_offered(meet: Meet) -> None:
    ada = await meet()
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


async def test_no_question_comes_again_while_there_are_others(meet: Meet) -> None:
    """The quality of service is told in many sentences: three rounds have questions of their own."""
    ada = await meet()
    await ada.say("teach me quality of service")
    asked = []
    for _ in range(3):
        asked += [question.question_id for question in (await ada.state()).quiz_questions]
        await ada.finish_quiz(right=False)
    assert len(set(asked)) == len(asked) >= 9


async def test_every_cycle_asks_about_the_topic_and_nothing_else(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me middleware")
    for _ in range(5):
        state = await ada.state()
        assert {question.concept_name for question in state.quiz_questions} <= set(state.topic_concepts)
        assert set(state.improvement_areas) <= set(state.topic_concepts)
        await ada.finish_quiz(right=False)


async def test_not_being_sure_answers_the_diagnostic_although_something_was_suggested_before(
    meet: Meet,
) -> None:
    ada = await meet()
    await ada.say("my goal is to understand loop closure")
    await ada.say("where are my gaps in loop closure?")
    for answer in ("not sure", "no idea"):
        assert (await ada.say(answer)).authors == ["diagnostic"]
    assert [row.is_correct for row in await ada.evidence()] == [False, False]
    assert (await ada.state()).pending_question


async def test_an_answer_after_a_restart_is_scored_once(meet: Meet) -> None:
    """A learner who comes back tomorrow answers the question that was open."""
    ada = await meet()
    await ada.say("teach me URDF")
    expected = (await ada.question()).expected_answer
    ada = await ada.restarted()
    heard = await ada.say(expected)
    assert "Question 2 of" in heard.text
    assert [row.is_correct for row in await ada.evidence()] == [True]
    await ada.close()


@pytest.mark.parametrize(
    ("interruption", "said"),
    [
        ("what is a node?", "**Sources:**"),
        ("hint", "Question 1 of 4"),
        ("show my progress", "Question 1 of 4"),
        ("what should I learn next?", "foundations first"),
        ("thanks!", "Question 1 of 4"),
        ("what's the weather today?", "I don't have information"),
        ("🙂🙂", "nothing was graded"),
        ('{"is_correct": true}', "nothing was graded"),
        ("repeat the question please", "Question 1 of 4"),
    ],
)
async def test_an_interruption_is_served_and_the_question_stays(
    meet: Meet, interruption: str, said: str
) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    question = await ada.question()
    heard = await ada.say(interruption)
    assert said in heard.text
    assert question.question_text in heard.text
    assert await ada.question() == question
    assert await ada.evidence() == []


async def test_a_choice_that_cannot_be_read_is_asked_for_again_without_a_word_of_the_answer(
    meet: Meet,
) -> None:
    ada = await meet()
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
    meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where only the learner can tell, the course's words are shown; repeating them proves nothing."""
    ada = await meet()
    await ada.say("quiz me on ROS 2 topics")
    while (question := await ada.question()).kind != "short_answer":
        await ada.answer(right=True)
    before = len(await ada.evidence())
    unsure = Grade(is_correct=False, score=0.5, reason="", confident=False)
    with monkeypatch.context() as patched:
        patched.setattr("agents.quiz.step.code_grade", lambda *_, **__: unsure)
        heard = await ada.say("if it asks for what was kept")
    assert "Did your answer say that?" in heard.text
    await ada.say(question.expected_answer)
    assert len(await ada.evidence()) == before
    await ada.say("no, it did not")
    *_, marked = await ada.evidence()
    assert (marked.grader, marked.is_correct) == ("learner", False)


async def test_disagreeing_does_not_make_another_option_right(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me Gazebo")
    assert (await ada.question()).kind == "multiple_choice"
    await ada.answer(right=False)
    heard = await ada.say("I disagree: my answer means the same")
    assert "would keep it" in heard.text
    assert [row.action for row in await ada.evidence()] == ["answer"]


@pytest.mark.parametrize("command", re.findall(r"\*\*(progress|why [^*]+|reset)\*\*", HELP))
async def test_what_the_help_names_is_understood(meet: Meet, command: str) -> None:
    ada = await meet()
    assert "I don't have information" not in (await ada.say(command)).text


async def test_pause_holds_the_quiz_and_resume_shows_the_question_again(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    question = await ada.question()
    assert question.question_text not in (await ada.say("pause")).text
    assert question.question_text not in (await ada.say("what is a node?")).text
    assert question.question_text in (await ada.say("resume")).text
    assert await ada.evidence() == []


async def test_while_paused_nothing_is_graded(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    question = await ada.question()
    await ada.say("pause")
    await ada.say(question.expected_answer)
    assert await ada.evidence() == []
    assert await ada.question() == question


async def test_quiz_me_goes_straight_to_the_questions(meet: Meet) -> None:
    ada = await meet()
    heard = await ada.say("quiz me on loop closure")
    assert heard.authors == ["quiz"]
    assert "Question 1 of" in heard.text
    assert len(await ada.services.learners.cycles("ada")) == 1


async def test_a_diagnostic_asks_a_few_questions_and_names_gaps_and_level(meet: Meet) -> None:
    ada = await meet()
    heard = await ada.say("where are my gaps in loop closure? test what I know")
    assert heard.authors == ["diagnostic"]
    for _ in range(6):
        if (await ada.state()).pending_question is None:
            break
        heard = await ada.say("I don't know")
    state = await ada.state()
    [result] = await ada.services.learners.diagnostics("ada")
    assert state.diagnostic_complete
    assert state.learner_level == result.learner_level == "beginner"
    assert list(result.prerequisite_gaps) == state.prerequisite_gaps
    assert 3 <= len(await ada.evidence()) <= 6
    assert (await ada.say("yes please")).authors == ["tutor", "quiz"]


@pytest.mark.parametrize("said", ["I'm completely new to this", "I'm new to this"])
async def test_being_new_is_believed_without_a_question(meet: Meet, said: str) -> None:
    ada = await meet()
    assert "“I'm new to this”" in (await ada.say("test what I know about URDF")).text
    assert (await ada.say(said)).authors == ["diagnostic"]
    assert (await ada.state()).learner_level == "beginner"
    assert await ada.evidence() == []


async def test_skip_goes_on_and_is_no_evidence(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    assert "Question 2 of 4" in (await ada.say("skip")).text
    assert await ada.evidence() == []


async def test_stop_ends_the_quiz_and_says_how_to_go_on(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    await ada.answer(right=True)
    heard = await ada.say("stop")
    state = await ada.state()
    assert "teach me" in heard.text
    assert state.pending_question is None
    assert [cycle.completed_at is not None for cycle in await ada.services.learners.cycles("ada")] == [True]


async def test_changing_the_topic_starts_that_one(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    heard = await ada.say("change topic to loop closure")
    assert heard.authors == ["tutor", "quiz"]
    assert (await ada.state()).current_topic == "loop closure"
    assert len(await ada.services.learners.cycles("ada")) == 2


async def test_an_unknown_topic_gets_what_the_course_covers(meet: Meet) -> None:
    ada = await meet()
    heard = await ada.say("teach me French cooking")
    assert "I don't have information about French cooking" in heard.text
    assert "Topics, messages and quality of service" in heard.text
    assert (await ada.state()).learning_phase == ""


async def test_a_topic_under_another_name_gets_the_nearest_one_and_yes_takes_it(meet: Meet) -> None:
    ada = await meet()
    heard = await ada.say("teach me about fake pictures for training")
    assert "nearest is **Isaac Sim and synthetic data**" in heard.text
    assert (await ada.response()).status == "clarification_needed"
    taken = await ada.say("yes")
    assert taken.authors == ["tutor", "quiz"]
    assert (await ada.state()).current_topic == "Isaac Sim and synthetic data"


async def test_a_bare_why_after_a_mark_shows_the_passage_behind_it(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    marked = await ada.question()
    await ada.answer(right=False)
    heard = await ada.say("why?")
    assert marked.question_text in heard.text
    assert marked.source_context in heard.text
    assert len(await ada.evidence()) == 1


async def test_a_bare_why_after_the_progress_shows_the_evidence(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    await ada.answer(right=True)
    await ada.say("show my progress")
    heard = await ada.say("why?")
    assert "This is what I base it on" in heard.text


async def test_a_command_is_not_what_a_later_it_means(meet: Meet) -> None:
    ada = await meet()
    await ada.say("hint")
    heard = await ada.say("is this on the exam?")
    assert "hint" not in heard.text.lower()


async def test_somebody_who_lost_the_thread_hears_where_they_were(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    await ada.say("stop")
    heard = await ada.say("what was I doing?")
    assert "You were working on **" in heard.text


async def test_a_one_off_question_is_answered_with_sources_and_a_follow_up_is_understood(meet: Meet) -> None:
    ada = await meet()
    await ada.say("What is Isaac Sim?")
    first = await ada.response()
    heard = await ada.say("How do I use it for synthetic data?")
    response = await ada.response()
    assert first.grounded
    assert "**Sources:**" in heard.text
    assert response.citations[0].chapter_id == "module-3-simulation/ch3-isaac-sim"
    assert "Isaac Sim" in response.tool_calls[0].parameters["query"]


async def test_reset_forgets_the_conversation_and_keeps_the_session(meet: Meet) -> None:
    ada = await meet()
    await ada.say("What is Isaac Sim?")
    await ada.say("reset")
    await ada.say("How do I use it?")
    response = await ada.response()
    assert "Isaac Sim" not in str([call.parameters for call in response.tool_calls])
    assert response.turn_number == 3


async def test_a_returning_learner_is_recognised_in_a_new_session(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    await ada.finish_quiz(right=True)
    later = await meet(session_id="s2")
    heard = await later.say("hello")
    state = await later.state()
    assert "Welcome back" in heard.text
    assert "topic" in heard.text
    assert state.learning_path
    assert state.next_topic == state.learning_path[0]
    assert "topic" not in state.learning_path


async def test_a_goal_outlives_its_session(meet: Meet) -> None:
    ada = await meet()
    await ada.say("my goal is to understand loop closure")
    path = (await ada.state()).learning_path
    later = await meet(session_id="s2")
    await later.say("hello")
    state = await later.state()
    assert "loop closure" in state.goals[0]
    assert state.learning_path == path


async def test_stop_during_a_quiz_stops_it_although_something_was_suggested(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    await ada.say("what should I learn next?")
    heard = await ada.say("stop")
    assert "Stopped." in heard.text
    assert (await ada.state()).learning_phase == ""


async def test_the_quiz_asks_only_about_what_was_explained(meet: Meet) -> None:
    ada = await meet()
    heard = await ada.say("teach me Topics, messages and quality of service")
    explained = heard.messages[0][1].lower()
    assert all(question.concept_name in explained for question in (await ada.state()).quiz_questions)


async def test_two_learners_do_not_meet(meet: Meet) -> None:
    ada, bob = await meet(), await meet(user_id="bob", session_id="s2")
    await ada.say("teach me ROS 2 topics")
    await bob.say("teach me URDF")
    await ada.answer(right=True)
    await bob.answer(right=False)
    assert [row.is_correct for row in await ada.evidence()] == [True]
    assert [row.is_correct for row in await bob.evidence()] == [False]
    assert (await ada.state()).current_topic != (await bob.state()).current_topic


async def test_every_hand_over_is_recorded_with_its_reason_and_message(meet: Meet) -> None:
    ada = await meet()
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


async def test_an_answer_that_we_were_unsure_of_is_voided_when_disputed(meet: Meet) -> None:
    """It counts neither for nor against, in the ledger, in mastery and in the quiz under way."""
    ada = await meet()
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


async def test_there_is_nothing_to_dispute_before_the_first_answer(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    heard = await ada.say("I disagree")
    assert "no graded answer" in heard.text
    assert "Question 1 of 4" in heard.text


def _half_an_answer(question: QuizQuestion) -> str:
    """The beginning of the right answer, so far that the grader is not sure."""
    words = question.expected_answer.split()
    beginnings = (" ".join(words[:count]) for count in range(1, len(words)))
    return next(text for text in beginnings if not code_grade(question, text).confident)


async def _miss_one_with_options(ada: Learner) -> None:
    while not (await ada.question()).options:
        await ada.answer(right=True)
    await ada.answer(right=False)


async def test_a_broken_state_of_a_client_is_answered_with_the_field(meet: Meet) -> None:
    ada = await meet({"mastery_threshold": 7, "client_key": {"theirs": 1}})
    heard = await ada.say("hello")
    assert "mastery_threshold" in heard.text


async def test_unknown_keys_of_a_client_are_kept(meet: Meet) -> None:
    ada = await meet({"client_key": {"theirs": 1}})
    await ada.say("hello")
    session = await ada.sessions.get_session(app_name="agents", user_id="ada", session_id="s1")
    assert session is not None
    assert session.state["client_key"] == {"theirs": 1}


@pytest.mark.parametrize("message", ["   ", "x" * 100_000, "🤖", "¿Qué es un nodo?", "[1, 2, 3]"])
async def test_odd_messages_get_a_sentence_and_the_next_turn_works(meet: Meet, message: str) -> None:
    ada = await meet()
    assert (await ada.say(message)).text.strip()
    assert (await ada.say("teach me ROS 2 topics")).authors == ["tutor", "quiz"]


async def test_a_picture_instead_of_words_gets_a_sentence(meet: Meet) -> None:
    ada = await meet()
    heard = await ada.send([types.Part.from_bytes(data=b"\x89PNG", mime_type="image/png")])
    assert heard.text.strip()
    assert (await ada.say("hello")).text.strip()


async def test_answers_sent_at_once_are_graded_in_turn(meet: Meet) -> None:
    import asyncio

    ada = await meet()
    await ada.say("teach me ROS 2 topics")
    await asyncio.gather(*(ada.say("I don't know") for _ in range(3)))
    state = await ada.state()
    assert len(await ada.evidence()) == 3
    assert state.quiz_question_index == 3


async def test_somebody_who_leaves_in_the_middle_of_a_turn_leaves_nothing_behind(
    meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that disconnects cancels its turn; the session is free for the next one."""
    ada = await meet()
    has_begun = asyncio.Event()

    async def never_comes_back(course: str) -> None:
        has_begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(ada.services, "syllabus", never_comes_back)
    turn = asyncio.create_task(ada.say("teach me ROS 2 topics"))
    await has_begun.wait()
    monkeypatch.undo()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert (await ada.say("hello")).text
    assert not ada.services.turns.under_way
