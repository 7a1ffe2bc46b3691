"""The agents as the documents name them: their types, who belongs to whom, and how often the loop may repeat."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.llm_agent import Agent, LlmAgent
from google.adk.agents.loop_agent import LoopAgent
from google.adk.agents.sequential_agent import SequentialAgent
from google.adk.apps.app import App

from agents.agent import build_app
from agents.services import Services
from evals.doubles.openai_server import openai_server
from tests.support.stories import Story, play
from tests.support.talk import settings_in


def built(folder: Path, **settings: str) -> App:
    return build_app(Services(settings_in(folder, settings)))


@pytest.fixture
def root(tmp_path: Path) -> BaseAgent:
    agent = built(tmp_path).root_agent
    assert isinstance(agent, BaseAgent)
    return agent


def everybody(agent: BaseAgent) -> Iterator[BaseAgent]:
    yield agent
    for each in agent.sub_agents:
        yield from everybody(each)


def loop_of(root: BaseAgent) -> LoopAgent:
    loop = root.find_agent("learning_loop")
    assert isinstance(loop, LoopAgent)
    return loop


def test_every_agent_is_of_its_type(root: BaseAgent) -> None:
    assert root.name == "coordinator"
    assert isinstance(root, Agent)
    for name in ("diagnostic", "tutor", "quiz", "feedback", "pathplanner", "task_manager"):
        assert isinstance(root.find_agent(name), LlmAgent), name


def test_the_coordinator_has_its_specialists(root: BaseAgent) -> None:
    """The planner of before is diagnostic and pathplanner now, and the supervisor the coordinator."""
    assert {agent.name for agent in root.sub_agents} == {
        "diagnostic",
        "pathplanner",
        "task_manager",
        "learning_loop",
    }


def test_the_loop_holds_the_cycle_and_the_cycle_its_steps(root: BaseAgent) -> None:
    """The assessor of before is quiz and feedback now."""
    [cycle] = loop_of(root).sub_agents
    assert isinstance(cycle, SequentialAgent)
    assert [agent.name for agent in cycle.sub_agents] == ["tutor", "quiz", "feedback"]


def test_names_are_plain_short_and_unique(root: BaseAgent) -> None:
    names = [agent.name for agent in everybody(root)]
    assert all(re.fullmatch(r"[a-z0-9_]{1,30}", name) for name in names)
    assert len(set(names)) == len(names) == 9
    assert all(agent.description for agent in everybody(root))


@pytest.mark.parametrize("cycles", ["5", "2"])
def test_the_loop_repeats_as_often_as_the_setting_says(tmp_path: Path, cycles: str) -> None:
    root = built(tmp_path, TUTOR_MAX_CYCLES=cycles).root_agent
    assert isinstance(root, BaseAgent)
    assert loop_of(root).max_iterations == int(cycles)


def test_the_app_is_built_from_one_set_of_settings(tmp_path: Path) -> None:
    services = Services(settings_in(tmp_path, {"TUTOR_MAX_CYCLES": "2"}))
    build_app(services)
    assert services.settings.max_cycles == 2
    assert services.model.model == "embedded"


@pytest.fixture(scope="module")
def requests(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What a large model is asked in a short visit."""

    async def visit(story: Story) -> None:
        await story.say("What is Isaac Sim?")
        await story.say("Which graphics processor does it need?")

    with openai_server() as model:
        settings = {"TUTOR_MODEL": "openai:strong", "TUTOR_MODEL_URL": model.url}
        limits = {"TUTOR_TEMPERATURE": "0.3", "TUTOR_MAX_TOKENS": "321"}
        play(tmp_path_factory.mktemp("model"), visit, **settings, **limits)
    return model.requests


def test_a_model_is_asked_as_the_settings_say(requests: list[dict[str, Any]]) -> None:
    limits = {(request["temperature"], request["max_tokens"]) for request in requests}
    assert (0.3, 321) in limits


def test_a_model_is_given_the_conversation(requests: list[dict[str, Any]]) -> None:
    told = "".join(message["content"] for message in requests[-1]["messages"])
    assert told.index("What is Isaac Sim?") < told.rindex("Which graphics processor does it need?")


def test_a_model_may_call_the_search_itself(requests: list[dict[str, Any]]) -> None:
    offered = [tool["function"]["name"] for request in requests for tool in request.get("tools", [])]
    assert "retrieve_context" in offered
