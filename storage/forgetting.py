"""What is kept about one learner: shown whole, and deleted whole, here and in the copies."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Table, delete, or_, select

from storage.database import Database
from storage.tables import agent_transitions, learning_cycles, metadata, session_logs


async def forget_learner(database: Database, user_id: str) -> dict[str, int]:
    """Delete everything of a learner in one transaction; how many rows of which table."""
    async with database.write() as conn:
        return {
            table.name: (await conn.execute(delete(table).where(whose))).rowcount
            for table, whose in _places(user_id)
        }


async def records_of(database: Database, user_id: str) -> dict[str, list[dict[str, Any]]]:
    """Everything of a learner, as JSON values by table."""
    return {
        table.name: [
            json.loads(json.dumps(row._asdict(), default=str))
            for row in await database.fetch(select(table).where(whose))
        ]
        for table, whose in reversed(list(_places(user_id)))
    }


def _places(user_id: str) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    """Every table that knows a learner, the dependent ones first."""
    for table in reversed(metadata.sorted_tables):
        if table is agent_transitions:
            yield table, or_(table.c.user_id == user_id, table.c.session_id.in_(_own_sessions(user_id)))
        elif "user_id" in table.c and table not in _TELL_SESSIONS:
            yield table, table.c.user_id == user_id
    for table in _TELL_SESSIONS:
        yield table, table.c.user_id == user_id


# Hand-overs of before schema 0007 name only their session; these tables know whose it was, and are emptied last.
_TELL_SESSIONS = (learning_cycles, session_logs)


def _own_sessions(user_id: str) -> Any:
    others = [select(table.c.session_id).where(table.c.user_id != user_id) for table in _TELL_SESSIONS]
    own = [
        select(table.c.session_id)
        .where(table.c.user_id == user_id)
        .where(*(table.c.session_id.not_in(other) for other in others))
        for table in _TELL_SESSIONS
    ]
    return own[0].union(own[1])


def forget_in_copy(file: Path, user_id: str) -> int:
    """Delete a learner's rows from a copy of the database, whatever its schema; how many."""
    count = 0
    with closing(sqlite3.connect(file)) as copy:
        tables = [row[0] for row in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            columns = {row[1] for row in copy.execute(f'PRAGMA table_info("{table}")')}
            if table == "agent_transitions" and "session_logs" in tables:
                own = "SELECT session_id FROM session_logs WHERE user_id = ?"
                statement = f"DELETE FROM agent_transitions WHERE session_id IN ({own})"
                count += copy.execute(statement, (user_id,)).rowcount
        for table in tables:
            columns = {row[1] for row in copy.execute(f'PRAGMA table_info("{table}")')}
            if "user_id" in columns:
                count += copy.execute(f'DELETE FROM "{table}" WHERE user_id = ?', (user_id,)).rowcount
        copy.commit()
        if count:
            copy.execute("VACUUM")  # what is deleted is not overwritten before
    return count
