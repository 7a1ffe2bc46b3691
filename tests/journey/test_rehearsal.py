"""An eval case meets a learner whom nobody has met; everybody else is remembered."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import agents
from agents.adk_compat import EVAL_SESSION
from tests.support.talk import Learner

Visit = Callable[..., Awaitable[str]]


@pytest.fixture
def visit(tmp_path: Path) -> Visit:
    """One message in a session of its own; the greeting tells whether the learner is known."""

    async def visit(*, user_id: str, session_id: str, says: str) -> str:
        learner = await Learner(tmp_path, user_id=user_id, session_id=session_id).begin()
        heard = await learner.say(says)
        await learner.close()
        return heard.text

    return visit


@pytest.mark.parametrize(
    ("user_id", "session_id", "greeting"),
    [
        ("eval-ada", f"{EVAL_SESSION}2", "Welcome. I'm your tutor"),
        ("eval-ada", "s2", "Welcome back."),
        ("ada", f"{EVAL_SESSION}2", "Welcome back."),
    ],
)
async def test_only_an_eval_learner_in_an_eval_session_is_forgotten(
    visit: Visit, user_id: str, session_id: str, greeting: str
) -> None:
    await visit(user_id=user_id, session_id="s1", says="teach me URDF")
    assert (await visit(user_id=user_id, session_id=session_id, says="hello")).startswith(greeting)


async def test_within_its_session_an_eval_learner_is_remembered(tmp_path: Path) -> None:
    learner = await Learner(tmp_path, user_id="eval-ada", session_id=f"{EVAL_SESSION}1").begin()
    await learner.say("teach me URDF")
    await learner.answer(right=True)
    assert len(await learner.evidence()) == 1
    await learner.close()


async def test_the_task_server_stays_while_another_turn_is_under_way(tmp_path: Path) -> None:
    """`adk eval` plays several cases at once, each with a Runner that closes the app's tools at its end."""
    learner = await Learner(tmp_path).begin()
    await learner.say("add a task: read")
    learner.services.turns.of("a turn of somebody else")
    await learner.runner.close()
    learner.services.turns.close("a turn of somebody else")
    manager = learner.app.root_agent.find_agent("task_manager")  # type: ignore[union-attr]
    [tools] = manager.tools  # type: ignore[union-attr]
    assert tools._connected is not None
    await learner.close()
    assert tools._connected is None


def test_the_package_has_the_attribute_that_adk_eval_reads() -> None:
    assert agents.agent.root_agent.name == "coordinator"
    with pytest.raises(AttributeError):
        _ = agents.nothing
