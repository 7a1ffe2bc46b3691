"""What is kept about one learner: shown whole, and deleted whole, here and in the copies."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, delete, func, or_, select, union

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
    # Hand-overs of before schema 0007 name only their session: they go first, while it is known whose that was.
    whose = agent_transitions.c.user_id
    unnamed = and_(whose.is_(None), agent_transitions.c.session_id.in_(_own_sessions(user_id)))
    yield agent_transitions, or_(whose == user_id, unnamed)
    for table in reversed(metadata.sorted_tables):
        if "user_id" in table.c and table is not agent_transitions:
            yield table, table.c.user_id == user_id


def _own_sessions(user_id: str) -> Select[tuple[str]]:
    """The sessions that this learner had, and nobody else under the same name."""
    seen = union(
        *(select(table.c.session_id, table.c.user_id) for table in (learning_cycles, session_logs))
    ).subquery()
    first, last = func.min(seen.c.user_id), func.max(seen.c.user_id)
    return select(seen.c.session_id).group_by(seen.c.session_id).having(first == user_id, last == user_id)


def forget_in_copy(file: Path, user_id: str) -> int:
    """Delete a learner's rows from a copy of the database, whatever its schema; how many."""
    with closing(sqlite3.connect(file)) as copy:
        tables = [row[0] for row in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {
            table: {row[1] for row in copy.execute(f'PRAGMA table_info("{table}")')} for table in tables
        }
        places = [(table, "user_id = :user") for table in tables if "user_id" in columns[table]]
        if {"agent_transitions", "session_logs"} <= columns.keys():
            unnamed = "user_id IS NULL AND " if "user_id" in columns["agent_transitions"] else ""
            own = "SELECT session_id FROM session_logs WHERE user_id = :user"
            places.insert(0, ("agent_transitions", f"{unnamed}session_id IN ({own})"))
        count = sum(
            copy.execute(f'DELETE FROM "{table}" WHERE {whose}', {"user": user_id}).rowcount
            for table, whose in places
        )
        copy.commit()
        if count:
            copy.execute("VACUUM")  # what is deleted is not overwritten before
    return count
