"""Copies can be relied on: made while the tutor runs, whole, put back over anything, and named where they are needed."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from agents.bookkeeping import Bookkeeper
from agents.cli import tutor
from storage.database import Database
from storage.errors import StorageError
from storage.files import back_up, copies, daily, damage, restore
from storage.ledger import Ledger
from tests.support.ledger import ANSWER
from tests.support.talk import Learner


@pytest.fixture
def file(migrated_sqlite: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(migrated_sqlite, tmp_path / "tutor.db"))


async def answers(file: Path) -> int:
    database = await Database.open(f"sqlite:///{file}")
    try:
        return len(await Ledger(database, books=Bookkeeper()).of("ada"))
    finally:
        await database.close()


async def answer(file: Path, times: int = 1) -> None:
    database = await Database.open(f"sqlite:///{file}")
    for _ in range(times):
        await Ledger(database, books=Bookkeeper()).append(ANSWER)
    await database.close()


def fill(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def destroy_a_page(file: Path) -> None:
    with file.open("r+b") as pages:
        pages.seek(4096 * 3)
        pages.write(b"\xff" * 4096)


async def test_after_a_stop_a_plain_copy_of_the_file_has_everything(ada: Learner) -> None:
    await ada.say("teach me ROS 2 topics")
    await ada.answer(right=True)
    await ada.runner.close()  # what `adk web` and `adk run` do as they end
    data = ada.folder / "data"
    assert not list(data.glob("tutor.db-*"))
    copy = Path(shutil.copy(data / "tutor.db", ada.folder / "copy.db"))
    assert await answers(copy) == 1


async def test_a_copy_of_a_database_in_use_has_everything_and_is_one_file(file: Path, tmp_path: Path) -> None:
    database = await Database.open(f"sqlite:///{file}")
    await Ledger(database, books=Bookkeeper()).append(ANSWER)
    copy = back_up(file, tmp_path / "elsewhere" / "copy.db")
    await database.close()
    assert damage(copy) == ""
    assert [path.name for path in copy.parent.iterdir()] == ["copy.db"]
    assert copy.stat().st_mode & 0o077 == 0
    assert await answers(copy) == 1


async def test_a_left_over_log_does_not_undo_what_was_put_back(file: Path, tmp_path: Path) -> None:
    """As after a crash: the newest rows are in a WAL that SQLite would play into any file of that name."""
    await answer(file)
    copy = back_up(file, tmp_path / "copy.db")
    database = await Database.open(f"sqlite:///{file}")
    for _ in range(5):
        await Ledger(database, books=Bookkeeper()).append(ANSWER)
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for each in file.parent.glob("tutor.db*"):
        shutil.copy(each, crashed / each.name)
    await database.close()
    assert (crashed / "tutor.db-wal").stat().st_size
    restore(crashed / "tutor.db", copy)
    assert await answers(crashed / "tutor.db") == 1


async def test_a_running_tutor_goes_on_with_what_was_put_back(file: Path, tmp_path: Path) -> None:
    database = await Database.open(f"sqlite:///{file}")
    await Ledger(database, books=Bookkeeper()).append(ANSWER)
    copy = back_up(file, tmp_path / "copy.db")
    await Ledger(database, books=Bookkeeper()).append(ANSWER)
    restore(file, copy)
    assert len(await Ledger(database, books=Bookkeeper()).of("ada")) == 1
    await Ledger(database, books=Bookkeeper()).append(ANSWER)
    await database.close()
    assert await answers(file) == 2


async def test_what_was_there_before_a_restore_is_kept(file: Path, tmp_path: Path) -> None:
    copy = back_up(file, tmp_path / "copy.db")
    await answer(file, 3)
    aside = restore(file, copy)
    assert await answers(file) == 0
    assert aside
    restore(file, aside)
    assert await answers(file) == 3


async def test_a_damaged_database_is_replaced_and_kept_aside(file: Path, tmp_path: Path) -> None:
    await answer(file)
    copy = back_up(file, tmp_path / "copy.db")
    fill(file, b"not a database" * 1000)
    aside = restore(file, copy)
    assert aside
    assert aside.name == "tutor.db.damaged"
    assert await answers(file) == 1


async def test_a_damaged_copy_is_not_put_back(file: Path, tmp_path: Path) -> None:
    copy = back_up(file, tmp_path / "copy.db")
    destroy_a_page(copy)
    (tmp_path / "recipes.db").write_bytes(b"")
    for broken in (copy, tmp_path / "recipes.db"):
        with pytest.raises(StorageError, match="cannot be put back"):
            restore(file, broken)
    assert await answers(file) == 0


async def test_a_damaged_database_makes_no_copy_over_a_good_one(file: Path) -> None:
    await answer(file)
    made = daily(file, today=date(2026, 3, 1))
    destroy_a_page(file)
    with pytest.raises(StorageError, match="damaged"):
        back_up(file, made or file)
    assert made
    assert damage(made) == ""


def test_one_copy_a_day_is_kept_for_a_week(file: Path) -> None:
    first = date(2026, 3, 1)
    for day in range(10):
        assert daily(file, today=first + timedelta(days=day))
        assert daily(file, today=first + timedelta(days=day)) is None
    kept = sorted(copy.name for copy in copies(file))
    assert kept == [f"tutor-2026-03-{day:02}.db" for day in range(4, 11)]


async def test_the_first_turn_of_a_day_copies_the_record(ada: Learner) -> None:
    await ada.say("hello")
    again = await ada.restarted()
    await again.say("hello")
    await again.close()
    [copy] = copies(ada.folder / "data" / "tutor.db")
    assert damage(copy) == ""


def test_doctor_sees_a_destroyed_page_and_names_the_copy(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(answer(file))
    daily(file, today=date(2026, 3, 1))
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA page_count").fetchone()[0] > 3
    destroy_a_page(file)
    monkeypatch.setenv("TUTOR_DATABASE_URL", f"sqlite:///{file}")
    shown = CliRunner().invoke(tutor, ["doctor"]).output
    assert "damaged" in shown
    assert "tutor restore tutor-2026-03-01.db" in shown
    done = CliRunner().invoke(tutor, ["restore", "tutor-2026-03-01.db", "--yes"])
    assert done.exit_code == 0, done.output
    assert damage(file) == ""


async def test_an_emptied_database_does_not_start_anew_in_silence(file: Path) -> None:
    await answer(file)
    daily(file, today=date(2026, 3, 1))
    fill(file, b"")
    with pytest.raises(StorageError, match=r"is empty.*tutor restore tutor-2026-03-01\.db"):
        await Database.open(f"sqlite:///{file}")
