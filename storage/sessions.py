"""Conversations and the lessons in them: who spoke when, and what each turn did. These rows are forgotten after a while."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import delete, insert, select

from storage.database import Repository, put, to_row, where_given
from storage.learner_records import AgentTransition, TurnLog
from storage.tables import agent_transitions, open_lessons, session_logs
from storage.types import clean

_EXCERPT_CHARACTERS = 100


class Sessions(Repository):
    """The conversations of all learners."""

    async def add_transitions(self, transitions: Sequence[AgentTransition]) -> None:
        """Log hand-overs; of the message only its first 100 characters are kept."""
        rows = [to_row(each, message_excerpt=_excerpt(each.message_excerpt)) for each in transitions]
        async with self._database.write() as conn:
            await conn.execute(insert(agent_transitions), rows)

    async def transitions(self, session_id: str, *, user_id: str | None = None) -> Sequence[AgentTransition]:
        """The hand-overs of a session, oldest first; two learners may have sessions of the same name."""
        statement = where_given(select(agent_transitions), session_id=session_id, user_id=user_id)
        return await self._all(AgentTransition, statement.order_by(agent_transitions.c.id))

    async def add_turn(self, turn: TurnLog) -> None:
        """Log what a turn did."""
        async with self._database.write() as conn:
            await conn.execute(insert(session_logs), to_row(turn))

    async def turns(self, user_id: str, *, session_id: str | None = None) -> Sequence[TurnLog]:
        """A learner's turns, oldest first; of one session or of all."""
        own = where_given(select(session_logs), user_id=user_id, session_id=session_id)
        return await self._all(TurnLog, own.order_by(session_logs.c.timestamp, session_logs.c.turn_number))

    async def forget_before(self, moment: datetime) -> None:
        """Delete conversations older than a moment; what was learned in them stays."""
        async with self._database.write() as conn:
            for table in (session_logs, agent_transitions):
                await conn.execute(delete(table).where(table.c.timestamp < moment))


def _excerpt(message: str | None) -> str | None:
    return None if message is None else clean(message)[:_EXCERPT_CHARACTERS]


LessonKind = Literal["quiz", "diagnostic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLesson:
    """One quiz or diagnostic under way; `asking` is its own name, new for every one."""

    user_id: str
    session_id: str
    kind: LessonKind
    asking: str
    course: str
    topic: str
    cycle_number: int
    threshold: float
    questions: tuple[dict[str, Any], ...]
    asked_at: datetime


class Lessons(Repository):
    """What is being asked of all learners: of each kind one a session, a new one takes the place of the old."""

    async def put(self, lesson: OpenLesson) -> None:
        async with self._database.write() as conn:
            await put(conn, open_lessons, to_row(lesson), keys=["user_id", "session_id", "kind"])

    async def of(self, user_id: str, *, session_id: str, kind: LessonKind) -> OpenLesson | None:
        statement = select(open_lessons).filter_by(user_id=user_id, session_id=session_id, kind=kind)
        return await self._first(OpenLesson, statement)

    async def forget_before(self, moment: datetime) -> None:
        """Delete what nobody has answered for long."""
        async with self._database.write() as conn:
            await conn.execute(delete(open_lessons).where(open_lessons.c.asked_at < moment))
