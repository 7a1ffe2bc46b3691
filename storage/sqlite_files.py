"""Switching a SQLite file to WAL; its copies are in storage.backups."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

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


def _switch_to_wal(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
