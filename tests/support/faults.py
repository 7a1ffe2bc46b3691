"""Faults that are really done: the process is killed at its N-th write, or the disk is full from its N-th write on.

A write is every statement that changes a SQLite file, and every commit, of our database and of ADK's sessions alike:
both open their files with sqlite3.connect, which is where we count.
"""

import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "ALTER", "DROP", "COMMIT", "BEGIN IMMEDIATE")


@dataclass(slots=True)
class Writes:
    """Counts writes; `strike` is called before each with its number."""

    strike: Callable[[int], None] = lambda number: None
    count: int = 0
    statements: list[str] = field(default_factory=list)

    def note(self, sql: str) -> None:
        if sql.lstrip().upper().startswith(_WRITES):
            self.count += 1
            self.statements.append(sql.split("(", maxsplit=1)[0].strip()[:60])
            self.strike(self.count)


class CountingConnection(sqlite3.Connection):
    """A connection whose writes are counted before they are done."""

    writes: Writes

    def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
        self.writes.note(sql)
        return super().execute(sql, *arguments)

    def executemany(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
        self.writes.note(sql)
        return super().executemany(sql, *arguments)

    def commit(self) -> None:
        if self.in_transaction:
            self.writes.note("COMMIT")
        super().commit()


@contextmanager
def counted(writes: Writes) -> Iterator[Writes]:
    """Count the writes of every connection that is opened from now on."""
    kind = type("Counting", (CountingConnection,), {"writes": writes})
    original = sqlite3.connect

    def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        return original(*arguments, **{"factory": kind, **options})

    sqlite3.connect = connect  # type: ignore[assignment]
    try:
        yield writes
    finally:
        sqlite3.connect = original


def kill_at(number: int) -> Writes:
    """The process dies, without a word, before its N-th write."""

    def strike(count: int) -> None:
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return Writes(strike)


def failing_from(number: int, *, code: int = sqlite3.SQLITE_FULL) -> Writes:
    """Every write fails from the N-th on, as it does on a full disk; what SQLite itself would raise."""

    def strike(count: int) -> None:
        if count >= number:
            err = sqlite3.OperationalError("database or disk is full")
            err.sqlite_errorcode, err.sqlite_errorname = code, "SQLITE_FULL"
            raise err

    return Writes(strike)
