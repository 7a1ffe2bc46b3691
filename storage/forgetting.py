"""Forgetting a learner: every row that is kept about them."""

from sqlalchemy import delete, select

from storage.database import Database
from storage.tables import agent_transitions, metadata, session_logs


async def forget_learner(database: Database, user_id: str) -> None:
    """Delete a learner's answers, mastery, cycles, tasks and conversations, in one transaction."""
    own_sessions = select(session_logs.c.session_id).where(session_logs.c.user_id == user_id)
    async with database.write() as conn:
        await conn.execute(delete(agent_transitions).where(agent_transitions.c.session_id.in_(own_sessions)))
        for table in reversed(metadata.sorted_tables):
            if "user_id" in table.c:
                await conn.execute(delete(table).where(table.c.user_id == user_id))
