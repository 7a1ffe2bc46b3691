"""The two engines behind a database, one that only reads and one that writes; its address, SQLite's driver, and its errors in plain words."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import aiosqlite
from sqlalchemy import URL, DateTime, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from storage.errors import ConfigurationError, StorageError
from storage.leases import Leases
from storage.tables import AnyTime, to_json


@dataclass(frozen=True, slots=True)
class Trouble:
    """What a person can do about a failure, and its cause in half a sentence."""

    advice: str
    cause: str
    is_damage: bool = False  # a copy of the file would mend it


_BUSY = Trouble(
    "is in use by another program for too long. Close other running tutors and try again.",
    "the database is in use by another program",
)
_FULL = Trouble(
    "cannot be written because the disk is full. Free some space and try again.", "the disk is full"
)
_READ_ONLY = Trouble(
    "cannot be written. Allow this user to write the file and its folder, or choose another place with TUTOR_DATABASE_URL.",
    "the database may only be read",
)
_UNREACHABLE = Trouble(
    "does not answer. Start the server, or correct host and port in TUTOR_DATABASE_URL.",
    "the database does not answer",
)

# By primary result code: https://www.sqlite.org/rescode.html
_SQLITE = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Trouble(
        "cannot be opened. Check that its folder exists, may be written, and that the name is not a folder's.",
        "the database cannot be opened",
    ),
    sqlite3.SQLITE_NOTADB: Trouble(
        "is not a database.",
        "the database is damaged",
        is_damage=True,
    ),
    sqlite3.SQLITE_CORRUPT: Trouble("is damaged.", "the database is damaged", is_damage=True),
    sqlite3.SQLITE_IOERR: Trouble(
        "cannot be read or written: the disk reports an error. Check the disk, then try again.",
        "the disk reports an error",
    ),
}

# By SQLSTATE, the longest prefix first: https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRESQL = {
    "28": Trouble(
        "refuses the login. Correct user and password in TUTOR_DATABASE_URL.",
        "the database refuses the login",
    ),
    "3D": Trouble(
        "has no such database. Create it with createdb, or correct the name in TUTOR_DATABASE_URL.",
        "there is no such database",
    ),
    "42501": Trouble(
        "forbids this user what the tutor needs. Grant it the right to create and use tables in this database.",
        "the database forbids it",
    ),
    "25006": Trouble(
        "only allows reading. Point TUTOR_DATABASE_URL at the primary server.",
        "the database may only be read",
    ),
    "53100": Trouble(
        "has no disk space left. Free some space on the server and try again.", "the disk is full"
    ),
    "53300": Trouble(
        "has no connection free. Close other programs that use it, or raise max_connections.",
        "the database has no connection free",
    ),
    "55P03": _BUSY,
    "40P01": _BUSY,
    "57P": Trouble("is starting or stopping. Try again in a moment.", "the database is starting or stopping"),
    "08": _UNREACHABLE,
}


@contextmanager
def explained(
    place: str, *, connecting: bool = False, mend: Callable[[], str] = lambda: ""
) -> Iterator[None]:
    """Turn what the driver raises into a StorageError, where a person can act on it.

    `mend` says how a damaged file is put right: which copy there is.
    """
    try:
        yield
    except Exception as error:
        trouble = _trouble(error, connecting=connecting)
        if trouble is None:
            raise
        what = f"{place[0].upper()}{place[1:]} {trouble.advice} {mend() if trouble.is_damage else ''}"
        raise StorageError(what.rstrip(), cause=trouble.cause) from error


def _trouble(error: Exception, *, connecting: bool) -> Trouble | None:
    if isinstance(error, PoolTimeoutError):
        return _BUSY
    if isinstance(error, DBAPIError):
        return _of_driver(error.orig) or (_UNREACHABLE if error.connection_invalidated else None)
    # Only while connecting: later an OSError may come from the caller's own work. asyncpg's own errors reach us
    # bare there, and carry their SQLSTATE; asyncio's and the socket's timeouts are OSErrors too.
    if not connecting:
        return None
    return _of_driver(error) or (_UNREACHABLE if isinstance(error, OSError) else None)


def _of_driver(error: BaseException | None) -> Trouble | None:
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(code, int):
        return _SQLITE.get(code & 0xFF)
    state = getattr(error, "sqlstate", None)
    if not isinstance(state, str):
        return None
    matches = [prefix for prefix in _POSTGRESQL if state.startswith(prefix)]
    return _POSTGRESQL[max(matches, key=len)] if matches else None


_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
# Long enough to wait for the ingest of a large course.
BUSY_SECONDS = 30.0
_FORMS = "Set TUTOR_DATABASE_URL to sqlite:///path/to/tutor.db or postgresql://user:password@host/database."


def normalised(text: str) -> URL:
    """Parse an address and choose its async driver."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # The parser quotes the address, password and all.
        raise ConfigurationError(f"The database address cannot be read. {_FORMS}") from None
    driver = _DRIVERS.get(url.drivername)
    if driver is None:
        raise ConfigurationError(f"There is no support for {url.drivername!r} databases. {_FORMS}")
    url = url.set(drivername=driver)
    return _checked_server(url) if is_postgresql(url) else _checked_file(url)


