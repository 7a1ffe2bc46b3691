"""A lock that all processes on one database share: one turn of a session at a time.

Each session has a lock of its own, and the system frees it when the process that holds it dies. Whoever waits
bounds the wait: `async with asyncio.timeout(…)`.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from storage.database import Database
from storage.failures import explained

_RETRY_SECONDS = 0.02


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
    shared = await database.lock_connection()
    key = f"tutor session {session}"
    with explained(database.place, connecting=True):
        while not await shared.try_lock(key):  # noqa: ASYNC110 (another process can set no event of ours)
            await asyncio.sleep(_RETRY_SECONDS)
    try:
        yield
    finally:
        await asyncio.shield(shared.unlock(key))
