"""Times on both databases: whoever writes them, in whatever zone and by whatever statement, they come back in UTC."""

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import DateTime, func, literal, select, text, update

from storage.database import Database
from storage.learners import records_of
from storage.tables import UtcDateTime, metadata, tasks
from storage.tasks import Tasks
from tests.support.times import all_in_utc

TOKYO = timezone(timedelta(hours=9))
NOW = datetime(2026, 3, 2, 18, 0, 0, 1500, tzinfo=TOKYO)
TIMES = {
    f"{table.name}.{column.name}": column
    for table in metadata.tables.values()
    for column in table.c
    if isinstance(column.type, UtcDateTime)
}


@pytest.fixture(params=["UTC", "Asia/Tokyo"], autouse=True)
def clock_on_the_wall(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What zone the machine is in makes no difference."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_every_column_with_a_time_is_of_the_type_that_keeps_its_zone() -> None:
    """Found by their names and by SQLAlchemy's own types: a new table cannot forget it."""
    columns = {
        f"{table.name}.{column.name}": column for table in metadata.tables.values() for column in table.c
    }
    by_name = {name for name in columns if name.endswith(("_at", "timestamp", ".until"))}
    assert by_name == TIMES.keys()
    assert not [name for name, column in columns.items() if isinstance(column.type, DateTime)]


async def test_a_time_of_every_column_comes_back_in_utc(database: Database) -> None:
    """Whether a statement names the column, as usual, or leaves the time to stand for itself, as in coalesce."""
    types = [column.type for column in TIMES.values()]
    named = [literal(NOW, kind) for kind in types]
    bare = [func.coalesce(literal(None, kind), NOW) for kind in types]
    [row] = await database.fetch(
        select(*(each.label(f"t{place}") for place, each in enumerate(named + bare)))
    )
    assert [(moment, moment.utcoffset()) for moment in row] == [(NOW, timedelta(0))] * 2 * len(TIMES)


async def test_a_completed_task_says_when_with_its_zone_and_so_does_its_row(database: Database) -> None:
    todo = Tasks(database)
    task = await todo.add("ada", title="Read", due_at=NOW, now=NOW)
    done = await todo.complete(task.id, user_id="ada", now=NOW)
    assert done is not None
    assert done.completed_at == NOW
    assert {each.utcoffset() for each in (done.completed_at, done.created_at, done.due_at) if each} == {
        timedelta(0)
    }
    if database.file:
        [raw] = await database.fetch(text("SELECT completed_at, created_at, due_at FROM tasks"))
        assert set(raw) == {"2026-03-02T09:00:00.001500+00:00"}
    found = json.loads(json.dumps(await records_of(database, "ada")))
    assert all_in_utc(found) == {"completed_at", "created_at", "due_at"}


async def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    bare = update(tasks).values(completed_at=datetime(2026, 3, 2))  # noqa: DTZ001
    with pytest.raises(Exception, match="naive"):
        async with database.write() as conn:
            await conn.execute(bare)


def test_what_an_earlier_version_stored_without_a_zone_was_utc() -> None:
    dialect = pytest.importorskip("sqlalchemy.dialects.sqlite").dialect()
    read = UtcDateTime().process_result_value("2026-03-02 09:00:00.001500", dialect)
    assert read == NOW
    assert read.tzinfo is UTC
