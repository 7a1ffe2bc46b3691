"""Running it for others: servers, who may come in, and copies of the record."""

import asyncio
import json
import secrets
import socket
import webbrowser
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

from agents.adk_sessions import forget_everywhere, kept_about
from agents.commands.setup import on_database, open_database
from agents.settings import Settings, load_settings
from storage.accounts import LINK_LASTS, Accounts, Tokens, account_name
from storage.engines import is_postgresql, normalised, sqlite_file
from storage.errors import ConfigurationError, InvalidInputError
from storage.files import back_up, folder_of
from storage.files import restore as put_back

if TYPE_CHECKING:
    from web.access import Doors


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, help="The port to listen on; 0 takes a free one.")
@click.option("--open/--no-open", "opens", default=False, help="Open the page in your browser.")
@click.option("--sign-in", "signs_in", is_flag=True, help="Ask for accounts on this machine, too.")
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Processes that share the port.",
)
def serve(host: str, port: int, opens: bool, signs_in: bool, workers: int) -> None:
    """Serve the page to study with in a browser.

    On this machine there is one learner and no sign-in; any other address needs accounts or a proxy that asks.
    Several workers, and several machines, are for PostgreSQL and a Qdrant server (docs/deploy.md).
    """
    settings = load_settings()
    # Before the port is taken: nobody shall reach it while it is not known who may.
    doors = asyncio.run(doors_for(settings, host=host, signs_in=signs_in))
    listening = _listen(host, port)
    click.echo("Getting ready …")

    from web.workers import serve_one, serve_several

    def tell() -> None:
        address = address_of(host, listening.getsockname()[1])
        click.echo(f"Open {address} in your browser. Ctrl+C stops; nothing is lost.")
        if opens:
            webbrowser.open(address)

    if workers > 1:
        serve_several(workers, listening, doors=doors, on_ready=tell)
    else:
        asyncio.run(serve_one(listening, doors=doors, on_ready=tell))


def address_of(host: str, port: int) -> str:
    """What to open on this machine: a server that listens everywhere has no address of that name."""
    here = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{here}]:{port}" if ":" in here else f"http://{here}:{port}"


def _listen(host: str, port: int) -> socket.socket:
    """The port, taken before anything else: who waits for a busy one waits in vain."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as err:
        raise ConfigurationError(
            f"Port {port} on {host} cannot be used ({err.strerror or err}). Choose another one with --port."
        ) from err


async def doors_for(settings: Settings, *, host: str, signs_in: bool = False) -> "Doors":
    """The way in for this address; refuses where everybody could come in as anybody."""
    from web.access import choose_doors

    async with open_database(settings) as database:
        has_accounts = bool(await Accounts(database).all())
    return choose_doors(
        host=host,
        has_accounts=has_accounts,
        header=settings.proxy_header,
        addresses=settings.proxy_addresses,
        signs_in=signs_in,
    )


@click.command()
@click.option(
    "--http", "port", type=int, help="Serve HTTP on this port instead of stdio; TUTOR_TASKS_TOKEN opens it."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address that HTTP is served on.")
@click.option("--user", help="Serve this one user, for clients that cannot name theirs.")
def mcp(port: int | None, host: str, user: str | None) -> None:
    """Serve the learner's to-dos over MCP, on stdio or HTTP."""
    from tasks_tools.server import serve

    settings = load_settings()
    serve(
        settings.database,
        port=port,
        host=host,
        token=settings.tasks_token.get_secret_value() if settings.tasks_token else None,
        user=user,
        log_file=settings.data_dir / "tasks.log",
    )


at_address = click.option(
    "--address",
    default="http://127.0.0.1:8000",
    show_default=True,
    help="Where people reach this tutor, for the link.",
)


@click.group()
def user() -> None:
    """Accounts for a tutor that others reach ('tutor serve --host …')."""


@user.command("add")
@click.argument("name")
@click.option(
    "--teacher", "is_teacher", is_flag=True, help="Sees the class, and changes courses and questions."
)
@at_address
def add_user(name: str, is_teacher: bool, address: str) -> None:
    """Make an account, and print the one-time link with which NAME sets a password."""
    link, now = secrets.token_urlsafe(24), datetime.now(UTC)
    account = on_database(
        lambda database: Accounts(database).add(
            name, is_teacher=is_teacher, link=link, expires_at=now + LINK_LASTS, now=now
        )
    )
    click.echo(f"{account.name} sets a password here, once, within {LINK_LASTS.days} days:")
    click.echo(link_at(address, link))


@user.command("link")
@click.argument("name")
@at_address
def renew_link(name: str, address: str) -> None:
    """Print a new one-time link: the old password counts until it is used."""
    link, expires_at = secrets.token_urlsafe(24), datetime.now(UTC) + LINK_LASTS
    account = on_database(
        lambda database: Accounts(database).renew_link(name, link=link, expires_at=expires_at)
    )
    if account is None:
        raise InvalidInputError(_nobody(name))
    click.echo(link_at(address, link))


@user.command("list")
def list_users() -> None:
    """List the accounts."""
    found = on_database(lambda database: Accounts(database).all())
    if not found:
        click.echo("There are no accounts. 'tutor user add NAME' makes one.")
        return
    table = Table("Name", "Role", "Since", "Password")
    for account in found:
        state = "set" if account.password_hash else "not yet set"
        table.add_row(
            account.name,
            "teacher" if account.is_teacher else "learner",
            f"{account.created_at:%Y-%m-%d}",
            state,
        )
    Console().print(table)


