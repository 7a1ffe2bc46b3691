"""Reading, writing and being closed, on both databases."""

import asyncio
import gc
from datetime import UTC, datetime

import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.exc import DBAPIError

from storage.corpus import Corpus
from storage.database import Database
from storage.errors import StorageError
from storage.tables import corpus_clock, courses
from storage.tasks import Tasks

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
TICK = update(corpus_clock).values(revision=corpus_clock.c.revision + 1)


async def revision(database: Database) -> int:
    return (await Corpus(database).clock()).revision


async def test_a_finished_write_is_kept(database: Database) -> None:
    async with database.write() as conn:
        await conn.execute(TICK)

    assert await revision(database) == 1


async def test_a_write_that_fails_leaves_nothing(database: Database) -> None:
    async def fail() -> None:
        async with database.write() as conn:
            await conn.execute(TICK)
            raise KeyError

    with pytest.raises(KeyError):
        await fail()

    assert await revision(database) == 0


async def test_readers_see_nothing_unfinished(database: Database) -> None:
    async with database.write() as conn:
        await conn.execute(TICK)
        assert await revision(database) == 0

    assert await revision(database) == 1


async def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(StorageError):
        async with database.read() as conn:
            await conn.execute(TICK)

    assert await revision(database) == 0


async def test_the_callers_own_errors_pass_unchanged(database: Database) -> None:
    with pytest.raises(FileNotFoundError):
        async with database.write():
            raise FileNotFoundError


async def test_a_broken_rule_of_the_schema_is_a_bug_and_raises(database: Database) -> None:
    with pytest.raises(DBAPIError):
        async with database.write() as conn:
            await conn.execute(insert(courses).values(name="ros", title=None, updated_at=NOW))


async def test_a_failure_does_not_tell_what_the_learner_wrote(database: Database) -> None:
    with pytest.raises(DBAPIError) as failure:
        async with database.write() as conn:
            await conn.execute(text("INSERT INTO nowhere VALUES (:secret)"), {"secret": "my diary"})

    assert "my diary" not in str(failure.value)


async def test_many_writers_at_once_all_succeed(database: Database) -> None:
    async def write() -> None:
        async with database.write() as conn:
            await conn.execute(TICK)

    await asyncio.gather(*(write() for _ in range(40)))

    assert await revision(database) == 40


async def test_many_readers_and_writers_at_once_all_succeed(database: Database) -> None:
    tasks = Tasks(database)

    async def turn(user: str) -> int:
        await tasks.add(user, title="Read", now=NOW)
        return len(await tasks.list(user, now=NOW))

    assert await asyncio.gather(*(turn(f"user {number}") for number in range(40))) == [1] * 40


async def test_a_turn_that_is_cancelled_while_it_writes_leaves_no_lock(database: Database) -> None:
    """A client that disconnects cancels whatever its turn is doing."""
    for step in range(25):
        turn = asyncio.ensure_future(_several_statements(database))
        await asyncio.wait({turn}, timeout=step / 4000)
        turn.cancel()
        await asyncio.gather(turn, return_exceptions=True)

    async with database.write() as conn:
        await conn.execute(TICK)
    assert await revision(database) >= 1


async def _several_statements(database: Database) -> None:
    async with database.write() as conn:
        for _ in range(5):
            await conn.execute(TICK)
            await conn.execute(select(corpus_clock))


# asyncpg remarks on connections of a loop that has ended; the database lets go of them.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_one_database_serves_one_event_loop_after_another(database_url: str) -> None:
    """ADK's synchronous Runner.run makes a new loop for every turn."""
    database = asyncio.run(Database.open(database_url))

    async def tick() -> int:
        async with database.write() as conn:
            await conn.execute(TICK)
        return await revision(database)

    assert [asyncio.run(tick()) for _ in range(3)] == [1, 2, 3]
    asyncio.run(database.close())
    gc.collect()


async def test_a_database_can_be_opened_again_after_it_was_closed(database_url: str) -> None:
    first = await Database.open(database_url)
    await Tasks(first).add("ada", title="Read", now=NOW)
    await first.close()

    second = await Database.open(database_url)
    assert len(await Tasks(second).list("ada", now=NOW)) == 1
    await second.close()


async def test_a_postgresql_server_that_drops_its_connections_costs_no_turn(
    migrated_postgres: str, postgres_server: str
) -> None:
    database = await Database.open(migrated_postgres)
    await revision(database)
    async with database.write() as conn:
        await conn.execute(TICK)
    name = database.url.database
    other = await Database.open(postgres_server.replace("/postgres?", f"/{name}?"))
    async with other.write() as conn:
        await conn.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = :name AND pid <> pg_backend_pid()"
            ),
            {"name": name},
        )

    await revision(database)
    async with database.write() as conn:
        await conn.execute(TICK)
    await database.close()
    await other.close()
