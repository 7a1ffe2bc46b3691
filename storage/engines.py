"""The two engines behind a database: one that only reads, one that writes."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from storage.types import to_json
from storage.url import is_postgresql

_CONNECT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Engines:
    """What one event loop uses: connections of asyncpg belong to the loop that opened them."""

    reader: AsyncEngine
    writer: AsyncEngine

    async def dispose(self) -> None:
        """Close every connection that is not in use."""
        await self.reader.dispose()
        await self.writer.dispose()

    async def abandon(self) -> None:
        """Let go of connections whose event loop has ended."""
        if self.reader.dialect.name == "sqlite":
            await self.dispose()
            return
        # asyncpg can only say goodbye in its own loop; the server notices the closed socket.
        await self.reader.dispose(close=False)
        await self.writer.dispose(close=False)


def make_engines(url: URL) -> Engines:
    """Make the engines of one event loop; nothing connects yet."""
    return _postgresql(url) if is_postgresql(url) else _sqlite(url)


# Small pools rather than none: opening a connection costs 1-3 ms on SQLite and 5-20 ms on
# PostgreSQL, a pooled read a tenth of that.


def _sqlite(url: URL) -> Engines:
    from storage.sqlite_driver import BUSY_SECONDS, connection_factory

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
        pool_timeout=float(str(url.query.get("timeout", BUSY_SECONDS))),
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
    return Engines(reader=reader, writer=_engine(url, connect_args=connect_args(lock_timeout="30s"), **pool))


def _engine(url: URL, **options: Any) -> AsyncEngine:
    # hide_parameters: the statements of a failure may be logged, what the learner wrote may not.
    return create_async_engine(url, json_serializer=to_json, hide_parameters=True, **options)
