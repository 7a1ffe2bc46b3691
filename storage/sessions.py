"""Conversations: who spoke when, and what each turn did. These rows are forgotten after a while."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select

from storage.database import Database
from storage.session_records import AgentTransition, TurnLog
from storage.statements import columns_for, to_record, to_row
from storage.tables import agent_transitions, session_logs
from storage.types import clean

_EXCERPT_CHARACTERS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """How much a retention run deleted."""

    turns: int
    transitions: int


class Sessions:
    """The conversations of all learners."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_transitions(self, transitions: Sequence[AgentTransition]) -> None:
        """Log hand-overs; of the message only its first 100 characters are kept."""
        rows = [to_row(each, message_excerpt=_excerpt(each.message_excerpt)) for each in transitions]
        async with self._database.write() as conn:
            await conn.execute(insert(agent_transitions), rows)

    async def transitions(self, session_id: str, *, user_id: str | None = None) -> Sequence[AgentTransition]:
        """The hand-overs of a session, oldest first; two learners may have sessions of the same name."""
        table = agent_transitions
        statement = select(*columns_for(AgentTransition, table)).where(table.c.session_id == session_id)
        if user_id is not None:
            statement = statement.where(table.c.user_id == user_id)
        rows = await self._database.fetch(statement.order_by(table.c.id))
        return [to_record(AgentTransition, row) for row in rows]

    async def add_turn(self, turn: TurnLog) -> None:
        """Log what a turn did."""
        async with self._database.write() as conn:
            await conn.execute(insert(session_logs), to_row(turn))

    async def turns(self, user_id: str, *, session_id: str | None = None) -> Sequence[TurnLog]:
        """A learner's turns, oldest first; of one session or of all."""
        table = session_logs
        statement = select(table).where(table.c.user_id == user_id)
        if session_id is not None:
            statement = statement.where(table.c.session_id == session_id)
        rows = await self._database.fetch(statement.order_by(table.c.timestamp, table.c.turn_number))
        return [to_record(TurnLog, row) for row in rows]

    async def forget_before(self, moment: datetime) -> Forgotten:
        """Delete conversations older than a moment; what was learned in them stays."""
        async with self._database.write() as conn:
            turns = await conn.execute(delete(session_logs).where(session_logs.c.timestamp < moment))
            transitions = await conn.execute(
                delete(agent_transitions).where(agent_transitions.c.timestamp < moment)
            )
        return Forgotten(turns=turns.rowcount, transitions=transitions.rowcount)


def _excerpt(message: str | None) -> str | None:
    return None if message is None else clean(message)[:_EXCERPT_CHARACTERS]
