"""Locks of sessions on PostgreSQL, for any number of processes: rows that end by themselves.

A lock of PostgreSQL's own belongs to a connection: in a pool it outlives its turn, and behind a pooler that hands a
connection on after each transaction it locks nothing. A row belongs to its holder, who renews it; of a process that
was killed it ends a few seconds later.
"""

import asyncio
import hashlib
import logging
from contextlib import suppress
from uuid import uuid4

from sqlalchemy import TextClause, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

logger = logging.getLogger(__name__)

LEASE = (
    30.0  # seconds without a sign of life after which a lock is free; a machine that is overrun is not dead
)
_RENEWED = 5.0

# By the clock of the database, so that those of the machines do not matter.
_UNTIL = "clock_timestamp() + make_interval(secs => :seconds)"
_TAKE = text(
    f"INSERT INTO session_locks (key, holder, until) VALUES (:key, :holder, {_UNTIL}) "
    "ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, until = excluded.until "
    "WHERE session_locks.until < clock_timestamp() RETURNING key"
)
_RENEW = text(f"UPDATE session_locks SET until = {_UNTIL} WHERE holder = :holder")
_GIVE_BACK = text("DELETE FROM session_locks WHERE key = :key AND holder = :holder")


class Leases:
    """The locks that this process holds in one event loop; every statement is a transaction of its own."""

    def __init__(
        self, engine: AsyncEngine, *, renewer: AsyncEngine, lease: float = LEASE, renewed: float = _RENEWED
    ) -> None:
        self._engine = engine
        # A connection of its own: a sign of life must not wait for those who ask for locks.
        self._renewer = renewer
        self._lease = lease
        self._renewed = renewed
        self._holder = uuid4().hex
        self._held: set[str] = set()
        self._renewing: asyncio.Task[None] | None = None

    async def try_lock(self, name: str) -> bool:
        """Take the lock if it is free."""
        key = _key(name)
        asked = asyncio.ensure_future(self._take(key))
        try:
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            # Whoever left may have been given it all the same.
            if not asked.cancelled() and await asked:
                await self.unlock(name)
            raise

    async def unlock(self, name: str) -> None:
        key = _key(name)
        self._held.discard(key)
        with suppress(SQLAlchemyError, OSError):  # then it ends by itself
            await self._run(_GIVE_BACK, key=key)

    async def close(self) -> None:
        if self._renewing:
            self._renewing.cancel()
            with suppress(asyncio.CancelledError):
                await self._renewing
            self._renewing = None
        await self._engine.dispose()
        await self._renewer.dispose()

    def abandon(self) -> None:
        """Its event loop has ended, and what it held ends by itself."""
        self._renewing = None

    async def _take(self, key: str) -> bool:
        if not await self._run(_TAKE, key=key, seconds=self._lease):
            return False
        self._held.add(key)
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew())
        return True

    async def _renew(self) -> None:
        """As long as anything is held."""
        while True:
            await asyncio.sleep(self._renewed)
            if not self._held:
                return
            try:
                async with self._renewer.connect() as conn:
                    await conn.execute(_RENEW, {"holder": self._holder, "seconds": self._lease})
            except (SQLAlchemyError, OSError) as err:
                logger.warning("the locks of sessions were not renewed: %s", type(err).__name__)

    async def _run(self, statement: TextClause, **values: object) -> bool:
        async with self._engine.connect() as conn:
            found = await conn.execute(statement, {"holder": self._holder, **values})
            return found.returns_rows and found.first() is not None


def _key(name: str) -> str:
    """Of a session, whose name has the learner's in it, only this is written down."""
    return hashlib.sha256(name.encode(errors="replace")).hexdigest()
