"""One ongoing conversation a learner, held by ADK's Runner."""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing

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

# The state holds the place; of the events only the talk that is shown and remembered is needed, so turn 300 costs
# what turn 3 does.
_RECENT = GetSessionConfig(num_recent_events=40)
_NO_EVENTS = GetSessionConfig(num_recent_events=0)


class Talk:
    """The same app that `adk web` serves, asked directly."""

    def __init__(self, services: Services, *, sessions: BaseSessionService) -> None:
        self.services = services
        self.sessions = sessions
        self.runner = Runner(
            app=build_app(services), session_service=sessions, artifact_service=InMemoryArtifactService()
        )

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

    async def say(
        self,
        user_id: str,
        text: str,
        *,
        said_in: str = "",
        question_id: str = "",
        wish: Mapping[str, str] | None = None,
    ) -> AsyncIterator[Event]:
        """One turn; an answer or a button names the question that it is for, so that a stale one is told and not carried out.

        `wish` is what a button stands for ({action, topic, course}): its words are only shown, and never read.
        """
        await self.session(user_id, config=_NO_EVENTS)
        config = RunConfig(
            streaming_mode=StreamingMode.SSE,
            get_session_config=_RECENT,
            max_llm_calls=self.services.settings.max_llm_calls,
            custom_metadata={SAID_IN_KEY: said_in, QUESTION_KEY: question_id, WISH_KEY: dict(wish or {})},
        )
        message = types.Content(role="user", parts=[types.Part(text=text)])
        events = self.runner.run_async(
            user_id=user_id, session_id=session_id(user_id), new_message=message, run_config=config
        )
        async with aclosing(events):
            async for event in events:
                yield event

    async def forget(self, user_id: str) -> None:
        """Delete the conversation and everything that is kept about the learner."""
        await self.sessions.delete_session(app_name=APP_NAME, user_id=user_id, session_id=session_id(user_id))
        await self.services.forget(user_id)

    async def close(self) -> None:
        await self.runner.close()


def session_id(user_id: str) -> str:
    """Turns queue by session id alone, so it must differ from learner to learner."""
    return f"page-{user_id}"
