"""The two engines behind a database: one that only reads, one that writes."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from storage.sqlite_driver import connection_factory
from storage.types import to_json
from storage.url import busy_seconds, is_postgresql

_CONNECT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Engines:
    """What one event loop uses: connections of asyncpg belong to the loop that opened them."""

    reader: AsyncEngine
    writer: AsyncEngine
    locks: "LockConnection | None" = None  # SQLite's are files

    async def dispose(self) -> None:
        """Close every connection that is not in use."""
        if self.locks:
            await self.locks.close()
        await self.reader.dispose()
        await self.writer.dispose()

    async def abandon(self) -> None:
        """Let go of connections whose event loop has ended."""
        if self.reader.dialect.name == "sqlite":
            await self.dispose()
            return
        # asyncpg can only say goodbye in its own loop; the server notices the closed socket.
        if self.locks:
            self.locks.abandon()
        await self.reader.dispose(close=False)
        await self.writer.dispose(close=False)


class LockConnection:
    """One connection that holds the locks of all sessions: a turn must not keep one of a pool's few to itself.

    The server frees them when the connection ends. It gives a lock twice to the same connection, so whoever shares
    one must queue first.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._one_at_a_time = asyncio.Lock()

    async def try_lock(self, key: str) -> bool:
        """Take the lock if it is free."""
        asked = asyncio.ensure_future(self._ask("pg_try_advisory_lock", key))
        try:
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            # Whoever left may have been given it all the same.
            if not asked.cancelled() and await asked:
                await self.unlock(key)
            raise

    async def unlock(self, key: str) -> None:
        with suppress(Exception):  # with a connection that broke, the lock is free
            await self._ask("pg_advisory_unlock", key)

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.close()
        await self._engine.dispose()

    def abandon(self) -> None:
        """Its event loop has ended; the server notices the closed socket."""
        self._connection = None

    async def _ask(self, function: str, key: str) -> bool:
        async with self._one_at_a_time:
            if self._connection is None:
                self._connection = await self._engine.connect()
            statement = text(f"SELECT {function}(hashtextextended(:key, 0))")
            try:
                return bool((await self._connection.execute(statement, {"key": key})).scalar())
            except BaseException:
                broken, self._connection = self._connection, None
                with suppress(Exception):
                    await broken.invalidate()
                    await broken.close()
                raise


def make_engines(url: URL) -> Engines:
    """Make the engines of one event loop; nothing connects yet."""
    return _postgresql(url) if is_postgresql(url) else _sqlite(url)


# Small pools rather than none: opening a connection costs 1-3 ms on SQLite and 5-20 ms on
# PostgreSQL, a pooled read a tenth of that.


def _sqlite(url: URL) -> Engines:
    reader = _engine(
        url,
        async_creator=connection_factory(url, read_only=True),
        pool_size=4,
        # A reader is never inside a transaction, so there is nothing to roll back.
        skip_autocommit_rollback=True,
    )
    # SQLite has one writer at a time. A pool of one makes the writers of a process queue in
    # order, where SQLite itself would make them sleep and retry.
    writer = _engine(
        url,
        async_creator=connection_factory(url, read_only=False),
        pool_size=1,
        max_overflow=0,
        pool_timeout=busy_seconds(url),
    )
    return Engines(reader=reader, writer=writer)


def _postgresql(url: URL) -> Engines:
    def connect_args(**settings: str) -> dict[str, Any]:
        return {
            "timeout": _CONNECT_SECONDS,
            "server_settings": {"application_name": "mastery-loop", **settings},
        }

    # A ping before use, so that a restart of the server costs no learner a turn.
    pool: dict[str, Any] = {"pool_size": 4, "max_overflow": 4, "pool_pre_ping": True}
    reader = _engine(
        url,
        connect_args=connect_args(default_transaction_read_only="on"),
        isolation_level="AUTOCOMMIT",
        **pool,
    )
    locks = _engine(
        url, connect_args=connect_args(), isolation_level="AUTOCOMMIT", pool_size=1, pool_pre_ping=True
    )
    return Engines(
        reader=reader,
        writer=_engine(url, connect_args=connect_args(lock_timeout="30s"), **pool),
        locks=LockConnection(locks),
    )


def _engine(url: URL, **options: Any) -> AsyncEngine:
    # hide_parameters: the statements of a failure may be logged, what the learner wrote may not.
    return create_async_engine(url, json_serializer=to_json, hide_parameters=True, **options)
