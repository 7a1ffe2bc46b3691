"""One ongoing conversation a learner, held by ADK's Runner, and the turns of it that are under way."""

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, field

from google.adk.agents.run_config import RunConfig, StreamingMode  # type: ignore[attr-defined]
from google.adk.artifacts.in_memory_artifact_service import InMemoryArtifactService
from google.adk.events.event import Event
from google.adk.runners import Runner
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig
from google.adk.sessions.session import Session
from google.genai import types

from agents.adk_compat import index_events
from agents.agent import APP_NAME, build_app
from agents.coordinator.visit import QUESTION_KEY, SAID_IN_KEY, WISH_KEY
from agents.services import Services
from agents.state import SessionState

logger = logging.getLogger(__name__)

# The state holds the place; of the events only the talk that is shown and remembered is needed, so turn 300 costs
# what turn 3 does.
_RECENT = GetSessionConfig(num_recent_events=40)
_NO_EVENTS = GetSessionConfig(num_recent_events=0)
_TROUBLE = "Something went wrong inside the tutor. Nothing that you did is lost: try it once more."


@dataclass(slots=True)
class Running:
    """A turn under way; it goes on when the one who asked closes the window."""

    heard: asyncio.Queue[Event | None] = field(default_factory=asyncio.Queue)
    task: "asyncio.Task[None]" = field(init=False)
    failed: str = ""
    seconds: float = 0.0  # that the Runner took


class Talk:
    """The same app that `adk web` serves, asked directly."""

    def __init__(self, services: Services, *, sessions: BaseSessionService) -> None:
        self.services = services
        self.sessions = sessions
        self.runner = Runner(
            app=build_app(services), session_service=sessions, artifact_service=InMemoryArtifactService()
        )
        self._running: dict[str, Running] = {}

    async def open(self) -> None:
        """Before the first visit."""
        await index_events(self.sessions)

    async def state(self, user_id: str) -> SessionState:
        """Where the learner is."""
        return SessionState.of((await self.session(user_id, config=_NO_EVENTS)).state)

    async def session(self, user_id: str, *, config: GetSessionConfig = _RECENT) -> Session:
        """The learner's one session, begun at the first visit, with what was said lately."""
        its_id = session_id(user_id)
        found = await self.sessions.get_session(
            app_name=APP_NAME, user_id=user_id, session_id=its_id, config=config
        )
        return found or await self.sessions.create_session(
            app_name=APP_NAME, user_id=user_id, session_id=its_id
        )

    def is_busy(self, user_id: str) -> bool:
        return user_id in self._running

    async def wait(self, user_id: str) -> None:
        """Until the turn that is under way is over."""
        if running := self._running.get(user_id):
            await asyncio.wait([running.task])

    def begin(
        self,
        user_id: str,
        text: str,
        *,
        said_in: str = "button",
        question_id: str = "",
        wish: Mapping[str, str] | None = None,
    ) -> Running:
        """Start a turn; an answer or a button names the question that it is for, so that a stale one is told and not carried out.

        `wish` is what a button stands for ({action, topic, course}): its words are only shown, and never read.
        Turns of one learner queue in the Runner's own plugin.
        """
        config = RunConfig(
            streaming_mode=StreamingMode.SSE,
            get_session_config=_RECENT,
            max_llm_calls=self.services.settings.max_llm_calls,
            custom_metadata={SAID_IN_KEY: said_in, QUESTION_KEY: question_id, WISH_KEY: dict(wish or {})},
        )
        running = self._running[user_id] = Running()
        running.task = asyncio.create_task(self._run(running, user_id, text, config))
        return running

    async def _run(self, running: Running, user_id: str, text: str, config: RunConfig) -> None:
        started = time.perf_counter()
        try:
            await self.session(user_id, config=_NO_EVENTS)
            message = types.Content(role="user", parts=[types.Part(text=text)])
            events = self.runner.run_async(
                user_id=user_id, session_id=session_id(user_id), new_message=message, run_config=config
            )
            async with aclosing(events):
                async for event in events:
                    running.heard.put_nowait(event)
        except Exception:
            logger.exception("a turn failed")
            running.failed = _TROUBLE
        finally:
            running.seconds = time.perf_counter() - started
            if self._running.get(user_id) is running:
                del self._running[user_id]
            running.heard.put_nowait(None)

    async def forget(self, user_id: str) -> None:
        """Delete the conversation and everything that is kept about the learner."""
        await self.sessions.delete_session(app_name=APP_NAME, user_id=user_id, session_id=session_id(user_id))
        await self.services.forget(user_id)

    async def close(self) -> None:
        await self.runner.close()


def session_id(user_id: str) -> str:
    """Turns queue by session id alone, so it must differ from learner to learner."""
    return f"page-{user_id}"