def url_of_file(file: Path) -> str:
    """The address of a SQLite file, whatever characters its folders have."""
    return URL.create("sqlite", database=str(file)).render_as_string()


def is_postgresql(url: URL) -> bool:
    """Whether the address is a PostgreSQL server's; otherwise it is a SQLite file's."""
    return url.get_backend_name() == "postgresql"


def sqlite_file(url: URL) -> Path:
    """The file behind a SQLite address."""
    return Path((url.database or "").removeprefix("file:"))


def busy_seconds(url: URL) -> float:
    """How long a statement waits for another program's lock on a SQLite file."""
    return float(str(url.query.get("timeout", BUSY_SECONDS)))


def place_of(url: URL) -> str:
    """How messages name the database: no folder, no user, no password."""
    if not is_postgresql(url):
        return f"the database file {sqlite_file(url).name}"
    host = url.host or url.query.get("host") or "localhost"
    return f"the PostgreSQL server at {host}:{url.port or 5432}"


def _checked_file(url: URL) -> URL:
    if url.host:
        raise ConfigurationError(f"A SQLite address has three slashes before its path. {_FORMS}")
    if url.database in {None, "", ":memory:"} or url.query.get("mode") == "memory":
        raise ConfigurationError(f"A database in memory forgets the learner. {_FORMS}")
    if not str(url.query.get("timeout", "0")).replace(".", "", 1).isdigit():
        raise ConfigurationError(f"The timeout in the database address is a number of seconds. {_FORMS}")
    # mode=ro and its like are SQLite's own, and only heard in a file: address.
    return _with_known_options(url, known={"timeout", "uri", "mode"} if "uri" in url.query else {"timeout"})


def _checked_server(url: URL) -> URL:
    if find_spec("asyncpg") is None:
        raise ConfigurationError('PostgreSQL needs its driver: pip install "mastery-loop[postgres]"')
    # Hosted databases hand out libpq addresses; asyncpg calls sslmode ssl, and does not know the others.
    ignored = {"channel_binding", "connect_timeout", "application_name"}
    query = {key: value for key, value in url.query.items() if key not in ignored}
    if "sslmode" in query:
        query["ssl"] = query.pop("sslmode")
    known = {"host", "port", "ssl", "target_session_attrs", "prepared_statement_cache_size"}
    return _with_known_options(url.set(query=query), known=known)


def _with_known_options(url: URL, *, known: set[str]) -> URL:
    unknown = sorted(set(url.query) - known)
    if unknown:
        raise ConfigurationError(f"The database address has an unknown option {unknown[0]!r}. {_FORMS}")
    return url


