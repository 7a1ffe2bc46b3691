"""Copies of a SQLite database: made while it is in use, checked, rotated, and put back.

A copy is one file, whole by itself. A plain `cp` is none: the newest rows may still be in the file's WAL, and a WAL
that was left behind would be played into whatever file takes its place.
"""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from uuid import uuid4

from storage.errors import StorageError

FOLDER = "backups"
DAILY_KEPT = 7
_BEING_MADE_SECONDS = 60
# Our own name: a shared PostgreSQL database may hold the alembic_version of another program.
VERSION_TABLE = "tutor_schema_version"
_DAILY = re.compile(r"-(\d{4}-\d{2}-\d{2})$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """One copy that can be put back."""

    file: Path
    made_at: datetime

    @property
    def told(self) -> str:
        """Which one it is and how it is put back."""
        return (
            f"The newest good copy is of {self.made_at:%d %B %Y, %H:%M} UTC: tutor restore {self.file.name}"
        )


def back_up(database: Path, target: Path) -> Path:
    """Copy a database in use to a file; what is there already is replaced only by a copy that is whole."""
    unfinished = target.with_name(f"{target.name}.unfinished")
    with _told("No copy was made"):
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished.unlink(missing_ok=True)
        with _opened(database) as source, closing(sqlite3.connect(unfinished)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
        unfinished.chmod(0o600)
        if problem := damage(unfinished):
            unfinished.unlink()
            raise StorageError(
                f"No copy was made: the database is damaged ({problem}). {how_to_mend(database)}".rstrip(),
                cause="the database is damaged",
            )
        return unfinished.replace(target)


def daily(database: Path, *, today: date) -> Path | None:
    """Make today's copy unless there is one, and let go of the oldest; the copy that was made."""
    target = folder_of(database) / f"{database.stem}-{today:%Y-%m-%d}{database.suffix}"
    if target.exists() or not database.exists() or not database.stat().st_size:
        return None
    made = back_up(database, target)
    for old in sorted(_daily_copies(database))[:-DAILY_KEPT]:
        old.unlink(missing_ok=True)
    return made


def before_migration(database: Path, *, revision: str) -> Path:
    """The one copy of this revision: a migration that fails again and again makes it anew, not another."""
    return back_up(database, folder_of(database) / f"{database.stem}-before-{revision}{database.suffix}")


def restore(database: Path, copy: Path) -> Path | None:
    """Put a copy in the place of the database; what was there is kept aside, and its name returned."""
    if not copy.is_file():
        copy = folder_of(database) / copy.name  # as messages name it
    if not copy.is_file():
        raise StorageError(f"There is no copy {copy.name}. 'tutor backup' makes one.")
    if problem := unfitness(copy):
        raise StorageError(f"{copy.name} cannot be put back: {problem}.")
    database.parent.mkdir(parents=True, exist_ok=True)
    with _told("The copy was not put back"):
        aside = _set_aside(database, but=copy)
        with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(database)) as target:
            # Through SQLite and in one transaction: a running tutor sees it, and an old WAL cannot undo it.
            source.backup(target)
            # Another database from now on: a search index that was further than the copy is made anew.
            with suppress(sqlite3.OperationalError), target:
                target.execute("UPDATE corpus_clock SET database_id = ?", (str(uuid4()),))
            target.execute("PRAGMA journal_mode=WAL")
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return aside


def copies(database: Path) -> list[Copy]:
    """What could be put back, the newest first."""
    beside = database.parent.glob(f"{database.stem}.backup-*{database.suffix}")  # of earlier versions
    found = [*folder_of(database).glob(f"{database.stem}-*{database.suffix}"), *beside]
    made = [Copy(file=file, made_at=datetime.fromtimestamp(file.stat().st_mtime, UTC)) for file in found]
    return sorted(made, key=lambda copy: copy.made_at, reverse=True)


def newest_good(database: Path) -> Copy | None:
    return next((copy for copy in copies(database) if not unfitness(copy.file)), None)


def checkpoint(database: Path) -> None:
    """Bring everything into the one file, as far as nobody else is using it."""
    if database.with_name(f"{database.name}-wal").exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(database, timeout=0)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def how_to_mend(database: Path) -> str:
    """What to do about a damaged file: the newest good copy and the command, or what there is instead."""
    copy = newest_good(database)
    return copy.told if copy else f"There is no copy of it in {FOLDER}. Move it away to start anew."


def damage(file: Path) -> str:
    """What is wrong with a file as a database; empty for one that is whole."""
    try:
        with _opened(file) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(3)")]
    except sqlite3.Error as err:
        return str(err)
    return "" if found == ["ok"] else "; ".join(line.splitlines()[0] for line in found)


def unfitness(file: Path) -> str:
    """Why a file cannot take our database's place; empty for one that can."""
    if problem := damage(file):
        return problem
    with _opened(file) as connection:
        version = connection.execute(
            "SELECT 1 FROM sqlite_master WHERE name = ?", (VERSION_TABLE,)
        ).fetchone()
    return "" if version else "it has none of the tutor's tables"


def refuse_emptied(database: Path, *, now: float) -> None:
    """A file of no bytes was a database once, unless somebody is making it right now."""
    if not database.exists() or database.stat().st_size or _log_size(database):
        return
    copy = newest_good(database)
    if copy or now - database.stat().st_mtime > _BEING_MADE_SECONDS:
        mend = copy.told if copy else "Delete it to start anew."
        raise StorageError(f"The database file {database.name} is empty: it has lost everything. {mend}")


def folder_of(database: Path) -> Path:
    return database.parent / FOLDER


def _log_size(database: Path) -> int:
    log = database.with_name(f"{database.name}-wal")
    return log.stat().st_size if log.exists() else 0


def _daily_copies(database: Path) -> list[Path]:
    found = folder_of(database).glob(f"{database.stem}-*{database.suffix}")
    return [file for file in found if _DAILY.search(file.stem)]


def _set_aside(database: Path, *, but: Path) -> Path | None:
    """Keep what is there now: as a copy where it can be read, else the files as they are."""
    if not database.exists() or not database.stat().st_size:
        database.unlink(missing_ok=True)
        return None
    if not damage(database):
        names = (f"{database.stem}-before-restore{ending}{database.suffix}" for ending in ("", "-2"))
        return back_up(database, next(folder_of(database) / name for name in names if name != but.name))
    aside = folder_of(database) / f"{database.name}.damaged"
    aside.parent.mkdir(exist_ok=True)
    for ending in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            database.with_name(database.name + ending).replace(aside.with_name(aside.name + ending))
    return database.replace(aside)


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection that only reads, and creates nothing."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        yield connection


@contextmanager
def _told(opening: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(f"{opening}: {error}. Free some space or mend the file, and try again.") from error
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else type(error).__name__
        raise StorageError(
            f"{opening}: {reason}. Free some space, or allow this user to write there."
        ) from error
