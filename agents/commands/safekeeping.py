"""Commands about the record as a whole: copies of it, and everything of one learner."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from agents import adk_sessions
from agents.commands.setup import open_database
from agents.settings import Settings, load_settings
from storage.engines import is_postgresql, normalised, sqlite_file
from storage.errors import InvalidInputError
from storage.files import back_up, copies, folder_of
from storage.files import restore as put_back
from storage.learners import forget_in_copy, forget_learner, records_of


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
def backup(file: Path | None) -> None:
    """Copy the learners' record to FILE while it is in use, and check the copy."""
    database = _database_file(load_settings())
    if not database.exists():
        raise InvalidInputError("There is no record yet, so there is nothing to copy.")
    named = f"{database.stem}-{datetime.now(UTC):%Y-%m-%dT%H%M%S}{database.suffix}"
    made = back_up(database, file or folder_of(database) / named)
    click.echo(f"Copied to {made} ({made.stat().st_size / 1e6:.1f} MB), and it is whole.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--yes", is_flag=True, help="Do not ask.")
def restore(file: Path, yes: bool) -> None:
    """Put a copy back; a running tutor goes on with it."""
    database = _database_file(load_settings())
    if not yes and not click.confirm(f"Everything since {file.name} will be undone. Go on?"):
        click.echo("Nothing was changed.")
        return
    aside = put_back(database, file)
    kept = f" What was there before is kept as {aside.name}." if aside else ""
    click.echo(f"{file.name} is back in place.{kept} Conversations stay as they are.")


@click.command()
@click.option("--user", required=True, help="Whose record.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(user: str, yes: bool) -> None:
    """Delete everything of a learner: answers, tasks, conversations, also from the copies."""
    settings = load_settings()
    kept = asyncio.run(_everything(settings, user))
    counts = {name: len(rows) for name, rows in kept.items() if rows}
    if not counts:
        click.echo(f"Nothing is kept about {user}.")
        return
    click.echo(_told(f"This is kept about {user}:", counts))
    if not yes and not click.confirm("Delete all of it? It cannot be undone"):
        click.echo("Nothing was deleted.")
        return
    gone, in_copies = asyncio.run(forget_everywhere(settings, user))
    click.echo(_told("Deleted:", gone))
    if in_copies:
        click.echo(f"Deleted from {in_copies} {'copy' if in_copies == 1 else 'copies'} of the database, too.")


@click.command()
@click.option("--user", required=True, help="Whose record.")
@click.option(
    "--file", type=click.Path(path_type=Path, dir_okay=False), help="Where to; otherwise it is printed."
)
def export(user: str, file: Path | None) -> None:
    """Everything that is kept about a learner, as JSON."""
    kept = {"user_id": user, **asyncio.run(_everything(load_settings(), user))}
    text = json.dumps(kept, indent=2, ensure_ascii=False)
    if file is None:
        click.echo(text)
        return
    file.touch(mode=0o600)
    file.write_text(f"{text}\n", encoding="utf-8")
    rows = sum(len(rows) for rows in kept.values() if isinstance(rows, list))
    click.echo(f"Wrote {rows:,} records to {file}.")


async def _everything(settings: Settings, user_id: str) -> dict[str, list[Any]]:
    async with open_database(settings) as database:
        records: dict[str, list[Any]] = {**await records_of(database, user_id)}
    records["conversations"] = [
        session.model_dump(mode="json", by_alias=False, exclude_none=True)
        for session in await adk_sessions.conversations_of(settings, user_id)
    ]
    return records


async def forget_everywhere(settings: Settings, user_id: str) -> tuple[dict[str, int], int]:
    """Delete all of a learner; how many rows went from which table, and from how many copies."""
    async with open_database(settings) as database:
        gone = await forget_learner(database, user_id)
    gone["conversations"] = await adk_sessions.forget_learner(settings, user_id)
    if is_postgresql(normalised(settings.database)):
        return gone, 0
    return gone, sum(forget_in_copy(copy, user_id) > 0 for copy in copies(_database_file(settings)))


def _told(opening: str, counts: dict[str, int]) -> str:
    lines = [f"  {count:>6,} {name.replace('_', ' ')}" for name, count in counts.items() if count]
    return "\n".join([opening, *lines])


def _database_file(settings: Settings) -> Path:
    url = normalised(settings.database)
    if is_postgresql(url):
        raise InvalidInputError(
            "The record is on a PostgreSQL server: copy it with pg_dump, put it back with pg_restore."
        )
    return sqlite_file(url)
