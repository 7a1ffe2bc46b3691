"""A lesson that is left goes on where it was, by any door, in any session; and a chat asks before it leaves one."""

from pathlib import Path
from typing import Any

from google.adk.agents.run_config import RunConfig
from sqlalchemy import update

from agents.coordinator.visit import QUESTION_KEY, SAID_IN_KEY, WISH_KEY
from agents.lesson_place import QUIZ_IS_GONE
from agents.state import SessionState
from storage.tables import lesson_places
from tests.support.talk import Heard, Learner, Meet

TOPIC = "Topics, messages and quality of service"


def place_of(state: SessionState) -> tuple[object, ...]:
    """What must be the same when somebody comes back."""
    return (
        (state.current_topic, state.topic_part, state.learning_cycle_count, state.quiz_question_index),
        state.quiz_questions,
        [(each.question_id, each.learner_answer, each.is_correct) for each in state.quiz_responses],
        state.improvement_areas,
        (state.explanation, state.earlier_explanations, state.open_cycle_id),
        (state.mastery_score, state.hints_given),
    )


async def in_round_two(learner: Learner) -> SessionState:
    """In the second round of a topic, at its second question."""
    await learner.say(f"teach me {TOPIC}")
    await learner.finish_quiz(right=False)
    await learner.say("hint")
    await learner.answer(right=True)
    state = await learner.state()
    assert state.whereabouts.startswith("round 2, question 2 of")
    return state


async def press(learner: Learner, words: str, *, question_id: str = "", **wish: str) -> Heard:
    """Say something as a front end does whose button knows what it stands for."""
    told: dict[str, Any] = {SAID_IN_KEY: "button", QUESTION_KEY: question_id, WISH_KEY: wish}
    return await learner.say(words, run_config=RunConfig(custom_metadata=told))


async def test_a_chat_does_not_move_the_lesson_until_somebody_says_yes(ada: Learner) -> None:
    before = place_of(await in_round_two(ada))
    explained = await ada.say("Explain loop closure to me like I'm 12")
    assert "loop closure" in explained.text.lower()
    assert place_of(await ada.state()) == before
    await ada.say("pause")
    for words in ("teach me loop closure", "quiz me on URDF", "find my gaps in URDF", "change topic to tf2"):
        asked = await ada.say(words)
        assert f"in the middle of **{TOPIC}, part 1" in asked.text
        assert "round 2, question 2 of" in asked.text
        assert (await ada.response()).status == "clarification_needed"
        assert place_of(await ada.state()) == before
    stays = await ada.say("no")
    assert "we stay with" in stays.text
    await ada.say("teach me loop closure")
    looked_up = await ada.say("2")
    assert "**Sources:**" in looked_up.text
    assert place_of(await ada.state()) == before
    await ada.say("teach me loop closure")
    heard = await ada.say("yes")
    assert heard.authors == ["tutor", "quiz"]
    assert (await ada.state()).current_topic == "loop closure"


async def test_a_letter_answers_the_open_question_although_ways_are_offered(ada: Learner) -> None:
    await ada.say("where are my gaps in loop closure?")
    question = await ada.question()
    assert question.kind == "multiple_choice"
    await ada.say("I'm lost")
    assert (await ada.state()).choices
    await ada.say("b")
    assert [row.question_id for row in await ada.evidence()] == [question.question_id]


async def test_every_door_leads_back_to_the_same_question_in_a_new_session_and_after_a_restart(
    meet: Meet,
) -> None:
    ada = await meet()
    before = place_of(await in_round_two(ada))
    await press(ada, "Study this", action="teach", topic="URDF", course="physical-ai")
    assert (await ada.state()).current_topic == "URDF", "a button says what it is for"
    await ada.say(f"go back to {TOPIC}")
    await ada.say("yes")
    assert place_of(await ada.state()) == before
    await ada.close()
    doors = ("continue", f"teach me {TOPIC}", f"go back to {TOPIC}", "let's pick up where we left off")
    for number, words in enumerate(doors):
        later = await meet(session_id=f"later-{number}")
        await later.say("hello")
        heard = await later.say(words)
        assert place_of(await later.state()) == before, words
        assert (await later.question()).question_text in heard.text
    for number, topic in enumerate((TOPIC, "")):
        later = await meet(session_id=f"page-{number}")
        await press(later, "Study", action="teach", topic=topic, course="physical-ai")
        assert place_of(await later.state()) == before
    await later.answer(right=True)
    assert len({row.asking for row in (await later.evidence())[-2:]}) == 1, "one quiz, in two sessions"
    heard = await (await meet(session_id="another")).say("hello")
    assert f"You were working on **{TOPIC}, part 1" in heard.text
    assert "round 2, question 3 of" in heard.text


