"""The one door to the database."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Self

from sqlalchemy import URL, Executable, Row
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage import migrate
from storage.backups import checkpoint, how_to_mend, refuse_emptied
from storage.engines import Engines, LockConnection, make_engines
from storage.errors import StorageError
from storage.failures import explained
from storage.private import private_files
from storage.url import busy_seconds, is_postgresql, normalised, place_of, sqlite_file

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

    async def lock_connection(self) -> LockConnection:
        """The connection that holds the locks of this event loop's sessions, on PostgreSQL."""
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
