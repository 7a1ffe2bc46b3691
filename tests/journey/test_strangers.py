"""What strangers ran into: each was said by somebody who had never seen the product."""

from typing import Any

import pytest
from pydantic import ValidationError

from agents.plugins.recorder import RecorderPlugin
from agents.turn import AgentResponse
from tests.support.talk import Learner


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("Explain torque to me like I'm 12", "torque"),
        ("explain quantum chess to me like I am five", "quantum chess"),
        ("can you explain torque in other words?", "torque"),
    ],
)
async def test_an_explanation_of_what_is_not_there_is_refused_and_the_lesson_stays(
    ada: Learner, said: str, named: str
) -> None:
    await ada.say("teach me sim-to-real gap")
    question = await ada.question()
    heard = await ada.say(said)
    assert f"I don't have information about {named}" in heard.text
    assert not (await ada.response()).grounded
    assert await ada.question() == question


@pytest.mark.parametrize(
    "asked", ["What is ROS 3?", "What's 2+2?", "What is the difference between ROS 1 and ROS 2?"]
)
async def test_another_of_its_name_is_not_what_the_course_has(ada: Learner, asked: str) -> None:
    await ada.say(asked)
    response = await ada.response()
    assert (response.grounded, response.citations) == (False, ())
    assert "I don't have information" in response.answer
    await ada.say("What is ROS 2?")
    assert (await ada.response()).grounded


@pytest.mark.parametrize("said", ["explain it differently", "explain the second paragraph again"])
async def test_an_explanation_of_what_was_said_is_given(ada: Learner, said: str) -> None:
    await ada.say("teach me sim-to-real gap")
    await ada.say(said)
    assert "I don't have information" not in (await ada.response()).answer


async def test_undo_forgets_nothing_unasked(ada: Learner) -> None:
    await ada.say("remind me to buy groceries")
    heard = await ada.say("undo")
    assert "Say **yes**" in heard.text
    assert (await ada.state()).history_reset_turn == 0
    await ada.say("yes")
    assert (await ada.state()).history_reset_turn > 0


async def test_complete_everything_may_mean_the_tasks(ada: Learner) -> None:
    await ada.say("remind me to buy milk")
    await ada.say("complete everything")
    assert "complete all my tasks" in [choice.message for choice in (await ada.state()).choices]
    await ada.say("4")
    assert "milk" not in (await ada.say("show my open tasks")).text


async def test_a_whole_command_answers_what_shall_i_change(ada: Learner) -> None:
    await ada.say("add essay draft to my tasks")
    await ada.say("update the essay draft")
    heard = await ada.say("rename the essay draft to final essay")
    assert "'final essay'" in heard.text


async def test_a_turn_that_breaks_a_rule_of_the_record_reaches_the_learner(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, refused = RecorderPlugin._whole_response, []

    def strict(self: RecorderPlugin, turn: Any, session: Any) -> AgentResponse:
        if not refused:
            refused.append(turn)
            AgentResponse.model_validate({})
        return whole(self, turn, session)

    monkeypatch.setattr(RecorderPlugin, "_whole_response", strict)
    with pytest.raises(ValidationError):
        AgentResponse.model_validate({})
    heard = await ada.say("hello")
    assert heard.text
    assert refused
    assert (await ada.response()).error == "FAILED"


async def test_back_to_a_lesson_that_was_left_is_no_answer(ada: Learner) -> None:
    await ada.say("teach me sim-to-real gap")
    await ada.say("teach me Gazebo")
    await ada.say("yes")
    await ada.say("go back to sim-to-real gap")
    first = (await ada.state()).choices[0]
    assert (first.action, "sim-to-real gap" in first.topic) == ("teach", True)
    assert await ada.evidence() == []
    await ada.say("yes")
    assert "sim-to-real gap" in (await ada.state()).topic_label