async def test_a_session_that_was_left_behind_finds_where_the_lesson_is_by_now(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me URDF")
    stale = await ada.question()
    later = await meet(session_id="s2")
    await later.say("continue")
    await later.answer(right=True)
    heard = await press(ada, "skip", action="skip", question_id=stale.question_id)
    assert "answered already" in heard.text
    assert place_of(await ada.state()) == place_of(await later.state())
    assert len(await ada.evidence()) == 1


async def test_a_lesson_that_is_over_is_not_gone_back_to(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me URDF")
    await ada.say("start over")
    later = await meet(session_id="s2", TUTOR_MAX_CYCLES="1")
    assert (await later.say("continue")).authors == ["tutor", "quiz"]
    while (await later.state()).pending_question:
        await later.say("I don't know")
    assert await later.services.lessons.places("ada") == []
    assert (await later.say("teach me URDF")).authors == ["tutor", "quiz"]


async def test_a_topic_that_is_mastered_leads_back_to_the_one_that_was_left(ada: Learner) -> None:
    await ada.say("teach me URDF")
    left = await ada.question()
    await press(ada, "Study this", action="teach", topic="topic", course="physical-ai")
    while (await ada.state()).pending_question:
        heard = await ada.answer(right=True)
        if (await ada.state()).self_check_answer:
            heard = await ada.say("yes")
    assert "You left **URDF** in round 1, question 1 of" in heard.text
    await ada.say("yes")
    assert await ada.question() == left


async def test_where_the_course_has_changed_the_round_is_asked_afresh_and_says_so(meet: Meet) -> None:
    ada = await meet()
    await in_round_two(ada)
    [place] = await ada.services.lessons.places("ada")
    gone = [{**each, "chunk_id": "gone"} for each in place.questions]
    async with ada.services.database.write() as conn:
        await conn.execute(update(lesson_places).values(questions=gone))
    later = await meet(session_id="s2")
    heard = await later.say("continue")
    assert QUIZ_IS_GONE in heard.text
    state = await later.state()
    assert (state.current_topic, state.learning_cycle_count, state.quiz_question_index) == (TOPIC, 1, 0)
    assert all(each.chunk_id != "gone" for each in state.quiz_questions)


async def test_what_a_client_writes_into_its_session_goes_into_no_other(meet: Meet) -> None:
    ada = await meet()
    await ada.say("teach me URDF")
    ours = (await ada.state()).quiz_questions
    forged = [each.model_copy(update={"expected_answer": "2"}).model_dump(mode="json") for each in ours]
    session = await ada.sessions.get_session(app_name="agents", user_id="ada", session_id="s1")
    assert session is not None
    from tests.faults.test_forged_sessions import say_with

    await say_with(ada, "hint", {"quiz_questions": forged})
    later = await meet(session_id="s2")
    await later.say("continue")
    assert (await later.state()).quiz_questions == ours


async def test_another_course_is_entered_only_after_a_yes(meet: Meet, tmp_path: Path) -> None:
    ada = await meet()
    await ada.say("teach me URDF")
    left = await ada.question()
    bread = tmp_path / "bread"
    bread.mkdir()
    (bread / "dough.md").write_text("# Dough\n\nMix it, let it rest, and bake it.\n")
    await ada.services.library.ingest([bread], course="bread")
    assert "in the middle of **URDF**" in (await ada.say("switch to bread")).text
    assert (await ada.state()).course == "physical-ai"
    await ada.say("yes")
    assert (await ada.state()).course == "bread"
    heard = await ada.say("switch to physical ai")
    assert heard.text.startswith("Back to **URDF**: round 1, question 1 of")
    assert await ada.question() == left
