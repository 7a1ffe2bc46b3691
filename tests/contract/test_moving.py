"""A whole installation moves from SQLite to PostgreSQL and back, and nothing of it changes on the way."""

import gzip
import json
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agents.adk_sessions import APP_NAME, open_sessions
from agents.cli import tutor
from agents.installation import read_all, write_all
from agents.mastery_book import reckon
from agents.services import Services
from agents.settings import Settings
from evals.servers import new_database
from storage.database import Database
from storage.errors import InvalidInputError
from storage.moving import TABLES, rows_of
from storage.tables import metadata
from tests.support.folders import copy_folder
from tests.support.site import Site, site_in
from tests.support.talk import read_folder, settings_in

NOW = datetime.now(UTC)  # one moment for all: scores fade


@pytest.fixture
async def lived_in(tmp_path: Path) -> AsyncIterator[Settings]:
    """An installation in which somebody has learnt, on SQLite."""
    folder = tmp_path / "old"
    copy_folder(read_folder() / "data", folder / "data")
    async with site_in(folder) as site:
        await _learn(site)
        yield site.services.settings


async def _learn(site: Site) -> None:
    await site.start()
    for right in (True, False, True):
        await site.answer(right=right)
    await site.say("I disagree")
    await site.say("remind me to call home tomorrow")
    await site.say("my goal is mapping")


async def rows(settings: Settings) -> dict[str, list[Mapping[str, Any]]]:
    """All that is kept, but for what names the database itself."""
    database = await Database.open(settings.database)
    found: dict[str, list[Mapping[str, Any]]] = {}
    async for name, row in rows_of(database):
        kept = {key: value for key, value in row.items() if key != "database_id"}
        found.setdefault(name, []).append(kept)
    await database.close()
    return found


async def told(settings: Settings) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The conversation: its state, and its events by what they hold."""
    async with open_sessions(settings) as sessions:
        session = await sessions.get_session(app_name=APP_NAME, user_id="user", session_id="page-user")
    assert session
    return dict(session.state), [each.model_dump(mode="json", exclude_none=True) for each in session.events]


async def mastery(settings: Settings) -> Mapping[str, float]:
    services = Services(settings, now=lambda: NOW)
    await services.ready()
    found = await reckon(services, user_id="user", course="physical-ai")
    await services.close()
    return {name: concept.score for name, concept in found.mastery.items()}


async def moved(old: Settings, new: Settings, file: Path) -> None:
    for settings, work in ((old, write_all), (new, read_all)):
        database = await Database.open(settings.database)
        await work(settings, database, file)
        await database.close()


async def test_an_installation_moves_to_postgresql_and_back(
    lived_in: Settings, postgres_server: str, tmp_path: Path
) -> None:
    url = await new_database(postgres_server, "moved_in")
    server = settings_in(tmp_path / "server", {"TUTOR_DATABASE_URL": url})
    back = settings_in(tmp_path / "back", {})
    await moved(lived_in, server, tmp_path / "there.gz")
    await moved(server, back, tmp_path / "and-back.gz")

    before = await rows(lived_in)
    assert await rows(server) == before == await rows(back)
    assert len(before["quiz_results"]) >= 3
    assert len(before["chunks"]) > 50
    scores = await mastery(lived_in)
    assert scores
    assert await mastery(server) == scores == await mastery(back)
    assert await told(server) == await told(lived_in) == await told(back)


async def test_who_moved_goes_on_where_they_were(
    lived_in: Settings, postgres_server: str, tmp_path: Path
) -> None:
    """New rows get numbers of their own, and the open question is still open."""
    url = await new_database(postgres_server, "goes_on")
    server = settings_in(tmp_path / "server", {"TUTOR_DATABASE_URL": url})
    await moved(lived_in, server, tmp_path / "there.gz")
    async with site_in(tmp_path / "server", TUTOR_DATABASE_URL=url) as site:
        question = (await site.state()).pending_question
        assert question
        before = await site.services.ledger.count("user")
        await site.answer()
        await site.say("remind me to read on")
        assert await site.services.ledger.count("user") == before + 1
        await site.say("what is a node?")
        assert "node" in (await site.state()).last_response["answer"].lower()


async def test_nothing_is_imported_into_a_database_that_is_used(lived_in: Settings, tmp_path: Path) -> None:
    database = await Database.open(lived_in.database)
    await write_all(lived_in, database, tmp_path / "all.gz")
    before = await rows(lived_in)
    with pytest.raises(InvalidInputError, match="already"):
        await read_all(lived_in, database, tmp_path / "all.gz")
    await database.close()
    assert await rows(lived_in) == before


@pytest.mark.parametrize("damage", ["cut off", "of another version", "something else"])
async def test_a_file_that_cannot_be_read_leaves_the_database_empty(
    lived_in: Settings, tmp_path: Path, damage: str
) -> None:
    file = tmp_path / "all.gz"
    database = await Database.open(lived_in.database)
    await write_all(lived_in, database, file)
    await database.close()
    if damage == "cut off":
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    elif damage == "of another version":
        head, _, rest = gzip.decompress(file.read_bytes()).partition(b"\n")
        file.write_bytes(
            gzip.compress(json.dumps(json.loads(head) | {"revision": "0001"}).encode() + b"\n" + rest)
        )
    else:
        file.write_text("something else")
    new = settings_in(tmp_path / "new", {})
    database = await Database.open(new.database)
    with pytest.raises(InvalidInputError):
        await read_all(new, database, file)
    await database.close()
    assert [name for name, found in (await rows(new)).items() if found] == ["corpus_clock"]


async def test_the_file_is_its_owners_and_every_table_is_in_it(lived_in: Settings, tmp_path: Path) -> None:
    database = await Database.open(lived_in.database)
    counts = await write_all(lived_in, database, tmp_path / "all.gz")
    await database.close()
    assert (tmp_path / "all.gz").stat().st_mode & 0o077 == 0
    assert counts["conversations"] == 1
    # What workers agree upon from moment to moment stays where it is.
    assert set(metadata.tables) - {table.name for table in TABLES} == {"session_locks", "chores"}


def test_two_commands_move_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_folder(read_folder() / "data", tmp_path / "old")
    file, courses = str(tmp_path / "all.gz"), []
    for folder, words in (("old", ["export", "--all", file]), ("new", ["import", file])):
        monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / folder))
        done = CliRunner().invoke(tutor, words)
        assert done.exit_code == 0, done.output
        assert "chunks" in done.output
        courses.append(CliRunner().invoke(tutor, ["courses", "--json"]).output)
    assert courses[0] == courses[1] != "[]"
