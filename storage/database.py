"""The one door to the database."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Self

from sqlalchemy import URL, Executable, Row
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage import migrate
from storage.engines import Engines, make_engines
from storage.errors import StorageError
from storage.failures import explained
from storage.url import is_postgresql, normalised, place_of, sqlite_file


class Database:
    """A migrated database, for any number of tasks, event loops and processes at once."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.place = place_of(url)
        self._engines: dict[asyncio.AbstractEventLoop, Engines] = {}

    @classmethod
    async def open(cls, url: str, *, backup: bool = True) -> Self:
        """Open the database, creating or upgrading it as needed."""
        database = cls(normalised(url))
        try:
            database._make_folder()
            await migrate.bring_up_to_date(database, backup=backup)
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
            if not is_postgresql(self.url):
                # Taken at once, so that what the block checks is still true when it writes.
                await conn.exec_driver_sql("BEGIN IMMEDIATE")
            yield conn
            await conn.commit()

    async def close(self) -> None:
        """Close all connections; an open block must have ended."""
        here = asyncio.get_running_loop()
        while self._engines:
            loop, engines = self._engines.popitem()
            await (engines.dispose() if loop is here else engines.abandon())

    @asynccontextmanager
    async def _connection(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        with explained(self.place, connecting=True):
            conn = await engine.connect()
        with explained(self.place):
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

    def _make_folder(self) -> None:
        if is_postgresql(self.url):
            return
        try:
            sqlite_file(self.url).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"The folder for {self.place} cannot be made. "
                "Check that it may be written, or choose another place with TUTOR_DATABASE_URL."
            ) from error
