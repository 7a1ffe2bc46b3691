"""Driver errors that a person can act on, said so that they can."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from storage.errors import StorageError


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
