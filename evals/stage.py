"""The real app, ready to play eval cases: one Runner, sessions in memory, each case with its own learner."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from google.adk.artifacts.in_memory_artifact_service import InMemoryArtifactService
from google.adk.evaluation.eval_case import EvalCase, Invocation
from google.adk.evaluation.evaluation_generator import EvaluationGenerator
from google.adk.events.event import Event
from google.adk.runners import Runner
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.genai import types

from agents.adk_sessions import APP_NAME
from agents.agent import build_app
from agents.services import Services
from agents.state import SessionState
from evals.metrics.stored import EVAL_LEARNER, EVAL_SESSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A learner in a session."""

    user_id: str
    session_id: str


class Stage:
    """Plays conversations and gives them back as ADK's evaluation sees them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._sessions = InMemorySessionService()
        self._runner = Runner(
            app=build_app(services),
            session_service=self._sessions,
            artifact_service=InMemoryArtifactService(),
        )

    async def play(self, case: EvalCase) -> tuple[list[Invocation], dict[str, Any]]:
        """The case's conversation as it went, and the session's state after it."""
        seat = await self.seat(case)
        events: list[Event] = []
        for expected in case.conversation or []:
            events += await self.say(seat, expected.user_content)
        state = await self._state(seat)
        return EvaluationGenerator.convert_events_to_eval_invocations(events), state

    async def seat(self, case: EvalCase) -> Seat:
        """A new session of the case's learner, after the visits that the case says came before it."""
        user_id = case.session_input.user_id if case.session_input else f"{EVAL_LEARNER}{case.eval_id}"
        await self._services.ready()
        await self._services.forget(user_id)  # of a run that was not judged to its end
        for visit in earlier_visits(case):
            earlier = await self._open(user_id, {})
            for message in visit:
                await self.say(earlier, types.Content(role="user", parts=[types.Part(text=message)]))
        state = dict(case.session_input.state) if case.session_input else {}
        return await self._open(user_id, state)

    async def say(self, seat: Seat, message: types.Content) -> list[Event]:
        """One turn, the learner's message first."""
        heard = [
            event
            async for event in self._runner.run_async(
                user_id=seat.user_id, session_id=seat.session_id, new_message=message
            )
        ]
        said = Event(author="user", content=message, invocation_id=heard[0].invocation_id)
        return [said, *heard]

    async def state(self, seat: Seat) -> SessionState:
        return SessionState.of(await self._state(seat))

    async def concept_names(self, course: str) -> tuple[str, ...]:
        return (await self._services.syllabus(course)).names

    async def close(self) -> None:
        await self._runner.close()
        await self._services.close()

    async def _open(self, user_id: str, state: dict[str, Any]) -> Seat:
        session = await self._sessions.create_session(
            app_name=APP_NAME, user_id=user_id, state=state, session_id=f"{EVAL_SESSION}{uuid.uuid4()}"
        )
        return Seat(user_id=user_id, session_id=session.id)

    async def _state(self, seat: Seat) -> dict[str, Any]:
        session = await self._sessions.get_session(
            app_name=APP_NAME, user_id=seat.user_id, session_id=seat.session_id
        )
        return dict(session.state) if session else {}


def earlier_visits(case: EvalCase) -> Sequence[Sequence[str]]:
    """What the learner said in sessions before this one; `adk eval` does not know this field."""
    extra = (case.session_input.model_extra if case.session_input else None) or {}
    visits: Sequence[Sequence[str]] = extra.get("earlier_visits", [])
    return visits
