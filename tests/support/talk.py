"""A learner at the real Runner, with sessions in a real SQLite file."""

import asyncio
import atexit
import os
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from google.adk.agents.run_config import RunConfig
from google.adk.artifacts.in_memory_artifact_service import InMemoryArtifactService
from google.adk.events.event import Event
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.genai import types

from agents.adk_sessions import APP_NAME
from agents.agent import build_app
from agents.services import Services
from agents.settings import load_settings
from agents.state import SessionState
from agents.task_manager.toolset import LazyTaskTools
from agents.teaching.evidence import LedgerRow
from agents.teaching.values import QuizQuestion
from agents.turn import AgentResponse
from storage.learners import AgentTransition
from tests.support.folders import copy_folder


@dataclass(frozen=True, slots=True)
class Heard:
    """What one turn brought."""

    events: list[Event] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(text for _, text in self.messages)

    @property
    def messages(self) -> list[tuple[str, str]]:
        return [(event.author, text) for event in self.events if not event.partial and (text := _text(event))]

    @property
    def authors(self) -> list[str]:
        return [author for author, _ in self.messages]


class Learner:
    """One learner in one session; a new object on the same folder is a restart."""

    def __init__(
        self, folder: Path, *, user_id: str = "ada", session_id: str = "s1", **settings: str
    ) -> None:
        self.folder, self.user_id, self.session_id = folder, user_id, session_id
        self._settings = settings
        if not (folder / "data").exists() and _OTHER_DATA.isdisjoint({*settings, *os.environ}):
            copy_folder(read_folder() / "data", folder / "data")
        self.services = Services(settings_in(folder, settings))
        self.sessions = SqliteSessionService(db_path=str(folder / "sessions.db"))
        self.artifacts = InMemoryArtifactService()
        self.app = build_app(self.services)
        self.runner = Runner(app=self.app, session_service=self.sessions, artifact_service=self.artifacts)

    @property
    def task_tools(self) -> LazyTaskTools:
        """The task manager's way to its server."""
        manager = self.app.root_agent.find_agent("task_manager")  # type: ignore[union-attr]
        [tools] = [tool for tool in manager.tools if isinstance(tool, LazyTaskTools)]  # type: ignore[union-attr]
        return tools

    async def begin(self, state: dict[str, Any] | None = None) -> "Learner":
        await self.sessions.create_session(
            app_name=APP_NAME, user_id=self.user_id, session_id=self.session_id, state=state
        )
        return self

    async def say(self, text: str, *, run_config: RunConfig | None = None) -> Heard:
        return await self.send([types.Part(text=text)], run_config=run_config)

    async def send(self, parts: Sequence[types.Part], *, run_config: RunConfig | None = None) -> Heard:
        message = types.Content(role="user", parts=list(parts))
        heard = Heard()
        async for event in self.runner.run_async(
            user_id=self.user_id, session_id=self.session_id, new_message=message, run_config=run_config
        ):
            heard.events.append(event)
        return heard

    async def answer(self, *, right: bool) -> Heard:
        question = await self.question()
        return await self.reply(question.expected_answer if right else wrong_answer(question))

    async def reply(self, text: str) -> Heard:
        """Say something as an answer, and confirm it where the tutor asks whether it is one."""
        heard = await self.say(text)
        return await self.say("yes") if (await self.state()).doubtful_message else heard

    async def finish_quiz(self, *, right: bool = True) -> Heard:
        """Answer until the quiz's last question is answered; returns that last turn."""
        left = len((await self.state()).quiz_questions) - (await self.state()).quiz_question_index
        heard = Heard()
        for _ in range(left):
            heard = await self.answer(right=right)
            if (await self.state()).self_check_answer:  # only the learner can tell
                heard = await self.say("yes" if right else "no")
        return heard

    async def state(self) -> SessionState:
        session = await self.sessions.get_session(
            app_name=APP_NAME, user_id=self.user_id, session_id=self.session_id
        )
        assert session is not None
        return SessionState.of(session.state)

    async def question(self) -> QuizQuestion:
        question = (await self.state()).pending_question
        assert question is not None
        return question

    async def response(self) -> AgentResponse:
        return AgentResponse.model_validate((await self.state()).last_response)

    async def response_to(self, text: str) -> AgentResponse:
        await self.say(text)
        return await self.response()

    async def evidence(self) -> Sequence[LedgerRow]:
        return await self.services.ledger.of(self.user_id)

    async def transitions(self) -> list[tuple[str, str]]:
        return [(each.from_agent, each.to_agent) for each in await self.transition_rows()]

    async def transition_rows(self) -> Sequence[AgentTransition]:
        return await self.services.sessions.transitions(self.session_id)

    async def restarted(self) -> "Learner":
        await self.close()
        return Learner(self.folder, user_id=self.user_id, session_id=self.session_id, **self._settings)

    async def close(self) -> None:
        await self.runner.close()
        await self.services.close()


Meet = Callable[..., Awaitable[Learner]]


# With one of these the tutor has other data than the sample course in an SQLite file.
_OTHER_DATA = {"TUTOR_COURSE_DIR", "TUTOR_DATABASE_URL", "TUTOR_EMBEDDER", "COHERE_API_KEY", "QDRANT_URL"}


@cache
def read_folder() -> Path:
    """A folder whose tutor has read the sample course: to copy, because reading takes longer than most tests."""
    folder = Path(tempfile.mkdtemp(prefix="tutor-read-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)

    async def read() -> None:
        services = Services(settings_in(folder, {}))
        await services.ready()
        await services.close()

    # In a thread, because whoever is the first to ask may be inside a loop.
    with ThreadPoolExecutor(1) as worker:
        worker.submit(asyncio.run, read()).result()
    shutil.rmtree(folder / "data" / "backups", ignore_errors=True)  # each has its own copy of today
    return folder


def wrong_answer(question: QuizQuestion) -> str:
    """An answer that nobody could take for right."""
    if question.kind == "true_false":
        return "false" if question.expected_answer.lower() == "true" else "true"
    if question.options:
        return next(option for option in question.options if option != question.expected_answer)
    return "purple elephants"


def environment_of(folder: Path, **settings: str) -> dict[str, str]:
    """The environment of a process of its own on the same data."""
    return {**os.environ, "TUTOR_DATA_DIR": str(folder / "data"), "TUTOR_MODEL": "embedded", **settings}


def settings_in(folder: Path, overrides: dict[str, str]) -> Any:
    """Settings of a folder of one's own, with the embedded model."""
    wanted = {"TUTOR_DATA_DIR": str(folder / "data"), "TUTOR_MODEL": "embedded", **overrides}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        return load_settings(folder)
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _text(event: Event) -> str:
    return "".join(part.text for part in (event.content.parts or []) if part.text) if event.content else ""
