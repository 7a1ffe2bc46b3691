"""How the tutor takes what people say between lessons: asking on, asking why, asking who."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.talk import Learner


def _sentences(answer: str) -> set[str]:
    return set(re.findall(r"([^.]+?) \[\d\]\.", answer.split("**Sources", maxsplit=1)[0]))


@pytest.fixture
async def ada(tmp_path: Path) -> AsyncIterator[Learner]:
    learner = await Learner(tmp_path).begin()
    yield learner
    await learner.close()


async def test_a_shouted_question_is_answered_like_any_other(ada: Learner) -> None:
    heard = await ada.say("WHAT IS A TOPIC???")
    assert heard.text.startswith("A topic is a named channel")


@pytest.mark.parametrize("ask_on", ["tell me more", "go on", "I don't get it"])
async def test_asking_on_brings_what_was_not_said_yet(ada: Learner, ask_on: str) -> None:
    said = _sentences((await ada.say("what is a topic?")).text)
    for _ in range(3):
        more = _sentences((await ada.say(ask_on)).text)
        assert more
        assert not more & said
        said |= more


@pytest.mark.parametrize(
    "ask_why", ["why is the answer that?", "why was my answer wrong?", "what's wrong with that?"]
)
async def test_asking_why_the_answer_is_so_shows_the_passage_behind_the_mark(
    ada: Learner, ask_why: str
) -> None:
    await ada.say("quiz me on topics")
    question = await ada.question()
    await ada.answer(right=False)
    heard = await ada.say(ask_why)
    assert heard.text.startswith("You said")
    assert question.source_context in heard.text


@pytest.mark.parametrize("ask_who", ["who are you?", "are you a bot?", "what are you?"])
async def test_the_tutor_says_honestly_what_it_is(ada: Learner, ask_who: str) -> None:
    heard = await ada.say(ask_who)
    assert "I'm a tutor program, not a person." in heard.text


@pytest.mark.parametrize(
    ("pick", "topic"),
    [
        ("start with the first one", "ROS 2 basics: nodes, graph and discovery"),
        ("ok, let's do step 2", "Topics, messages and quality of service"),
        ("the one about coordinate frames", "Coordinate frames and tf2"),
    ],
)
async def test_a_step_of_the_plan_can_be_picked(ada: Learner, pick: str, topic: str) -> None:
    await ada.say("what should I learn next?")
    heard = await ada.say(pick)
    assert heard.authors == ["tutor", "quiz"]
    assert (await ada.state()).current_topic == topic


async def test_a_plan_leads_to_the_goal_of_the_same_message(ada: Learner) -> None:
    heard = await ada.say("I want to understand loop closure, make me a plan")
    assert heard.authors == ["pathplanner"]
    assert "Your way to **loop closure**" in heard.text


async def test_few_words_are_a_task_command_when_such_a_task_is_open(ada: Learner) -> None:
    await ada.say("add task write the lab report")
    await ada.say("what is a node?")
    heard = await ada.say("I finished the lab report")
    assert "I've ticked off 'write the lab report'" in heard.text
    await ada.say("what is a node?")
    assert (await ada.say("I finished the lab report")).authors == ["coordinator"]


async def test_an_exam_of_nothing_in_particular_is_no_goal_but_a_reason_to_ask(ada: Learner) -> None:
    heard = await ada.say("hi, I have an exam soon")
    assert "Which topic?" in heard.text
    assert (await ada.state()).goals == []
