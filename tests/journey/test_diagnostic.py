"""The diagnostic in conversation: a few questions, or none for somebody who says that they are new."""

import pytest

from agents.teaching.grading import Grade
from tests.support.talk import Learner


async def test_a_diagnostic_asks_a_few_questions_and_names_gaps_and_level(ada: Learner) -> None:
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


async def test_not_being_sure_answers_the_diagnostic_although_something_was_suggested_before(
    ada: Learner,
) -> None:
    await ada.say("my goal is to understand loop closure")
    await ada.say("where are my gaps in loop closure?")
    for answer in ("not sure", "no idea"):
        assert (await ada.say(answer)).authors == ["diagnostic"]
    assert [row.is_correct for row in await ada.evidence()] == [False, False]
    assert (await ada.state()).pending_question


@pytest.mark.parametrize("said", ["I'm completely new to this", "I'm new to this"])
async def test_being_new_is_believed_without_a_question(ada: Learner, said: str) -> None:
    assert "“I'm new to this”" in (await ada.say("test what I know about URDF")).text
    assert (await ada.say(said)).authors == ["diagnostic"]
    assert (await ada.state()).learner_level == "beginner"
    assert await ada.evidence() == []


async def test_a_probe_never_asks_for_what_it_is_called_after(ada: Learner) -> None:
    """“Before we start on **URDF** …” and then “What do we call …?”: no need to know it."""
    await ada.say("where are my gaps in URDF?")
    while (question := (await ada.state()).pending_question) is not None:
        assert "URDF" not in question.expected_answer
        await ada.answer(right=True)


async def test_an_answer_that_cannot_be_read_is_not_counted(ada: Learner) -> None:
    await ada.say("where are my gaps in loop closure?")
    question = await ada.question()
    assert question.kind == "multiple_choice"
    heard = await ada.reply("the blue one")
    assert "doesn't count" in heard.text
    assert "Question 2, at most 6" in heard.text
    assert await ada.evidence() == []