class OneVisitCursor:
    """A cursor that runs its statement and fetches the rows in one visit."""

    arraysize = 1

    def __init__(self, connection: "OneVisitConnection") -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Self:
        await self._connection.visit(lambda connection: self._keep(connection.execute(sql, parameters)))
        return self

    async def executemany(self, sql: str, parameters: Iterable[Sequence[Any]]) -> Self:
        await self._connection.visit(lambda connection: self._keep(connection.executemany(sql, parameters)))
        return self

    async def fetchall(self) -> list[Any]:
        return self._rows

    async def close(self) -> None:
        """Nothing is left open after a visit."""

    def _keep(self, cursor: sqlite3.Cursor) -> None:
        self.description, self.lastrowid = cursor.description, cursor.lastrowid
        self._rows = cursor.fetchall() if cursor.description else []
        # RETURNING counts its rows only once they are fetched.
        self.rowcount = cursor.rowcount
        cursor.close()


class OneVisitConnection(aiosqlite.Connection):
    """An aiosqlite connection for SQLAlchemy, which asks it only for cursors, commit, rollback and close."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        # A forgotten connection must not keep the program from ending.
        self._thread.daemon = True
        self._stopped: asyncio.Future[Any] | None = None

    def stop(self) -> asyncio.Future[Any] | None:
        self._stopped = super().stop()
        return self._stopped

    async def _connect(self) -> aiosqlite.Connection:
        try:
            return await super()._connect()
        except BaseException:
            # aiosqlite does not wait for the thread of a connection that failed; when the program
            # ends first, that thread prints a traceback below our message.
            if self._stopped is not None:
                await self._stopped
            raise

    def cursor(self) -> OneVisitCursor:  # type: ignore[override]
        return OneVisitCursor(self)

    async def visit(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Run work on the connection, in its own thread."""
        await self._execute(work, self._conn)  # type: ignore[no-untyped-call]


def connection_factory(url: URL, *, read_only: bool) -> Callable[[], OneVisitConnection]:
    """Make the function with which an engine opens its connections."""
    (file,), options = url.get_dialect()().create_connect_args(url)
    settings: dict[str, Any] = {**options, "timeout": busy_seconds(url), "isolation_level": None}

    def connect() -> sqlite3.Connection:
        connection: sqlite3.Connection = sqlite3.connect(file, **settings)
        connection.execute("PRAGMA foreign_keys=ON")
        # Safe in WAL mode: a power cut may lose the last commits, never the database.
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(f"PRAGMA query_only={'ON' if read_only else 'OFF'}")
        return connection

    return lambda: OneVisitConnection(connect)


_CONNECT_SECONDS = 10
_PATIENCE = 90.0  # seconds for a connection of the pool: under load a turn waits, and does not fail


@dataclass(frozen=True, slots=True)
class Engines:
    """What one event loop uses: connections of asyncpg belong to the loop that opened them."""

    reader: AsyncEngine
    writer: AsyncEngine
    locks: Leases | None = None  # SQLite's are files

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
    pool: dict[str, Any] = {
        "pool_size": 4,
        "max_overflow": 4,
        "pool_pre_ping": True,
        "pool_timeout": _PATIENCE,
    }
    reader = _engine(
        url,
        connect_args=connect_args(default_transaction_read_only="on"),
        isolation_level="AUTOCOMMIT",
        **pool,
    )
    # Of their own: a turn that waits for a connection must not keep others from giving their locks back.
    locks, renewer = (
        _engine(
            url,
            connect_args=connect_args(),
            isolation_level="AUTOCOMMIT",
            pool_size=size,
            pool_timeout=_PATIENCE,
            pool_pre_ping=True,
            max_overflow=0,
        )
        for size in (4, 1)
    )
    return Engines(
        reader=reader,
        writer=_engine(url, connect_args=connect_args(lock_timeout="30s"), **pool),
        locks=Leases(locks, renewer=renewer),
    )


def _engine(url: URL, **options: Any) -> AsyncEngine:
    # hide_parameters: the statements of a failure may be logged, what the learner wrote may not.
    engine = create_async_engine(url, json_serializer=to_json, hide_parameters=True, **options)
    if not is_postgresql(url):
        # SQLAlchemy's own way to store a time on SQLite leaves out its zone.
        engine.dialect.colspecs = {**engine.dialect.colspecs, DateTime: AnyTime}
    return engine
