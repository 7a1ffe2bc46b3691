"""The one door to the database: reads, writes, the locks of sessions, and what repositories share."""

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from filelock import FileLock, Timeout
from sqlalchemy import URL, ColumnElement, Executable, Row, Select, Table, false
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage import migrate
from storage.engines import (
    Engines,
    busy_seconds,
    explained,
    is_postgresql,
    make_engines,
    normalised,
    place_of,
    sqlite_file,
)
from storage.errors import StorageError
from storage.files import checkpoint, how_to_mend, private_files, refuse_emptied
from storage.leases import Leases

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

# How many seconds a write waits for others; a turn, for which somebody waits in turn, sets it lower than an ingest.
patience: ContextVar[float | None] = ContextVar("patience", default=None)


class Database:
    """A migrated database, for any number of tasks, event loops and processes at once."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.place = place_of(url)
        self.file = None if is_postgresql(url) else sqlite_file(url)
        self._engines: dict[asyncio.AbstractEventLoop, Engines] = {}

    @classmethod
    async def open(cls, url: str) -> Self:
        """Open the database, creating or upgrading it as needed."""
        database = cls(normalised(url))
        try:
            if database.file:
                database._make_folder(database.file.parent)
                refuse_emptied(database.file, now=time.time())
            await migrate.bring_up_to_date(database)
            if database.file:
                private_files(database.file)
        except BaseException:
            await database.close()
            raise
        return database

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection that cannot write; each statement sees what was committed before it."""
        async with self._connection((await self._here()).reader) as conn:
            yield conn

    async def fetch(self, statement: Executable) -> Sequence[Row[Any]]:
        """All rows of one statement that only reads."""
        async with self.read() as conn:
            return (await conn.execute(statement)).all()

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """One transaction, committed at the end of the block; nothing else commits."""
        async with self._connection((await self._here()).writer) as conn:
            await self._begin(conn)
            yield conn
            await conn.commit()

    async def leases(self) -> Leases:
        """The locks of sessions that this event loop holds, on PostgreSQL."""
        locks = (await self._here()).locks
        assert locks is not None, "SQLite's locks are files"
        return locks

    async def close(self) -> None:
        """Close all connections; an open block must have ended."""
        here = asyncio.get_running_loop()
        while self._engines:
            loop, engines = self._engines.popitem()
            await (engines.dispose() if loop is here else engines.abandon())
        if self.file:
            # So that a plain copy of the file has everything, too.
            await asyncio.to_thread(checkpoint, self.file)

    async def _begin(self, conn: AsyncConnection) -> None:
        seconds = patience.get()
        if self.file is None:
            if seconds is not None:
                await conn.exec_driver_sql(f"SET LOCAL lock_timeout = {round(seconds * 1000)}")
            return
        usual = busy_seconds(self.url)
        wait = usual if seconds is None else min(seconds, usual)
        assert conn.sync_connection is not None
        known = conn.sync_connection.info
        if known.get("busy_seconds", usual) != wait:
            await conn.exec_driver_sql(f"PRAGMA busy_timeout={round(wait * 1000)}")
            known["busy_seconds"] = wait
        # Taken at once, so that what the block checks is still true when it writes.
        await conn.exec_driver_sql("BEGIN IMMEDIATE")

    @asynccontextmanager
    async def _connection(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        with explained(self.place, connecting=True, mend=self._how_to_mend):
            conn = await engine.connect()
        with explained(self.place, mend=self._how_to_mend):
            try:
                yield conn
            finally:
                # Shielded: a learner who leaves mid-turn must not leave a lock behind.
                await asyncio.shield(conn.close())

    async def _here(self) -> Engines:
        loop = asyncio.get_running_loop()
        if loop not in self._engines:
            self._engines[loop] = make_engines(self.url)
            # ADK's synchronous Runner.run makes a new loop for every turn: their pools must not pile up.
            for ended in [other for other in self._engines if other.is_closed()]:
                await self._engines.pop(ended).abandon()
        return self._engines[loop]

    def _how_to_mend(self) -> str:
        return how_to_mend(self.file) if self.file else ""

    def _make_folder(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise StorageError(
                f"The folder for {self.place} cannot be made. "
                "Check that it may be written, or choose another place with TUTOR_DATABASE_URL."
            ) from error


T = TypeVar("T")

_LARGEST_ID = 2**31 - 1


class Repository:
    """One kind of records in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def _all(self, record: type[T], statement: Executable) -> list[T]:
        """The records that a statement finds."""
        return [to_record(record, row) for row in await self._database.fetch(statement)]

    async def _first(self, record: type[T], statement: Executable) -> T | None:
        """The first record that a statement finds, or None."""
        return next(iter(await self._all(record, statement)), None)

    async def _write(self, record: type[T], statement: Executable) -> T | None:
        """One statement as a transaction of its own; the row that it returns, or None when it changed none."""
        async with self._database.write() as conn:
            row = (await conn.execute(statement)).first()
        return None if row is None else to_record(record, row)


def insert_or(conn: AsyncConnection, table: Table) -> "sqlite.Insert | postgresql.Insert":
    """An INSERT that can say what to do on a conflict; both databases spell it the same."""
    # Imported on use: each dialect costs its start-up time only where it is spoken.
    if conn.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)


async def put(conn: AsyncConnection, table: Table, values: dict[str, Any], *, keys: Sequence[str]) -> None:
    """Add a row, or give the one with the same keys its other values."""
    news = {name: value for name, value in values.items() if name not in keys}
    new = insert_or(conn, table).values(values)
    await conn.execute(new.on_conflict_do_update(index_elements=keys, set_=news))


def where_given(statement: Select[Any], **wanted: Any) -> Select[Any]:
    """Only the rows with these values; what is None is not asked for."""
    return statement.filter_by(**{name: value for name, value in wanted.items() if value is not None})


def in_batches(items: Sequence[T], *, size: int = 500) -> Iterator[Sequence[T]]:
    """Cut a sequence into pieces that fit into one statement's parameters."""
    return (items[start : start + size] for start in range(0, len(items), size))


def has_id(table: Table, number: int) -> ColumnElement[bool]:
    """Which row; none for a number that no row can have, because the drivers raise on those beyond their column."""
    return table.c.id == number if 0 < number <= _LARGEST_ID else false()


def to_record(record: type[T], row: Row[Any]) -> T:
    """Make a frozen record of the columns that its fields are named after; JSON arrays become tuples."""
    values = row._asdict()
    found = {field.name: values[field.name] for field in fields(record)}  # type: ignore[arg-type]
    return record(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    )


def to_row(record: Any, **more: Any) -> dict[str, Any]:
    """The values of a record to insert; dataclasses.asdict would copy every value."""
    return {field.name: getattr(record, field.name) for field in fields(record)} | more


_RETRY_SECONDS = 0.02
_RETRY_MOST = 0.32  # each try is a statement at the server


@asynccontextmanager
async def session_lock(database: Database, session: str) -> AsyncIterator[None]:
    """Hold the lock of one session; whoever comes second waits."""
    held = _on_file(database.file.parent, session) if database.file else _on_postgresql(database, session)
    async with held:
        yield


@asynccontextmanager
async def _on_file(home: Path, session: str) -> AsyncIterator[None]:
    folder = home / "locks"
    folder.mkdir(exist_ok=True)
    file = folder / f"{hashlib.sha256(session.encode(errors='replace')).hexdigest()[:32]}.lock"
    lock = FileLock(file)
    while not lock.is_locked:
        try:
            # A file that its last holder has just removed is no lock any more: it is tried again too.
            lock.acquire(blocking=False)
        except Timeout:
            await asyncio.sleep(_RETRY_SECONDS)
    try:
        yield
    finally:
        # Removed while it is still held, so that nobody can hold it by then; or the folder would grow with every session.
        with suppress(OSError):
            file.unlink(missing_ok=True)
        lock.release()


@asynccontextmanager
async def _on_postgresql(database: Database, session: str) -> AsyncIterator[None]:
    leases = await database.leases()
    wait = _RETRY_SECONDS
    with explained(database.place, connecting=True):
        while not await leases.try_lock(session):
            await asyncio.sleep(wait)
            wait = min(2 * wait, _RETRY_MOST)
    try:
        yield
    finally:
        await asyncio.shield(leases.unlock(session))
