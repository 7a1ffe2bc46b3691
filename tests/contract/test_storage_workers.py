"""What several workers on one database have in common: whose turn it is in a session, and who does what is done once."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from storage.chores import Chores
from storage.database import Database, session_lock
from storage.engines import make_engines
from storage.leases import Leases
from tests.support.ledger import NOW

DAY = timedelta(days=1)


async def test_a_chore_is_one_workers_until_it_is_due_again(database: Database) -> None:
    first, second = Chores(database), Chores(database)
    taken = await asyncio.gather(*(each.take("tidy", every=DAY, now=NOW) for each in (first, second) * 4))
    assert sorted(taken) == [False] * 7 + [True]
    assert await second.take("another", every=DAY, now=NOW)
    assert not await second.take("tidy", every=DAY, now=NOW + DAY / 2)
    assert await second.take("tidy", every=DAY, now=NOW + DAY)


async def test_the_lock_of_a_session_is_held_by_one_at_a_time(database: Database) -> None:
    inside: list[int] = []
    most = 0

    async def turn(number: int) -> None:
        nonlocal most
        async with session_lock(database, "agents/ada/s1"):
            inside.append(number)
            most = max(most, len(inside))
            await asyncio.sleep(0)
            inside.remove(number)

    await asyncio.gather(*map(turn, range(6)))
    assert most == 1


@pytest.fixture
async def two(migrated_postgres: str) -> AsyncIterator[tuple[Leases, Leases]]:
    """Two processes, as far as the database can tell; a lock without a sign of life lasts for a minute."""
    database = await Database.open(migrated_postgres)
    leases = [make_engines(database.url).locks for _ in range(2)]
    held = [Leases(each._engine, renewer=each._renewer, lease=60, renewed=0.01) for each in leases if each]
    yield held[0], held[1]
    for each in held:
        await each.close()
    async with database.write() as conn:
        await conn.execute(text("DELETE FROM session_locks"))
    await database.close()


async def free(leases: Leases, name: str) -> None:
    """Until it is there to take; how long that takes is the machine's affair."""
    async with asyncio.timeout(20):
        while not await leases.try_lock(name):  # noqa: ASYNC110 (the server can set no event of ours)
            await asyncio.sleep(0.01)


async def test_a_lock_is_anothers_once_it_is_given_back(two: tuple[Leases, Leases]) -> None:
    ours, theirs = two
    assert await ours.try_lock("s1")
    assert not await theirs.try_lock("s1")
    assert not await ours.try_lock("s1"), "nor is it given twice to the same process"
    assert await theirs.try_lock("s2"), "another session has another lock"
    await theirs.unlock("s1")
    assert not await theirs.try_lock("s1"), "nobody gives back what is not theirs"
    await ours.unlock("s1")
    assert await theirs.try_lock("s1")


async def test_a_lock_is_renewed_as_long_as_its_turn_lasts(
    two: tuple[Leases, Leases], migrated_postgres: str
) -> None:
    ours, _ = two
    assert await ours.try_lock("s1")
    database = await Database.open(migrated_postgres)
    first = await until(database)
    async with asyncio.timeout(20):
        while await until(database) == first:  # noqa: ASYNC110 (the server can set no event of ours)
            await asyncio.sleep(0.005)
    assert await until(database) > first
    await database.close()


async def until(database: Database) -> datetime:
    [row] = await database.fetch(text("SELECT until FROM session_locks"))
    found: datetime = row.until
    return found


async def test_the_lock_of_a_process_that_died_is_free_soon(two: tuple[Leases, Leases]) -> None:
    dead = Leases(two[0]._engine, renewer=two[0]._renewer, lease=0.05, renewed=60)
    theirs = two[1]
    assert await dead.try_lock("s1")  # and never again a sign of life
    await free(theirs, "s1")
    await dead.unlock("s1")
    assert not await dead.try_lock("s1"), "who comes back from the dead does not give back another's"
    await dead.close()


async def test_whoever_leaves_while_asking_holds_nothing(two: tuple[Leases, Leases]) -> None:
    ours, theirs = two
    for _ in range(10):
        asking = asyncio.ensure_future(ours.try_lock("s1"))
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await free(theirs, "s1")
        await theirs.unlock("s1")


async def test_nothing_of_a_learner_is_in_the_table_of_locks(
    two: tuple[Leases, Leases], migrated_postgres: str
) -> None:
    assert await two[0].try_lock("agents/ada/s1")
    database = await Database.open(migrated_postgres)
    rows = await database.fetch(text("SELECT * FROM session_locks"))
    await database.close()
    assert len(rows) == 1
    assert "ada" not in str(rows)


async def test_a_sign_of_life_does_not_wait_for_those_who_ask(
    two: tuple[Leases, Leases], migrated_postgres: str
) -> None:
    ours, _ = two
    assert await ours.try_lock("s1")
    database = await Database.open(migrated_postgres)
    taken = [await ours._engine.connect() for _ in range(4)]  # as by many who wait for locks
    first = await until(database)
    async with asyncio.timeout(20):
        while await until(database) == first:  # noqa: ASYNC110 (the server can set no event of ours)
            await asyncio.sleep(0.005)
    for each in taken:
        await each.close()
    await database.close()
