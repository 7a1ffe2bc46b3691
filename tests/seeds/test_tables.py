"""The documents' tables: their columns, what they refuse, and that what is asked of them is found by an index."""

import json
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from sqlalchemy import Engine, create_engine, event, inspect
from sqlalchemy.exc import IntegrityError

from storage import migrate
from storage.database import Database
from storage.learners import DiagnosticResult, Learners, Sessions
from storage.tables import tasks
from storage.tasks import Tasks
from tasks_tools.server import TOOLS

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

# Column: whether it may be missing.
COLUMNS: dict[str, dict[str, bool]] = {
    "agent_transitions": {
        "id": False,
        "session_id": False,
        "from_agent": False,
        "to_agent": False,
        "reason": True,
        "message_excerpt": True,
        "timestamp": False,
    },
    "learning_cycles": {
        "id": False,
        "user_id": False,
        "session_id": False,
        "topic": False,
        "cycle_number": False,
        "quiz_score": True,
        "mastery_achieved": True,
        "started_at": False,
        "completed_at": True,
    },
    "diagnostic_results": {
        "id": False,
        "user_id": False,
        "session_id": False,
        "topic": False,
        "prerequisite_gaps": False,  # an empty list, where there are none
        "learner_level": False,
        "recommendations": False,
        "timestamp": False,
    },
}
INDEXES = {
    ("agent_transitions", "idx_transitions_session"): ["session_id"],
    ("learning_cycles", "idx_cycles_user"): ["user_id"],
    ("learning_cycles", "idx_cycles_topic"): ["topic"],
    ("diagnostic_results", "idx_diagnostic_user"): ["user_id"],
}
Query = Callable[[Database], Awaitable[object]]


@pytest.fixture
def file(migrated_sqlite: Path, tmp_path: Path) -> Path:
    """A migrated database without rows."""
    return Path(shutil.copy(migrated_sqlite, tmp_path / "tutor.db"))


@pytest.fixture
async def database(file: Path) -> AsyncIterator[Database]:
    opened = await Database.open(f"sqlite:///{file}")
    yield opened
    await opened.close()