@user.command("remove")
@click.argument("name")
@click.option(
    "--forget", is_flag=True, help="Delete what was learnt, too: answers, mastery, tasks, conversations."
)
def remove_user(name: str, forget: bool) -> None:
    """Close an account and its tokens; what was learnt stays, for an account of the same name."""
    known_as = account_name(name)
    if not on_database(lambda database: Accounts(database).remove(known_as)):
        raise InvalidInputError(_nobody(name))
    if forget:
        asyncio.run(_forget(load_settings(), known_as))
    click.echo(f"{name} can no longer sign in." + (" All that was kept is deleted." if forget else ""))


@click.group()
def token() -> None:
    """Tokens for programs that use the HTTP API (docs/api.md)."""


as_user = click.option("--user", "name", default="user", show_default=True, help="In whose name.")


@token.command("add")
@as_user
@click.option("--label", default="", help="What it is for.")
def add_token(name: str, label: str) -> None:
    """Make a token, and print it; it is shown this once."""
    secret = f"tutor_{secrets.token_urlsafe(32)}"
    on_database(
        lambda database: Tokens(database).add(
            account_name(name), token=secret, label=label, now=datetime.now(UTC)
        )
    )
    click.echo(secret)


@token.command("list")
@as_user
def list_tokens(name: str) -> None:
    """List a learner's tokens; they themselves are not kept."""
    found = on_database(lambda database: Tokens(database).of(name))
    if not found:
        click.echo(f"{name} has no tokens. 'tutor token add --user {name}' makes one.")
        return
    table = Table("Number", "For", "Since")
    for each in found:
        table.add_row(str(each.id), each.label, f"{each.created_at:%Y-%m-%d}")
    Console().print(table)


@token.command("remove")
@click.argument("number", type=int)
@as_user
def remove_token(number: int, name: str) -> None:
    """Make the token of this NUMBER useless."""
    if not on_database(lambda database: Tokens(database).remove(number, user_id=name)):
        raise InvalidInputError(f"{name} has no token {number}. 'tutor token list --user {name}' shows them.")
    click.echo("It no longer works.")


def link_at(address: str, link: str) -> str:
    """The one-time link as a person opens it."""
    return f"{address.rstrip('/')}/invite/{link}"


def _nobody(name: str) -> str:
    return f"There is no account '{name}'. 'tutor user list' shows them."


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
    kept = asyncio.run(_kept(settings, user))
    counts = {name: len(rows) for name, rows in kept.items() if rows}
    if not counts:
        click.echo(f"Nothing is kept about {user}.")
        return
    click.echo(_told(f"This is kept about {user}:", counts))
    if not yes and not click.confirm("Delete all of it? It cannot be undone"):
        click.echo("Nothing was deleted.")
        return
    gone, in_copies = asyncio.run(_forget(settings, user))
    click.echo(_told("Deleted:", gone))
    if in_copies:
        click.echo(f"Deleted from {in_copies} {'copy' if in_copies == 1 else 'copies'} of the database, too.")


@click.command()
@click.option("--user", help="Whose record.")
@click.option(
    "--file", type=click.Path(path_type=Path, dir_okay=False), help="Where to; otherwise it is printed."
)
@click.option(
    "--all",
    "everything",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The whole installation to FILE, for 'tutor import'.",
)
def export(user: str | None, file: Path | None, everything: Path | None) -> None:
    """Everything that is kept about a learner, as JSON; or all that is kept, to move house."""
    if everything is not None:
        counts = asyncio.run(_moved(load_settings(), everything, out=True))
        click.echo(_told(f"Wrote to {everything}, which holds everybody's record:", counts))
        return
    if user is None:
        raise InvalidInputError("Say whose record with --user, or --all FILE for the whole installation.")
    kept = {"user_id": user, **asyncio.run(_kept(load_settings(), user))}
    text = json.dumps(kept, indent=2, ensure_ascii=False)
    if file is None:
        click.echo(text)
        return
    file.touch(mode=0o600)
    file.write_text(f"{text}\n", encoding="utf-8")
    rows = sum(len(rows) for rows in kept.values() if isinstance(rows, list))
    click.echo(f"Wrote {rows:,} records to {file}.")


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def import_all(file: Path) -> None:
    """Put what 'tutor export --all' wrote into an empty installation, on SQLite or PostgreSQL."""
    if not file.is_file():
        raise click.ClickException(f"There is no file {file}. 'tutor export --all FILE' writes one.")
    counts = asyncio.run(_moved(load_settings(), file, out=False))
    click.echo(_told("Read:", counts))
    click.echo("The search index is built from it at the next start.")


async def _moved(settings: Settings, file: Path, *, out: bool) -> dict[str, int]:
    from agents.installation import read_all, write_all

    async with open_database(settings) as database:
        return await (write_all if out else read_all)(settings, database, file)


async def _kept(settings: Settings, user_id: str) -> dict[str, list[Any]]:
    async with open_database(settings) as database:
        return await kept_about(settings, database, user_id)


async def _forget(settings: Settings, user_id: str) -> tuple[dict[str, int], int]:
    async with open_database(settings) as database:
        return await forget_everywhere(settings, database, user_id)


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
