"""Files with learners' records: for their owner only, copied while in use, and kept a while."""

import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, date, datetime
from pathlib import Path
from uuid import uuid4

from storage.errors import StorageError


def only_mine() -> None:
    """Whatever this process makes from here on is for its owner only."""
    os.umask(0o077)


def private_folder(folder: Path) -> None:
    """Make a folder that only its owner can enter, or make it one; never one that holds other things too."""
    with contextlib.suppress(OSError):  # whoever opens a database there says it better
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.resolve() not in (Path.cwd(), Path.home()):
        _close(folder, 0o700)


def private_files(file: Path) -> None:
    """Close a database file, its companions and its copies to others; companions made later are like it."""
    for each in file.parent.glob(f"{file.stem}.*"):
        if each.is_file() and not each.is_symlink():
            _close(each, 0o600)


def _close(path: Path, mode: int) -> None:
    # Where somebody else owns it, or the disk knows no owners, it is for them to say.
    with contextlib.suppress(OSError):
        if path.stat().st_mode & 0o077:
            path.chmod(mode)


class UtcFormatter(logging.Formatter):
    """Lines of a log, whose times are UTC and say so."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 (logging's name)
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


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


FOLDER = "backups"
DAILY_KEPT = 7
_BEING_MADE_SECONDS = 60
# Our own name: a shared PostgreSQL database may hold the alembic_version of another program.
VERSION_TABLE = "tutor_schema_version"


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
    day = "[0-9]" * 4 + "-[0-9][0-9]" * 2
    for old in sorted(target.parent.glob(f"{database.stem}-{day}{database.suffix}"))[:-DAILY_KEPT]:
        old.unlink(missing_ok=True)
    return made


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


def copies(database: Path) -> list[Path]:
    """What could be put back, the newest first."""
    beside = database.parent.glob(f"{database.stem}.backup-*{database.suffix}")  # of earlier versions
    found = [*folder_of(database).glob(f"{database.stem}-*{database.suffix}"), *beside]
    return sorted(found, key=lambda file: file.stat().st_mtime, reverse=True)


def checkpoint(database: Path) -> None:
    """Bring everything into the one file, as far as nobody else is using it."""
    if database.with_name(f"{database.name}-wal").exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(database, timeout=0)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def how_to_mend(
    database: Path, *, without_copy: str = f"There is no copy of it in {FOLDER}. Move it away to start anew."
) -> str:
    """What to do about a damaged file: the newest good copy and the command, or what there is instead."""
    copy = next((file for file in copies(database) if not unfitness(file)), None)
    if copy is None:
        return without_copy
    made_at = datetime.fromtimestamp(copy.stat().st_mtime, UTC)
    return f"The newest good copy is of {made_at:%d %B %Y, %H:%M} UTC: tutor restore {copy.name}"


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
    log = database.with_name(f"{database.name}-wal")
    if not database.exists() or any(file.exists() and file.stat().st_size for file in (database, log)):
        return
    being_made = now - database.stat().st_mtime <= _BEING_MADE_SECONDS
    mend = how_to_mend(database, without_copy="" if being_made else "Delete it to start anew.")
    if mend:
        raise StorageError(f"The database file {database.name} is empty: it has lost everything. {mend}")


def folder_of(database: Path) -> Path:
    return database.parent / FOLDER


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