@contextmanager
def statements() -> Iterator[list[tuple[str, Any]]]:
    """Every statement that is sent meanwhile, with its values."""
    sent: list[tuple[str, Any]] = []

    def note(_conn: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        sent.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def plan_of(file: Path, statement: str, parameters: Any = ()) -> str:
    """How SQLite goes about a statement."""
    with closing(sqlite3.connect(file)) as conn:
        steps = conn.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
    return " | ".join(str(step[-1]) for step in steps)


async def plan_for(database: Database, query: Query) -> str:
    """How SQLite goes about what a repository asks."""
    assert database.file is not None
    with statements() as sent:
        await query(database)
    [(statement, parameters)] = [each for each in sent if each[0].startswith("SELECT")]
    return plan_of(database.file, statement, parameters)


@pytest.mark.parametrize("table", COLUMNS)
def test_the_three_tables_have_the_documents_columns(migrated_sqlite: Path, table: str) -> None:
    engine = create_engine(f"sqlite:///{migrated_sqlite}")
    found = {column["name"]: column["nullable"] for column in inspect(engine).get_columns(table)}
    key = inspect(engine).get_pk_constraint(table)["constrained_columns"]
    engine.dispose()
    assert {name: found[name] for name in COLUMNS[table]} == COLUMNS[table]
    assert key == ["id"]


def test_the_three_tables_have_the_documents_indexes(migrated_sqlite: Path) -> None:
    engine = create_engine(f"sqlite:///{migrated_sqlite}")
    found = {
        (table, index["name"]): index["column_names"]
        for table in COLUMNS
        for index in inspect(engine).get_indexes(table)
    }
    engine.dispose()
    assert {name: found[name] for name in INDEXES} == INDEXES


def test_the_tables_of_before_are_all_there(migrated_sqlite: Path) -> None:
    engine = create_engine(f"sqlite:///{migrated_sqlite}")
    found = set(inspect(engine).get_table_names())
    engine.dispose()
    assert {
        "quiz_results",
        "concept_mastery",
        "knowledge_gaps",
        "session_logs",
        "extracted_concepts",
        "concept_relationships",
        *COLUMNS,
    } <= found


@pytest.mark.parametrize(
    ("query", "index"),
    [
        pytest.param(lambda db: Sessions(db).transitions("s1"), "idx_transitions_session", id="transitions"),
        pytest.param(lambda db: Learners(db).cycles("ada"), "idx_cycles_user", id="cycles"),
        pytest.param(lambda db: Learners(db).diagnostics("ada"), "idx_diagnostic_user", id="diagnostics"),
        pytest.param(lambda db: Tasks(db).list("ada", now=NOW), "idx_tasks_user", id="tasks"),
        pytest.param(lambda db: Sessions(db).turns("ada"), "idx_session_logs_user", id="turns"),
    ],
)
async def test_a_query_is_answered_from_its_index(database: Database, query: Query, index: str) -> None:
    assert f"INDEX {index}" in await plan_for(database, query)


async def test_the_turns_of_a_session_are_read_in_their_order_by_an_index(
    file: Path, database: Database
) -> None:
    engine = create_engine(f"sqlite:///{file}")
    indexed = [index["column_names"] for index in inspect(engine).get_indexes("session_logs")]
    engine.dispose()
    assert any(columns[-2:] == ["session_id", "timestamp"] for columns in indexed)
    plan = await plan_for(database, lambda db: Sessions(db).turns("ada", session_id="s1"))
    assert "INDEX" in plan


async def test_a_session_is_read_by_its_key(tmp_path: Path) -> None:
    """The metadata of a conversation is in ADK's own table."""
    file = tmp_path / "sessions.db"
    await SqliteSessionService(db_path=str(file)).create_session(
        app_name="agents", user_id="ada", session_id="s1", state={"task_references": {"1": 42}}
    )
    where = "app_name = 'agents' AND user_id = 'ada' AND id = 's1'"
    assert re.search(
        r"SEARCH sessions USING .*INDEX", plan_of(file, f"SELECT state FROM sessions WHERE {where}")
    )
    with closing(sqlite3.connect(file)) as conn:
        [(kept,)] = conn.execute(f"SELECT state FROM sessions WHERE {where}").fetchall()
    assert json.loads(kept)["task_references"] == {"1": 42}


async def test_gaps_and_recommendations_are_json_arrays(database: Database) -> None:
    found = DiagnosticResult(
        user_id="ada",
        session_id="s1",
        topic="URDF",
        prerequisite_gaps=("XML", "frames"),
        learner_level="beginner",
        recommendations=("Start with XML.",),
        timestamp=NOW,
    )
    await Learners(database).add_diagnostic(found)
    async with database.read() as conn:
        lengths = await conn.exec_driver_sql(
            "SELECT json_array_length(prerequisite_gaps), json_array_length(recommendations) FROM diagnostic_results"
        )
        assert lengths.all() == [(2, 1)]


async def test_a_task_has_no_third_status(database: Database) -> None:
    values = {"user_id": "ada", "title": "Read", "origin": "learner", "created_at": NOW}
    with pytest.raises(IntegrityError):
        async with database.write() as conn:
            await conn.execute(tasks.insert().values(**values, status="open"))
    assert await Tasks(database).list("ada", now=NOW) == []


async def test_a_completed_task_says_when_in_utc(database: Database) -> None:
    here = NOW.astimezone(timezone(timedelta(hours=2)))
    made = await Tasks(database).add("ada", title="Read", due_at=here, now=here)
    done = await Tasks(database).complete(made.id, user_id="ada", now=here)
    async with database.read() as conn:
        stored = (await conn.exec_driver_sql("SELECT created_at, due_at, completed_at FROM tasks")).one()
    assert done is not None
    assert (done.created_at, done.due_at, done.completed_at) == (NOW, NOW, NOW)
    assert {datetime.fromisoformat(each).utcoffset() for each in stored} == {timedelta()}


def test_the_tools_state_their_limits_in_json_schema() -> None:
    [listing] = [tool.input_schema for tool in TOOLS if tool.name == "list_tasks"]
    limit = listing["properties"]["limit"]
    assert (limit["minimum"], limit["maximum"]) == (1, 500)
    assert not {"ge", "le", "gt", "lt"} & limit.keys()


def test_no_migration_drops_anything(tmp_path: Path) -> None:
    """From each schema to the next, tables and columns only become more."""
    config = Config()
    config.set_main_option("script_location", str(migrate.SCRIPTS))
    config.set_main_option("path_separator", "os")
    engine = create_engine(f"sqlite:///{tmp_path / 'tutor.db'}")
    before: set[tuple[str, str]] = set()
    for revision in migrate.revisions():
        with engine.begin() as conn:
            config.attributes["connection"] = conn
            command.upgrade(config, revision)
            inspector = inspect(conn)
            after = {
                (table, column["name"])
                for table in inspector.get_table_names()
                for column in inspector.get_columns(table)
            }
        assert before <= after, revision
        before = after
    engine.dispose()
