"""Stopping names a way back that works."""

import re

import pytest

from tests.support.talk import Learner


@pytest.mark.parametrize("start", ["find my gaps", "find my gaps in URDF", "teach me URDF"])
async def test_the_way_back_that_stop_names_leads_to_a_question(ada: Learner, start: str) -> None:
    await ada.say(start)
    heard = await ada.say("stop")
    [way_back] = re.findall(r"Say \*\*([^*]+)\*\* to take it up again", heard.text)
    await ada.say(way_back)
    assert (await ada.state()).pending_question
