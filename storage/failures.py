"""Driver errors that a person can act on, said so that they can."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from storage.errors import StorageError

_BUSY = "is in use by another program for too long. Close other running tutors and try again."
_FULL = "cannot be written because the disk is full. Free some space and try again."
_READ_ONLY = "cannot be written. Allow this user to write the file and its folder, or choose another place with TUTOR_DATABASE_URL."
_UNREACHABLE = "does not answer. Start the server, or correct host and port in TUTOR_DATABASE_URL."

# By primary result code: https://www.sqlite.org/rescode.html
_SQLITE = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: "cannot be opened. Check that its folder exists, may be written, and that the name is not a folder's.",
    sqlite3.SQLITE_NOTADB: "is not a database. Move that file away, or choose another place with TUTOR_DATABASE_URL.",
    sqlite3.SQLITE_CORRUPT: "is damaged. Put a backup copy (tutor.backup-….db) in its place.",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error. Check the disk, then try again.",
}

# By SQLSTATE, the longest prefix first: https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRESQL = {
    "28": "refuses the login. Correct user and password in TUTOR_DATABASE_URL.",
    "3D": "has no such database. Create it with createdb, or correct the name in TUTOR_DATABASE_URL.",
    "42501": "forbids this user what the tutor needs. Grant it the right to create and use tables in this database.",
    "25006": "only allows reading. Point TUTOR_DATABASE_URL at the primary server.",
    "53100": "has no disk space left. Free some space on the server and try again.",
    "53300": "has no connection free. Close other programs that use it, or raise max_connections.",
    "55P03": _BUSY,
    "40P01": _BUSY,
    "57P": "is starting or stopping. Try again in a moment.",
    "08": _UNREACHABLE,
}


@contextmanager
def explained(place: str, *, connecting: bool = False) -> Iterator[None]:
    """Turn what the driver raises into a StorageError, where a person can act on it."""
    try:
        yield
    except PoolTimeoutError as error:
        raise StorageError(_sentence(place, _BUSY)) from error
    except Exception as error:
        advice = _advice(error, connecting=connecting)
        if advice is None:
            raise
        raise StorageError(_sentence(place, advice)) from error


def _sentence(place: str, advice: str) -> str:
    return f"{place[0].upper()}{place[1:]} {advice}"


def _advice(error: Exception, *, connecting: bool) -> str | None:
    if not isinstance(error, DBAPIError):
        # Only while connecting: later an OSError may come from the caller's own work. asyncpg's own
        # errors reach us bare there, and carry their SQLSTATE.
        return (_of_driver(error) or _of_network(error)) if connecting else None
    if error.orig is None:
        return None
    return _of_driver(error.orig) or (_UNREACHABLE if error.connection_invalidated else None)


def _of_driver(error: BaseException) -> str | None:
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(code, int):
        return _SQLITE.get(code & 0xFF)
    state = getattr(error, "sqlstate", None)
    if not isinstance(state, str):
        return None
    matches = [prefix for prefix in _POSTGRESQL if state.startswith(prefix)]
    return _POSTGRESQL[max(matches, key=len)] if matches else None


def _of_network(error: Exception) -> str | None:
    # asyncio's and the socket's timeouts are OSErrors too.
    return _UNREACHABLE if isinstance(error, OSError) else None
