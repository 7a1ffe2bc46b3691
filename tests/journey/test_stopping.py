"""Whoever stops finds the very same question again."""

import pytest

from tests.support.talk import Learner


@pytest.mark.parametrize("start", ["find my gaps", "find my gaps in URDF", "teach me URDF"])
@pytest.mark.parametrize("go_on", ["continue", "let's pick up where we left off"])
async def test_after_stop_the_same_question_comes_again(ada: Learner, start: str, go_on: str) -> None:
    await ada.say(start)
    question = await ada.question()
    await ada.say("stop")
    heard = await ada.say(go_on)
    assert question.question_text in heard.text
    assert await ada.question() == question
