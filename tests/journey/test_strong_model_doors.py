"""The same visits of a strong model through three doors: the Runner, adk api_server and our own page."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pytest

from agents.state import SessionState
from evals.doubles.openai_server import OpenAiServer, openai_server
from storage.database import Database
from storage.tasks import Tasks
from tests.journey.test_front_ends import Client, api_server
from tests.journey.test_strong_model import ERRANDS, VAGUE
from tests.support.ledger import NOW
from tests.support.site import Site, site_in
from tests.support.talk import Learner, settings_in

Replies = dict[str, list[Any]]


class Door(Protocol):
    """One way to the tutor."""

    async def say(self, text: str) -> str:
        """What comes back, as whoever stands there reads it."""

    async def state(self) -> SessionState: ...


@dataclass(frozen=True, slots=True)
class AtTheRunner:
    learner: Learner

    async def say(self, text: str) -> str:
        return (await self.learner.say(text)).text

    async def state(self) -> SessionState:
        return await self.learner.state()


@dataclass(frozen=True, slots=True)
class AtTheServer:
    client: Client

    async def say(self, text: str) -> str:
        return "\n".join(words for _, words in await asyncio.to_thread(self.client.say, text))

    async def state(self) -> SessionState:
        return await asyncio.to_thread(self.client.state)


@dataclass(frozen=True, slots=True)
class AtThePage:
    site: Site

    async def say(self, text: str) -> str:
        heard = await self.site.say(text, said_in="talk")
        mark = heard.get("mark", {"html": ""})
        return " ".join([mark["html"], *(heard["page"][part] for part in ("main", "talk"))])

    async def state(self) -> SessionState:
        return await self.site.state()


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """What is said, what the model does about it, and what comes of it."""

    says: Sequence[str]  # the model's doing is about the last of them
    does: Replies
    calls: Sequence[str]  # tools of that turn, in order
    speaks: str = ""  # the agent that ends it
    shows: str = ""
    keeps: Callable[[SessionState], bool] = field(default=lambda _: True)
    then: str = ""  # one message more, about which nobody asks a model
    titles: Sequence[str] | None = None  # of the to-dos at the end


def search(query: str, *, top_k: int = 2) -> list[tuple[str, dict[str, Any]]]:
    return [("retrieve_context", {"query": query, "top_k": top_k})]


def hand(to: str) -> list[tuple[str, dict[str, Any]]]:
    return [("transfer_to_agent", {"agent_name": to})]


THREE = ["call the bank", "call the dentist", "call the plumber"]
JOURNEYS = {
    "searches by itself": Journey(
        says=[VAGUE], does={"answer": [search("What is a coordinate frame?")]},
        calls=["retrieve_context"], speaks="coordinator", keeps=lambda state: state.last_response["grounded"],
    ),
    "searches again": Journey(
        says=[VAGUE], does={"answer": [search("weather forecast", top_k=1), search("What is loop closure?")]},
        calls=["retrieve_context"] * 2, keeps=lambda state: state.last_response["grounded"],
    ),
    "looks again although code has looked": Journey(
        says=["What is Isaac Sim?"], does={"answer": [search("What is Gazebo?")]},
        calls=["retrieve_context"] * 2, keeps=lambda state: state.last_response["grounded"],
    ),
    "hands over to the diagnostic": Journey(
        says=[VAGUE], does={"answer": [hand("diagnostic")]},
        calls=[], keeps=lambda state: state.is_probing and state.last_routed_to == "diagnostic",
    ),
    "adds three tasks in one message": Journey(
        says=[ERRANDS],
        does={"tasks": [[("add_task", {"title": title}) for title in THREE], "All three are on your list."]},
        calls=["add_task"] * 3, shows="All three are on your list.", titles=THREE,
    ),
    "asks before it deletes": Journey(
        says=["remind me to call the bank", "that business with the bank is history, you know"],
        does={"answer": [hand("task_manager")], "tasks": [[("delete_task", {"task_id": "the newest"})]]},
        calls=["delete_task"], shows="call the bank", then="yes", titles=[],
    ),
    "plans by its tool": Journey(
        says=[VAGUE],
        does={"answer": [hand("pathplanner")],
              "plan": [[("plan_path", {"goals": ["loop closure"]})], "This way leads there, foundations first."]},
        calls=["plan_path"], shows="This way leads there, foundations first.",
        keeps=lambda state: state.goals == ["loop closure"] and bool(state.learning_path),
    ),
    "starts a lesson and looks something up for it": Journey(
        says=[VAGUE],
        does={"answer": [[("start_topic", {"topic": "ROS 2 topics"})]],
              "lesson": [search("What is a robot description?")]},
        calls=["start_topic", "retrieve_context", "propose_questions"],
        keeps=lambda state: state.learning_phase == "quiz" and state.pending_question is not None,
    ),
    "takes a message as an answer and judges it": Journey(
        says=["teach me ROS 2 topics", "Das leitet Nachrichten an alle weiter, die sie haben wollen"],
        does={"answer": [[("take_as_answer", {})]],
              "judge": [[("give_verdict", {"verdict": verdict, "to_learner": "That is the point of it."})]
                        for verdict in ("right", "wrong")]},
        calls=["take_as_answer", "give_verdict", "give_verdict"], shows="That is the point of it.",
        keeps=lambda state: state.quiz_question_index == 1,
    ),
    "shows two parts of the record": Journey(
        says=[VAGUE],
        does={"answer": [[("show_record", {"about": "progress"}), ("show_record", {"about": "courses"})]]},
        calls=["show_record"] * 2, shows="Physical AI",
    ),
    "keeps a goal and plans for it": Journey(
        says=[VAGUE], does={"answer": [[("set_goal", {"goal": "loop closure"})]]},
        calls=["set_goal"], keeps=lambda state: state.goals == ["loop closure"],
    ),
    "says what the course does not say": Journey(
        says=[VAGUE],
        does={"answer": [search("quantum chromodynamics"), "[0] It says nothing about quarks."]},
        calls=["retrieve_context"], shows="I don't have information",
        keeps=lambda state: not state.last_response["grounded"],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def model() -> Iterator[OpenAiServer]:
    with openai_server() as server:
        yield server


@pytest.fixture(scope="module")
def server(model: OpenAiServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("strong")
    asked = {"TUTOR_MODEL": "openai:strong", "TUTOR_MODEL_URL": model.url}
    with api_server(folder, **asked) as url:
        yield url, folder


@pytest.fixture(params=["runner", "api_server", "page"])
def door(request: pytest.FixtureRequest, model: OpenAiServer, tmp_path: Path) -> Any:
    """A door to a tutor with the strong model, and the to-dos behind it."""
    asked = {"TUTOR_MODEL": "openai:strong", "TUTOR_MODEL_URL": model.url}

    @asynccontextmanager
    async def opened() -> AsyncIterator[tuple[Door, Callable[[], Awaitable[Any]]]]:
        if request.param == "runner":
            learner = await Learner(tmp_path, **asked).begin()
            await learner.services.ready()
            yield AtTheRunner(learner), lambda: Tasks(learner.services.database).list("ada", now=NOW)
            await learner.close()
        elif request.param == "page":
            async with site_in(tmp_path, **asked) as site:
                yield AtThePage(site), lambda: Tasks(site.services.database).list("user", now=NOW)
        else:
            url, folder = request.getfixturevalue("server")
            user = "".join(filter(str.isalpha, request.node.name))
            client = await asyncio.to_thread(Client(url, user).begin)
            database = await Database.open(settings_in(folder, {}).database)
            yield AtTheServer(client), lambda: Tasks(database).list(user, now=NOW)
            await database.close()

    return opened


@pytest.mark.parametrize("name", JOURNEYS)
async def test_a_strong_model_does_the_same_at_every_door(name: str, door: Any, model: OpenAiServer) -> None:
    journey = JOURNEYS[name]
    model.replies.clear()
    async with door() as (at, todos):
        for words in journey.says[:-1]:
            await at.say(words)
        ids = [task.id for task in await todos()]
        model.replies.update(
            json.loads(json.dumps(journey.does).replace('"the newest"', str(max(ids, default=0))))
        )
        heard = await at.say(journey.says[-1])
        state = await at.state()
        assert [call["tool_name"] for call in state.last_response["tool_calls"]] == list(journey.calls)
        assert journey.shows in heard
        assert journey.keeps(state)
        if journey.then:
            before = len(model.requests)
            await at.say(journey.then)
            assert len(model.requests) == before
        if journey.titles is not None:
            assert sorted(task.title for task in await todos()) == sorted(journey.titles)
