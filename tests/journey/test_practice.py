"""Practice on request: a quiz on as much of the course as was asked for, without a lesson and without rounds."""

from tests.support.talk import Learner


async def test_so_many_questions_on_a_chapter_open_a_quiz_without_a_lesson(ada: Learner) -> None:
    heard = await ada.say("five questions on chapter 4")
    state = await ada.state()
    syllabus = await ada.services.syllabus("physical-ai")
    chapter = syllabus.counted_part([4])
    assert chapter is not None
    pages = {concept.name: concept.chapter_id for concept in syllabus.concepts}

    assert state.is_practice
    assert len(state.quiz_questions) == 5
    assert not state.explanation
    assert "5 questions on chapter 4" in heard.text
    assert {pages[each.concept_name] for each in state.quiz_questions} <= set(chapter.chapter_ids)


async def test_practice_ends_with_its_score_and_counts(ada: Learner) -> None:
    await ada.say("three questions on chapter 1")
    heard = await ada.finish_quiz(right=True)
    state = await ada.state()

    assert "3 of 3 right" in heard.text
    assert (state.learning_phase, state.is_practice, state.quiz_questions) == ("", False, [])
    assert len(await ada.evidence()) == 3


async def test_only_what_was_wrong_comes_again(ada: Learner) -> None:
    await ada.say("three questions on chapter 1")
    wrong = (await ada.state()).quiz_questions[0].question_id
    await ada.say("I don't know")
    while (await ada.state()).pending_question:
        await ada.finish_quiz(right=True)
    heard = await ada.say("only what I got wrong")

    assert "1 question on what you got wrong" in heard.text
    assert [each.question_id for each in (await ada.state()).quiz_questions] == [wrong]
    await ada.finish_quiz(right=True)
    assert "no wrong answer" in (await ada.say("let me redo my mistakes")).text


async def test_to_see_what_was_wrong_opens_no_quiz(ada: Learner) -> None:
    await ada.say("three questions on chapter 1")
    await ada.say("I don't know")
    await ada.say("stop")
    await ada.say("what did I get wrong?")

    assert len((await ada.state()).quiz_questions) == 3


async def test_a_lesson_is_left_for_practice_only_after_a_yes_and_kept(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    asked = await ada.say("test me on the whole course")
    assert "in the middle of" in asked.text
    await ada.say("yes")
    assert (await ada.state()).is_practice
    while (await ada.state()).pending_question:
        await ada.finish_quiz(right=True)
    await ada.say("continue")

    assert (await ada.state()).learning_phase == "quiz"
    assert not (await ada.state()).is_practice


async def test_what_is_not_there_is_said(ada: Learner) -> None:
    assert "I can't find chapter 40" in (await ada.say("five questions on chapter 40")).text
    assert "nothing to test" in (await ada.say("test me on everything so far")).text
    assert "no question with numbers" in (await ada.say("give me a practice problem with numbers")).text
    assert (await ada.state()).learning_phase == ""


async def test_practice_under_way_survives_a_restart_of_its_session(ada: Learner) -> None:
    await ada.say("three questions on chapter 1")
    await ada.say("pause")
    heard = await ada.say("continue")

    assert "Question 1 of 3" in heard.text
    assert (await ada.state()).is_practice
