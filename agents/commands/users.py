"""Who may come in: tutor user and tutor token."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

import click
from rich.console import Console
from rich.table import Table

from agents.settings import load_settings
from storage.errors import InvalidInputError

if TYPE_CHECKING:
    from storage.accounts import Account
    from storage.database import Database

T = TypeVar("T")

_AT_HOME = "http://127.0.0.1:8000"

at_address = click.option(
    "--address", default=_AT_HOME, show_default=True, help="Where people reach this tutor, for the link."
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
    from storage.accounts import LINK_LASTS, Accounts

    link = secrets.token_urlsafe(24)

    async def work(database: "Database") -> "Account":
        now = datetime.now(UTC)
        return await Accounts(database).add(
            name, is_teacher=is_teacher, link=link, expires_at=now + LINK_LASTS, now=now
        )

    account = _with_database(work)
    click.echo(f"{account.name} sets a password here, once, within {LINK_LASTS.days} days:")
    click.echo(link_at(address, link))


@user.command("link")
@click.argument("name")
@at_address
def renew_link(name: str, address: str) -> None:
    """Print a new one-time link: the old password counts until it is used."""
    from storage.accounts import LINK_LASTS, Accounts

    link = secrets.token_urlsafe(24)

    async def work(database: "Database") -> "Account | None":
        return await Accounts(database).renew_link(name, link=link, expires_at=datetime.now(UTC) + LINK_LASTS)

    account = _with_database(work)
    if account is None:
        raise InvalidInputError(_nobody(name))
    click.echo(link_at(address, link))


@user.command("list")
def list_users() -> None:
    """List the accounts."""
    from storage.accounts import Accounts

    found = _with_database(lambda database: Accounts(database).all())
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
    from agents.adk_sessions import forget_learner as forget_conversations
    from storage.accounts import Accounts, account_name
    from storage.forgetting import forget_learner

    async def work(database: "Database") -> bool:
        known_as = account_name(name)
        was_there = await Accounts(database).remove(known_as)
        if was_there and forget:
            await forget_conversations(load_settings(), known_as)
            await forget_learner(database, known_as)
        return was_there

    if not _with_database(work):
        raise InvalidInputError(_nobody(name))
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
    from storage.accounts import Tokens, account_name

    secret = f"tutor_{secrets.token_urlsafe(32)}"
    _with_database(
        lambda database: Tokens(database).add(
            account_name(name), token=secret, label=label, now=datetime.now(UTC)
        )
    )
    click.echo(secret)


@token.command("list")
@as_user
def list_tokens(name: str) -> None:
    """List a learner's tokens; they themselves are not kept."""
    from storage.accounts import Tokens

    found = _with_database(lambda database: Tokens(database).of(name))
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
    from storage.accounts import Tokens

    if not _with_database(lambda database: Tokens(database).remove(number, user_id=name)):
        raise InvalidInputError(f"{name} has no token {number}. 'tutor token list --user {name}' shows them.")
    click.echo("It no longer works.")


def link_at(address: str, link: str) -> str:
    """The one-time link as a person opens it."""
    return f"{address.rstrip('/')}/invite/{link}"


def _nobody(name: str) -> str:
    return f"There is no account '{name}'. 'tutor user list' shows them."


def _with_database(work: "Callable[[Database], Awaitable[T]]") -> T:
    from storage.database import Database

    async def opened() -> T:
        database = await Database.open(load_settings().database)
        try:
            return await work(database)
        finally:
            await database.close()

    return asyncio.run(opened())
