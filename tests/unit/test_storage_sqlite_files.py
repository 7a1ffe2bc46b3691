"""What happens to SQLite files: folders, WAL, backups, and everything that can be wrong with them."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from storage import migrate
from storage.database import Database
from storage.engines import url_of_file
from storage.errors import StorageError
from storage.tasks import Tasks

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NEWEST = migrate.revisions()[-1]
NEXT = f"{int(NEWEST) + 1:04}"
NEXT_SCRIPT = f"""
from alembic import op
revision, down_revision, branch_labels, depends_on = "{NEXT}", "{NEWEST}", None, None

def upgrade():
    op.execute("ALTER TABLE tasks ADD COLUMN colour TEXT")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tutor.db"


@pytest.fixture
def diary(file: Path) -> Iterator[Path]:
    """A file that is somebody's, and must stay as it is."""
    file.write_text("Dear diary, " * 100)
    yield file
    assert file.read_text() == "Dear diary, " * 100


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this the next version of the program, which has one more migration."""
    scripts = tmp_path / "migrations"
    (scripts / "versions").mkdir(parents=True)
    for source in (*migrate.SCRIPTS.glob("*.*"), *migrate.SCRIPTS.glob("versions/*.py")):
        (scripts / source.relative_to(migrate.SCRIPTS)).write_bytes(source.read_bytes())
    (scripts / "versions" / f"{NEXT}_next.py").write_text(NEXT_SCRIPT)
    monkeypatch.setattr(migrate, "SCRIPTS", scripts)


async def with_a_task(file: Path) -> None:
    """A database as a learner left it."""
    database = await Database.open(f"sqlite:///{file}")
    await Tasks(database).add("ada", title="Read", now=NOW)
    await database.close()


async def titles(file: Path) -> list[str]:
    database = await Database.open(f"sqlite:///{file}")
    found = [task.title for task in await Tasks(database).list("ada", now=NOW)]
    await database.close()
    return found


async def forget_everything(file: Path) -> None:
    database = await Database.open(f"sqlite:///{file}")
    async with database.write() as conn:
        await conn.execute(text("DELETE FROM tasks"))
    await database.close()


def damage(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    file.write_bytes(content)


async def refusal(url: str) -> str:
    """What a person reads when the database cannot be opened."""
    with pytest.raises(StorageError) as failure:
        await Database.open(url)
    message = str(failure.value)
    assert "Traceback" not in message
    assert "sqlite3" not in message
    return message


async def test_the_folder_is_made_and_the_file_lets_readers_and_a_writer_work_at_once(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "tutor.db"
    database = await Database.open(f"sqlite:///{file}")
    async with database.write() as conn:
        settings = {
            name: (await conn.execute(text(f"PRAGMA {name}"))).scalar_one()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    await database.close()

    assert settings == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 1, "busy_timeout": 30000}


async def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "50%41 off? yes & #1 é"
    await (await Database.open(url_of_file(folder / "tutor.db"))).close()

    assert {path.name for path in folder.iterdir()} == {"tutor.db"}


def test_a_start_on_a_current_database_does_not_load_what_it_does_not_need(migrated_sqlite: Path) -> None:
    program = (
        "import asyncio, sys\nfrom storage.database import Database\n"
        "async def main():\n await (await Database.open(sys.argv[1])).close()\n"
        "asyncio.run(main())\n"
        "print([name for name in ('alembic', 'asyncpg', 'sqlalchemy.dialects.postgresql') if name in sys.modules])"
    )
    root = Path(migrate.__file__).parents[1]
    command = [sys.executable, "-c", program, f"sqlite:///{migrated_sqlite}"]
    assert subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout == "[]\n"


def copied(file: Path) -> list[str]:
    return sorted(path.name for path in (file.parent / "backups").glob("*"))


@pytest.mark.usefixtures("next_release")
async def test_a_new_database_needs_no_backup(file: Path) -> None:
    await (await Database.open(f"sqlite:///{file}")).close()

    assert copied(file) == []


async def test_an_upgrade_first_copies_the_database(file: Path, request: pytest.FixtureRequest) -> None:
    await with_a_task(file)
    request.getfixturevalue("next_release")
    assert await titles(file) == ["Read"]

    assert copied(file) == [f"tutor-before-{NEWEST}.db"]


async def test_a_file_with_another_programs_tables_is_copied_before_ours_are_added(file: Path) -> None:
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")

    assert await titles(file) == []

    assert copied(file) == ["tutor-before-other.db"]
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("SELECT count(*) FROM recipes").fetchone() == (0,)


async def test_an_upgrade_that_fails_again_and_again_leaves_one_copy(
    file: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    await with_a_task(file)
    request.getfixturevalue("next_release")
    # The remains of a program that was killed while it copied.
    unfinished = file.parent / "backups" / f"tutor-before-{NEWEST}.db.unfinished"
    unfinished.parent.mkdir()
    unfinished.write_text("half")

    def fails(connection: object) -> None:
        raise StorageError("The migration fails.")

    monkeypatch.setattr(migrate, "upgrade", fails)
    for _ in range(3):
        assert await refusal(f"sqlite:///{file}") == "The migration fails."

    assert copied(file) == [f"tutor-before-{NEWEST}.db"]


@pytest.mark.usefixtures("next_release")
async def test_without_room_for_a_backup_there_is_no_upgrade(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(migrate, "SCRIPTS", Path(migrate.__file__).parent / "migrations")
        await with_a_task(file)
    # A file in the place of the folder, because the tests may run as root.
    (file.parent / "backups").write_text("")

    assert "no backup copy" in await refusal(f"sqlite:///{file}")

    (file.parent / "backups").unlink()
    assert await titles(file) == ["Read"]


async def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a folder")

    message = await refusal(f"sqlite:///{tmp_path}/notes.txt/tutor.db")

    assert message.startswith("The folder for the database file tutor.db cannot be made.")
    assert str(tmp_path) not in message


async def test_a_folder_in_the_place_of_the_file_is_explained(tmp_path: Path) -> None:
    message = await refusal(f"sqlite:///{tmp_path}")

    assert message.startswith(f"The database file {tmp_path.name} cannot be opened.")


async def test_a_file_that_is_no_database_is_explained_and_left_alone(diary: Path) -> None:
    assert "is not a database" in await refusal(f"sqlite:///{diary}")


async def test_a_damaged_database_is_explained(file: Path) -> None:
    await with_a_task(file)
    damage(file)

    assert "is damaged" in await refusal(f"sqlite:///{file}")


async def test_a_full_disk_is_explained_and_loses_nothing(file: Path) -> None:
    await with_a_task(file)
    database = await Database.open(f"sqlite:///{file}")
    async with database.write() as conn:
        await conn.execute(text("PRAGMA max_page_count=1"))
    tasks = Tasks(database)

    async def fill() -> None:
        for _ in range(100):
            await tasks.add("ada", title="More", description="x" * 1000, now=NOW)

    with pytest.raises(StorageError, match="the disk is full"):
        await fill()
    await database.close()
    assert "Read" in await titles(file)


async def test_a_database_that_may_only_be_read_is_read_and_not_written(file: Path) -> None:
    await with_a_task(file)
    database = await Database.open(f"sqlite:///file:{file}?mode=ro&uri=true")
    tasks = Tasks(database)

    assert len(await tasks.list("ada", now=NOW)) == 1
    with pytest.raises(StorageError, match="cannot be written"):
        await tasks.add("ada", title="More", now=NOW)
    await database.close()


async def test_a_database_locked_by_another_program_is_explained(file: Path) -> None:
    await with_a_task(file)
    database = await Database.open(f"sqlite:///{file}?timeout=0.05")
    tasks = Tasks(database)
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="in use by another program"):
            await tasks.add("ada", title="More", now=NOW)
        assert len(await tasks.list("ada", now=NOW)) == 1

    await tasks.add("ada", title="More", now=NOW)
    await database.close()


async def test_a_write_inside_a_write_fails_instead_of_waiting_for_ever(file: Path) -> None:
    database = await Database.open(f"sqlite:///{file}?timeout=0.05")

    async def nested() -> None:
        async with database.write(), database.write():
            pass

    with pytest.raises(StorageError):
        await nested()
    await database.close()
