"""The diagnostic in conversation: a few questions, or none for somebody who says that they are new."""

import pytest

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
