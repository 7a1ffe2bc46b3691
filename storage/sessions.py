"""Conversations: who spoke when, and what each turn did. These rows are forgotten after a while."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select

from storage.session_records import AgentTransition, TurnLog
from storage.statements import Repository, to_row, where_given
from storage.tables import agent_transitions, session_logs
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
