"""Sessions in an SQLite file, each of ADK's operations in one visit to it.

ADK's own service opens a connection, and a thread for it, with every operation, and goes to that thread and back with
every statement: a third of a turn's cost. Here the operation runs as ADK wrote it, from its first statement to the last,
in a thread whose connection stays open.
"""

import asyncio
import contextvars
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Self, TypeVar

from google.adk.events.event import Event
from google.adk.sessions.base_session_service import ListSessionsResponse
from google.adk.sessions.session import Session
from google.adk.sessions.sqlite_session_service import CREATE_SCHEMA_SQL, SqliteSessionService

from agents.adk_compat import lend_connection

T = TypeVar("T")

_BUSY_SECONDS = 5.0  # as long as ADK's own connections wait for another program


class SessionFile(SqliteSessionService):
    """One thread that reads and one that writes: nobody's reading waits for another program's lock."""

    def __init__(self, db_path: str) -> None:
        super().__init__(db_path)
        lend_connection(self, lambda: _here.__dict__.get("connection"))
        self._reader = _Desk(self._connect, name="sessions-reader")
        self._writer = _Desk(self._connect, name="sessions-writer")

    async def get_session(self, **which: Any) -> Session | None:
        return await self._reader.visit(lambda: super(SessionFile, self).get_session(**which))

    async def list_sessions(self, **which: Any) -> ListSessionsResponse:
        return await self._reader.visit(lambda: super(SessionFile, self).list_sessions(**which))

    async def get_user_state(self, **which: Any) -> dict[str, Any]:
        return await self._reader.visit(lambda: super(SessionFile, self).get_user_state(**which))

    async def create_session(self, **which: Any) -> Session:
        return await self._writer.visit(lambda: super(SessionFile, self).create_session(**which))

    async def delete_session(self, **which: Any) -> None:
        await self._writer.visit(lambda: super(SessionFile, self).delete_session(**which))

    async def append_event(self, session: Session, event: Event) -> Event:
        if event.partial:
            return event
        return await self._writer.visit(
            lambda: super(SessionFile, self).append_event(session=session, event=event)
        )

    async def close(self) -> None:
        await super().close()
        self._reader.close()
        self._writer.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._db_connect_path, uri=self._db_connect_uri, timeout=_BUSY_SECONDS)
        connection.row_factory = sqlite3.Row
        with suppress(sqlite3.OperationalError):  # on a disk that may only be read
            connection.execute("PRAGMA journal_mode=WAL")
        # As the record's own: a power cut may lose the last events, never the file.
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.executescript(CREATE_SCHEMA_SQL)
        return connection


_here = threading.local()  # the connection of a desk's own thread


class _Desk:
    """A thread with its connection, opened at the first visit."""

    def __init__(self, connect: Callable[[], sqlite3.Connection], *, name: str) -> None:
        self._connect = connect
        self._name = name
        self._thread: ThreadPoolExecutor | None = None

    async def visit(self, operation: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine of ADK's in the thread; it only ever waits for the connection, which is there."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=self._name)
        context = contextvars.copy_context()
        return await asyncio.wrap_future(self._thread.submit(context.run, self._run, operation))

    def close(self) -> None:
        """What was begun is finished; a later visit opens it again."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.submit(_put_away)
            thread.shutdown(wait=True)

    def _run(self, operation: Callable[[], Coroutine[Any, Any, T]]) -> T:
        if "connection" not in _here.__dict__:
            _here.connection = _Connection(self._connect())
        return _at_once(operation())


def _put_away() -> None:
    if connection := _here.__dict__.pop("connection", None):
        connection.close()


def _at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    coroutine.close()
    raise RuntimeError("ADK's session service waits for something beside its connection")


class _Connection:
    """What ADK's service asks of an aiosqlite connection, without waiting."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> "_Cursor":
        return _Cursor(self._connection.execute(sql, parameters))

    async def execute_fetchall(self, sql: str, parameters: Sequence[Any] = ()) -> Iterable[sqlite3.Row]:
        return self._connection.execute(sql, parameters).fetchall()

    async def commit(self) -> None:
        self._connection.commit()

    async def rollback(self) -> None:
        self._connection.rollback()

    def close(self) -> None:
        self._connection.close()


class _Cursor:
    """To be awaited, or opened with `async with`."""

    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self._cursor = cursor

    def __await__(self) -> Any:
        return self._itself().__await__()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._cursor.close()

    def __aiter__(self) -> AsyncIterator[sqlite3.Row]:
        return self._rows()

    async def fetchone(self) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._cursor.fetchone()
        return row

    async def _itself(self) -> Self:
        return self

    async def _rows(self) -> AsyncIterator[sqlite3.Row]:
        for row in self._cursor:
            yield row
