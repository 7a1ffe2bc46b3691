"""Brings a database to this program's schema: additive steps, one transaction, one process at a time."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.engines import explained
from storage.errors import StorageError
from storage.files import VERSION_TABLE, back_up, folder_of, use_wal
from storage.tables import metadata

if TYPE_CHECKING:
    from storage.database import Database

SCRIPTS = Path(__file__).parent / "migrations"
_LOCK_KEY = 0x7475746F72  # "tutor"


def revisions() -> list[str]:
    """All revisions this program knows, oldest first; each script's name starts with its own."""
    # Read from the file names, because importing Alembic costs more than opening the database.
    return sorted(path.name.split("_")[0] for path in (SCRIPTS / "versions").glob("[0-9]*_*.py"))


async def bring_up_to_date(database: "Database") -> None:
    """Apply the migrations that this database lacks."""
    async with database.read() as conn:
        if await _is_current(conn, place=database.place):
            return
    if database.file:
        with explained(database.place, connecting=True):
            await asyncio.to_thread(use_wal, database.file)
    async with database.write() as conn:
        await _take_lock(conn)
        # Another process may have been faster.
        if await _is_current(conn, place=database.place):
            return
        revision = await conn.run_sync(_prepare, place=database.place)
        if revision is not None and database.file:
            await asyncio.to_thread(_copied, database.file, revision=revision)
        await conn.run_sync(upgrade)


def _copied(file: Path, *, revision: str) -> None:
    # The one copy of this revision: a migration that fails again and again makes it anew, not another.
    target = folder_of(file) / f"{file.stem}-before-{revision}{file.suffix}"
    try:
        back_up(file, target)
    except StorageError as error:
        raise StorageError(
            f"The database was not upgraded because no backup copy could be made. {error}"
        ) from error


def upgrade(connection: Connection, *, to: str = "head") -> None:
    """Run the missing migrations inside the caller's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    # ConfigParser would read a percent sign in the path as its own.
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, to)


async def _is_current(conn: AsyncConnection, *, place: str) -> bool:
    revision = await conn.run_sync(_revision)
    known = revisions()
    if revision is not None and revision not in known:
        raise StorageError(
            f"{place[0].upper()}{place[1:]} was written by a newer version of this program "
            f"(schema {revision}, this version knows {known[-1]}). Update the program, or restore a backup copy."
        )
    return revision == known[-1]


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()


def _prepare(connection: Connection, *, place: str) -> str | None:
    """Look at what is there: the revision, "other" for foreign tables, None for an empty database."""
    revision = _revision(connection)
    if revision is not None:
        return revision
    present = set(inspect(connection).get_table_names())
    taken = sorted(present & set(metadata.tables))
    if taken:
        raise StorageError(
            f"{place[0].upper()}{place[1:]} already holds another program's tables ({', '.join(taken)}). "
            "Give the tutor a database of its own with TUTOR_DATABASE_URL."
        )
    return "other" if present else None


async def _take_lock(conn: AsyncConnection) -> None:
    # On SQLite BEGIN IMMEDIATE is the lock already.
    if conn.dialect.name == "postgresql":
        await conn.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
