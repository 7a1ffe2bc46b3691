"""What is done to a SQLite file as a whole: switching it to WAL, and copying it."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from storage.errors import StorageError

_WAL_ATTEMPTS = 200
_WAL_PAUSE_SECONDS = 0.02


def use_wal(file: Path) -> None:
    """Let readers and a writer work at once; the file remembers it."""
    for _ in range(_WAL_ATTEMPTS - 1):
        try:
            return _switch_to_wal(file)
        except sqlite3.OperationalError as error:
            # SQLite does not wait here when another process is switching the same new file.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            time.sleep(_WAL_PAUSE_SECONDS)
    return _switch_to_wal(file)


def back_up(file: Path, *, revision: str) -> Path:
    """Copy the database next to itself; an earlier copy is never overwritten."""
    # One process at a time comes here, so an unfinished copy is the remains of a killed one.
    unfinished = file.with_name(f"{file.name}.backup-unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(unfinished)) as copy:
            source.backup(copy)
        return unfinished.rename(_free_name(file, revision=revision))
    except (OSError, sqlite3.Error) as error:
        raise StorageError(
            "The database was not upgraded because no backup copy could be made next to it. "
            "Free some space there, or allow this user to write the folder, and start again."
        ) from error


def _switch_to_wal(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")


def _free_name(file: Path, *, revision: str) -> Path:
    name = file.with_name(f"{file.stem}.backup-{revision}{file.suffix}")
    number = 2
    while name.exists():
        name = file.with_name(f"{file.stem}.backup-{revision}-{number}{file.suffix}")
        number += 1
    return name
