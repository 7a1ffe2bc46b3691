"""The real app with a clock that the simulation moves: real Runner, embedded model, SQLite files, sample course."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from google.adk.runners import Runner
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.genai import types

from agents.adk_sessions import APP_NAME
from agents.agent import build_app
from agents.learner_record import LearnerRecord, Planner, load_record
from agents.services import Services
from agents.settings import load_settings
from agents.state import SessionState
from agents.teaching.evidence import LedgerRow
from agents.teaching.lesson import Lesson
from agents.teaching.path import ConceptGraph
from agents.tutor.brief import lesson_plan
from agents.tutor.offline import explanation

_START = datetime(2026, 1, 5, 9, tzinfo=UTC)
_COURSE = "physical-ai"
_OFFLINE = {"model": "embedded", "embedder": "wordllama", "course_dir": ""}
_TURN = timedelta(seconds=40)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one message brought: the words, who said them, and the state after it."""

    text: str
    authors: tuple[str, ...]
    state: SessionState


class Classroom:
    """One app for all learners; each comes in their own name, with a session a day."""

    def __init__(self, folder: Path) -> None:
        self.now = _START
        here = {"data_dir": folder / "data", "database_url": "", "qdrant_url": ""}
        settings = load_settings(folder).model_copy(update={**here, **_OFFLINE})
        self.services = Services(settings, now=lambda: self.now)
        self._sessions = SqliteSessionService(db_path=str(folder / "sessions.db"))
        self._runner = Runner(app=build_app(self.services), session_service=self._sessions)

    async def open(self) -> "Classroom":
        await self.services.ready()
        return self

    async def close(self) -> None:
        await self._runner.close()
        await self.services.close()

    async def graph(self) -> ConceptGraph:
        return await Planner(services=self.services).graph(_COURSE)

    async def topics(self) -> dict[str, tuple[str, ...]]:
        """What the app teaches together with each concept of the course."""
        syllabus = await self.services.syllabus(_COURSE)
        found = {concept.name: syllabus.topic(concept.name) for concept in syllabus.concepts}
        return {name: topic.parts[0].names for name, topic in found.items() if topic and topic.name == name}

    async def enter(self, user_id: str, *, session_id: str) -> None:
        await self._sessions.create_session(app_name=APP_NAME, user_id=user_id, session_id=session_id)

    async def say(self, user_id: str, text: str, *, session_id: str) -> Turn:
        self.now += _TURN
        message = types.Content(role="user", parts=[types.Part(text=text)])
        said: list[tuple[str, str]] = []
        async for event in self._runner.run_async(
            user_id=user_id, session_id=session_id, new_message=message
        ):
            words = "".join(part.text or "" for part in (event.content.parts or [])) if event.content else ""
            if words:
                said.append((event.author, words))
        return Turn(
            text="\n\n".join(words for _, words in said),
            authors=tuple(author for author, _ in said),
            state=await self._state(user_id, session_id=session_id),
        )

    async def record(self, user_id: str, state: SessionState) -> LearnerRecord:
        return await load_record(self.services, user_id, state)

    async def answers(self, user_id: str) -> Sequence[LedgerRow]:
        """Everything that was graded of a learner."""
        return [row for row in await self.services.ledger.of(user_id) if row.action == "answer"]

    async def gaps(self, user_id: str) -> frozenset[str]:
        """What the tutor believes that a learner lacks; the session only has what lies below the topic."""
        return frozenset(
            gap.concept_name for gap in await self.services.learners.gaps(user_id, course=_COURSE)
        )

    async def explained(self, state: SessionState) -> Lesson:
        """The explanation that was just given, taken apart by giving it again."""
        brief = await lesson_plan(state, self.services, already_said=state.earlier_explanations)
        again = explanation(brief)
        if not state.explanation.startswith(again.text):
            raise AssertionError(f"the explanation of {state.current_topic} could not be told again")
        return again

    async def _state(self, user_id: str, *, session_id: str) -> SessionState:
        session = await self._sessions.get_session(
            app_name=APP_NAME,
            user_id=user_id,
            session_id=session_id,
            config=GetSessionConfig(num_recent_events=1),
        )
        return SessionState.of(session.state if session else {})
