"""Migrations on both databases: from nothing, from an older release, interrupted, and in a race."""

import asyncio
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from storage import migrate
from storage.corpus import Corpus
from storage.database import Database
from storage.errors import StorageError
from storage.files import VERSION_TABLE
from storage.tables import metadata
from storage.tasks import Tasks

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NEWEST = migrate.revisions()[-1]
NEXT = f"{int(NEWEST) + 1:04}"
NEXT_SCRIPT = """
import os
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{down_revision}"
branch_labels = depends_on = None


def upgrade():
    op.add_column("tasks", sa.Column("colour", sa.Text(), server_default="blue", nullable=False))
    op.create_table("badges", sa.Column("id", sa.Integer(), primary_key=True))
    {last_step}
"""
OPEN_DATABASE = """
import asyncio, sys
from pathlib import Path
from storage import migrate
from storage.corpus import Corpus
from storage.database import Database

async def main(url):
    database = await Database.open(url)
    print((await Corpus(database).clock()).database_id)
    await database.close()

if len(sys.argv) > 2:
    migrate.SCRIPTS = Path(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
asyncio.run(main(sys.argv[1]))
"""


def next_release(folder: Path, *, last_step: str = "pass") -> Path:
    """The migrations of a later version of this program."""
    scripts = folder / "50% off, next release"
    shutil.copytree(
        migrate.SCRIPTS, scripts, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
    )
    (scripts / "versions" / f"{NEXT}_next.py").write_text(
        NEXT_SCRIPT.format(revision=NEXT, down_revision=NEWEST, last_step=last_step)
    )
    return scripts


async def start(*arguments: str) -> asyncio.subprocess.Process:
    """Another process, about to open a database."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        OPEN_DATABASE,
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=Path(migrate.__file__).parents[1],
    )
    assert process.stdout is not None
    assert (await process.stdout.readline()).strip() == b"ready"
    return process


async def version(database: Database) -> str:
    [row] = await database.fetch(text(f"SELECT version_num FROM {VERSION_TABLE}"))
    return str(row.version_num)


def differences(connection: Connection) -> list[object]:
    options = {"compare_type": True, "include_name": lambda name, *_: name != VERSION_TABLE}
    context = MigrationContext.configure(connection, opts=options)
    return list(compare_metadata(context, metadata))


def test_script_names_and_revisions_are_one_chain() -> None:
    """The program reads its newest revision from the file names."""
    scripts = ScriptDirectory(str(migrate.SCRIPTS))
    chain = [script.revision for script in reversed(list(scripts.walk_revisions()))]

    assert chain == migrate.revisions()
    assert len(scripts.get_heads()) == 1


async def test_a_fresh_database_is_what_the_tables_say(empty_url: str) -> None:
    database = await Database.open(empty_url)
    async with database.read() as conn:
        found = await conn.run_sync(differences)
    clock = await Corpus(database).clock()
    await database.close()

    assert found == []
    assert clock.revision == 0


async def test_all_constraints_are_what_the_tables_say(database: Database) -> None:
    """Alembic does not compare checks and names, and a later migration needs both."""

    def names(connection: Connection) -> dict[str, set[str | None]]:
        inspector = inspect(connection)
        return {
            table: {check["name"] for check in inspector.get_check_constraints(table)}
            | {key["name"] for key in inspector.get_foreign_keys(table)}
            | {unique["name"] for unique in inspector.get_unique_constraints(table)}
            for table in metadata.tables
        }

    async with database.read() as conn:
        found = await conn.run_sync(names)

    assert found == {
        name: {str(rule.name) for rule in table.constraints if rule is not table.primary_key}
        for name, table in metadata.tables.items()
    }


async def test_opening_again_changes_nothing(database_url: str) -> None:
    first = await Database.open(database_url)
    clock = await Corpus(first).clock()
    await first.close()

    second = await Database.open(database_url)
    assert await Corpus(second).clock() == clock
    assert await version(second) == migrate.revisions()[-1]
    await second.close()


async def test_an_upgrade_keeps_every_row(
    empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = await Database.open(empty_url)
    task = await Tasks(old).add("ada", title="Read", now=NOW)
    clock = await Corpus(old).clock()
    await old.close()
    monkeypatch.setattr(migrate, "SCRIPTS", next_release(tmp_path))

    new = await Database.open(empty_url)

    assert await version(new) == NEXT
    assert await Tasks(new).list("ada", now=NOW) == [task]
    assert await Corpus(new).clock() == clock
    assert [row.colour for row in await new.fetch(text("SELECT colour FROM tasks"))] == ["blue"]
    await new.close()


async def test_a_migration_killed_half_way_runs_again(
    empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = await Database.open(empty_url)
    task = await Tasks(old).add("ada", title="Read", now=NOW)
    await old.close()

    scripts = next_release(tmp_path, last_step="os._exit(42)")
    process = await start(empty_url, str(scripts))
    await process.communicate(b"\n")
    assert process.returncode == 42

    half = await Database.open(empty_url)
    assert await version(half) == NEWEST
    assert await Tasks(half).list("ada", now=NOW) == [task]
    await half.close()

    monkeypatch.setattr(migrate, "SCRIPTS", next_release(tmp_path))
    new = await Database.open(empty_url)
    assert await version(new) == NEXT
    assert await Tasks(new).list("ada", now=NOW) == [task]
    await new.close()


async def test_a_migration_that_fails_changes_nothing(
    empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await Database.open(empty_url)).close()
    with monkeypatch.context() as later:
        later.setattr(migrate, "SCRIPTS", next_release(tmp_path, last_step="raise ZeroDivisionError"))
        with pytest.raises(ZeroDivisionError):
            await Database.open(empty_url)

    database = await Database.open(empty_url)
    assert await version(database) == NEWEST
    await database.close()


async def test_processes_that_open_a_fresh_database_at_once_all_succeed(empty_url: str) -> None:
    processes = await asyncio.gather(*(start(empty_url) for _ in range(3)))
    results = await asyncio.gather(*(process.communicate(b"\n") for process in processes))

    assert [error for _, error in results] == [b"", b"", b""]
    assert len({output for output, _ in results}) == 1


async def test_tasks_that_open_a_fresh_database_at_once_all_succeed(empty_url: str) -> None:
    databases = await asyncio.gather(*(Database.open(empty_url) for _ in range(4)))

    clocks = {await Corpus(database).clock() for database in databases}

    assert len(clocks) == 1
    for database in databases:
        await database.close()


async def test_a_newer_schema_is_refused_and_left_alone(
    empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        later.setattr(migrate, "SCRIPTS", next_release(tmp_path))
        await (await Database.open(empty_url)).close()

    with pytest.raises(StorageError, match=rf"newer version.*{NEXT}.*{NEWEST}.*Update the program"):
        await Database.open(empty_url)


async def test_another_programs_tables_are_left_alone(database_url: str) -> None:
    database = await Database.open(database_url)
    async with database.write() as conn:
        await conn.execute(text(f"ALTER TABLE {VERSION_TABLE} RENAME TO hidden"))
    with pytest.raises(StorageError, match=r"another program's tables.*tasks.*TUTOR_DATABASE_URL"):
        await Database.open(database_url)

    async with database.write() as conn:
        await conn.execute(text(f"ALTER TABLE hidden RENAME TO {VERSION_TABLE}"))
    await database.close()