async def test_nothing_is_concluded_from_answers_that_nobody_could_read(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsure = Grade(is_correct=False, score=0.0, reason="", confident=False)
    monkeypatch.setattr("agents.diagnostic.brief.code_grade", lambda *_, **__: unsure)
    heard = await ada.say("where are my gaps in loop closure?")
    asked = 0
    while (await ada.state()).is_probing:
        asked += 1
        assert f"Question {asked}, at most 6" in heard.text
        heard = await ada.reply("the blue one")
    assert asked > 2
    state = await ada.state()
    assert "I conclude nothing about what you know" in heard.text
    assert (state.diagnostic_complete, state.learner_level, state.prerequisite_gaps) == (True, "unknown", [])
    assert await ada.services.learners.diagnostics("ada") == []


async def test_nothing_is_concluded_without_a_question(ada: Learner, monkeypatch: pytest.MonkeyPatch) -> None:
    """A course that gives nothing to ask about shows no gaps, and no strengths either."""
    monkeypatch.setattr("agents.diagnostic.brief.question_about", lambda *_, **__: None)
    heard = await ada.say("where are my gaps in loop closure?")
    assert "nothing to ask" in heard.text
    assert "no gaps" not in heard.text
    assert await ada.services.learners.diagnostics("ada") == []
    assert (await ada.state()).suggestion == "loop closure"


async def test_a_whole_course_all_right_leads_to_the_next_thing_to_learn(ada: Learner) -> None:
    heard = await ada.say("find my gaps")
    asked: list[str] = []
    while (question := (await ada.state()).pending_question) is not None:
        asked.append(question.concept_name)
        heard = await ada.answer(right=True)
    state = await ada.state()
    syllabus = await ada.services.syllabus(state.course)
    places = [syllabus.names.index(name) for name in asked]
    assert max(places) > len(syllabus.names) / 2, "the questions are about the whole course"
    assert "no gaps" in heard.text
    assert state.suggestion not in asked
    assert state.suggestion in syllabus.names[: len(syllabus.names) // 4]
    assert (await ada.say("what should I learn next?")).authors == ["pathplanner"]
    assert (await ada.state()).next_topic == state.suggestion


async def test_the_planner_begins_with_what_the_diagnostic_put_first(ada: Learner) -> None:
    await ada.say("where are my gaps in loop closure?")
    while (await ada.state()).pending_question is not None:
        await ada.say("I don't know")
    first = (await ada.state()).suggestion
    assert first
    heard = await ada.say("what should I learn next?")
    state = await ada.state()
    assert (state.next_topic, state.learning_path[0]) == (first, first)
    assert "one of your gaps" in heard.text


async def test_an_open_quiz_is_there_again_after_a_diagnostic(ada: Learner) -> None:
    await ada.say("teach me SLAM")
    await ada.answer(right=True)
    before = await ada.state()
    await ada.say("find my gaps in loop closure")
    assert (await ada.state()).pending_question == before.pending_question, "it asks first"
    await ada.say("yes")
    assert (await ada.state()).pending_question != before.pending_question
    heard = await ada.say("progress")
    assert "Question 1, at most 6" in heard.text, "an interrupted probe comes back with its number"
    while (await ada.state()).is_probing:
        heard = await ada.say("I don't know")
    after = await ada.state()
    assert after.pending_question == before.pending_question
    assert (after.current_topic, after.quiz_responses) == ("SLAM", before.quiz_responses)
    assert "Question 2 of" in heard.text
    assert after.open_cycle_id == before.open_cycle_id
    await ada.answer(right=True)
    if (await ada.state()).self_check_answer:
        await ada.say("yes")
    assert len((await ada.state()).quiz_responses) == len(before.quiz_responses) + 1


async def test_a_lesson_that_a_diagnostic_interrupts_is_left_only_after_a_yes(ada: Learner) -> None:
    await ada.say("teach me URDF")
    lesson = await ada.question()
    await ada.say("find my gaps in loop closure")
    await ada.say("yes")
    probe = await ada.question()
    assert "in the middle of **URDF**" in (await ada.say("teach me ROS 2")).text
    assert await ada.question() == probe
    await ada.say("yes")
    assert (await ada.state()).lesson_aside == {}
    await ada.say("go back to URDF")
    await ada.say("yes")
    assert await ada.question() == lesson


async def test_a_diagnostic_has_as_many_questions_as_were_chosen_and_says_how_many_it_rests_on(
    ada: Learner,
) -> None:
    heard = await ada.say("find my gaps in SLAM with two questions")
    assert "up to 2 quick questions" in heard.text
    assert "Question 1, at most 2" in heard.text
    for _ in range(2):
        heard = await ada.answer(right=True)
    state = await ada.state()

    assert state.diagnostic_complete
    assert "That rests on 2 questions." in heard.text
    assert "I did not ask enough to say anything about" in heard.text
    assert state.diagnostic_length == 0


async def test_a_diagnostic_clears_nothing_that_it_did_not_ask_about_and_shows_a_picture(
    ada: Learner,
) -> None:
    heard = await ada.say("test what I know about loop closure")
    while (await ada.state()).pending_question:
        heard = await ada.answer(right=True)
    asked = {row.concept_name for row in await ada.evidence()}
    syllabus = await ada.services.syllabus("physical-ai")
    at_home = heard.text.partition("You are at home with ")[2].partition(".")[0]

    assert asked
    assert {name for name in syllabus.names if f"**{name}**" in at_home} <= asked
    names = await ada.artifacts.list_artifact_keys(
        app_name="agents", user_id="ada", session_id=ada.session_id
    )
    assert names == ["progress.png"]


async def test_a_front_end_without_pictures_hears_the_words(ada: Learner) -> None:
    ada.runner.artifact_service = None
    await ada.say("find my gaps in SLAM with one question")
    heard = await ada.answer(right=True)

    assert "That rests on 1 question." in heard.text
    assert (await ada.state()).diagnostic_complete
