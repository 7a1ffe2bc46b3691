"""Who may come in: tutor user and tutor token."""

import asyncio
import secrets
from datetime import UTC, datetime

import click
from rich.console import Console
from rich.table import Table

from agents.commands.safekeeping import forget_everywhere
from agents.commands.setup import on_database
from agents.settings import load_settings
from storage.accounts import LINK_LASTS, Accounts, Tokens, account_name
from storage.errors import InvalidInputError

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
        asyncio.run(forget_everywhere(load_settings(), known_as))
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
