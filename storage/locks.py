"""A lock that all processes on one database share: one turn of a session at a time."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import text

from storage.database import Database
from storage.url import is_postgresql, sqlite_file

_RETRY_SECONDS = 0.02


@asynccontextmanager
async def session_lock(database: Database, session_id: str) -> AsyncIterator[None]:
    """Hold the lock of one session; whoever comes second waits."""
    if is_postgresql(database.url):
        async with _on_postgresql(database, session_id):
            yield
        return
    lock = FileLock(_lock_file(sqlite_file(database.url), session_id))
    await _acquire(lock)
    try:
        yield
    finally:
        lock.release()


def _lock_file(database_file: Path, session_id: str) -> Path:
    folder = database_file.parent / "locks"
    folder.mkdir(exist_ok=True)
    # A few files for ever rather than one a session: two sessions may share one and wait in vain, briefly.
    return folder / f"{hashlib.sha256(session_id.encode()).hexdigest()[:2]}.lock"


async def _acquire(lock: FileLock) -> None:
    while True:
        try:
            lock.acquire(blocking=False)
        except Timeout:
            await asyncio.sleep(_RETRY_SECONDS)
        else:
            return


@asynccontextmanager
async def _on_postgresql(database: Database, session_id: str) -> AsyncIterator[None]:
    key = {"key": f"tutor session {session_id}"}
    async with database.read() as conn:
        await conn.execute(text("SELECT pg_advisory_lock(hashtextextended(:key, 0))"), key)
        try:
            yield
        finally:
            await conn.execute(text("SELECT pg_advisory_unlock(hashtextextended(:key, 0))"), key)
