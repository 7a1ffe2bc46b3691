"""Where a learner goes on: parts by number, several wishes at once, what was left open, buttons, a course in another language."""

import logging
from pathlib import Path

import pytest
from google.adk.agents.run_config import RunConfig

from agents.coordinator.visit import QUESTION_KEY, SAID_IN_KEY, WISH_KEY
from tests.support.talk import Heard, Learner, Meet

SEGELN = """# Wenden

**Wenden** ist ein Manöver, das den Bug eines Bootes durch den Wind dreht, sodass der Wind von der anderen Seite kommt.
Die Segel wechseln dabei die Seite, und die Mannschaft setzt sich auf die neue Luvseite des Bootes.

Ein Boot kann nicht gerade gegen den Wind segeln. Deshalb erreicht ein Segler ein Ziel im Wind auf einem Zickzackkurs aus
mehreren Wenden, weil jeder Schlag das Boot dem Ziel ein wenig näher bringt.

Eine Wende misslingt, wenn das Boot zu langsam ist. Der Bug bleibt dann im Wind stehen, und das Boot treibt rückwärts,
bis das Ruder in die andere Richtung gelegt wird. Der Steuermann sagt vor der Wende, was kommt, damit niemand vom Baum
getroffen wird. Die Mannschaft antwortet, sobald die Leinen klar sind, und holt danach die neue Schot dicht. Nach der
Wende nimmt das Boot Fahrt auf, und der Steuermann steuert höher, sobald die Segel wieder ziehen.
"""


async def press(learner: Learner, words: str, *, question_id: str = "", **wish: str) -> Heard:
    """Say something as a front end does whose button knows what it stands for."""
    told = {SAID_IN_KEY: "button", QUESTION_KEY: question_id, WISH_KEY: wish}
    return await learner.say(words, run_config=RunConfig(custom_metadata=told))


async def test_a_part_is_asked_for_by_its_number(ada: Learner) -> None:
    await ada.say("teach me Topics, messages and quality of service")
    parts = (await ada.state()).topic_parts
    await ada.say("teach me Topics, messages and quality of service, part 3")
    await ada.say("yes")
    assert (await ada.state()).topic_part == 3 <= parts
    await ada.say("stop")
    await ada.say("part 2")
    await ada.say("yes")
    state = await ada.state()
    assert (state.current_topic, state.topic_part) == ("Topics, messages and quality of service", 2)


async def test_several_wishes_at_once_begin_with_the_first_and_keep_the_others(ada: Learner) -> None:
    heard = await ada.say("i'd like to learn URDF, loop closure and services please")
    state = await ada.state()
    assert state.current_topic == "URDF"
    assert state.goals == ["loop closure", "services"]
    assert "**loop closure** and **services** will follow" in heard.text


async def test_an_example_of_a_named_thing_is_one_of_that(ada: Learner) -> None:
    await ada.say("teach me URDF")
    response = await ada.response_to("show me an example of loop closure")
    assert any("loop closure" in each.chunk_text.lower() for each in response.citations)


async def test_a_button_is_not_read_but_carried_out(ada: Learner) -> None:
    """The words on it would be anything: 'Runtime Errors' is no wish, and 'queue depth' is not depth."""
    await press(
        ada, "Nothing that anybody could read", action="teach", topic="queue depth", course="physical-ai"
    )
    state = await ada.state()
    assert "queue depth" in state.topic_concepts
    assert state.learning_phase == "quiz"


async def test_a_button_of_a_question_that_is_gone_marks_no_other(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    first = await ada.question()
    await ada.answer(right=True)
    second = await ada.question()
    await press(ada, "show me the answer", action="give_up", question_id=first.question_id)
    assert await ada.question() == second
    assert len(await ada.evidence()) == 1


async def test_in_a_course_in_another_language_nothing_is_graded_unasked(meet: Meet, tmp_path: Path) -> None:
    course = tmp_path / "segeln"
    course.mkdir()
    (course / "wenden.md").write_text(SEGELN, encoding="utf-8")
    ada = await meet(TUTOR_COURSE_DIR=str(course))
    await ada.say("teach me Wenden")
    question = await ada.question()
    heard = await ada.say("das weiß ich leider überhaupt nicht mehr")
    assert "Shall I take" in heard.text
    assert await ada.evidence() == []
    assert await ada.question() == question


async def test_an_expected_failure_leaves_no_traceback_in_the_log(
    ada: Learner, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        await ada.say("what is a node " + "and a topic " * 1100 + "?")
    assert (await ada.response()).error == "INVALID_INPUT"
    assert [record for record in caplog.records if record.exc_info] == []
