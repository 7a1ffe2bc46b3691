"""Accounts, one-time links and tokens, on both databases."""

from datetime import timedelta

import pytest

from storage.accounts import Account, Accounts, Tokens, account_name, hash_of
from storage.database import Database
from storage.errors import InvalidInputError
from storage.tables import accounts as accounts_table
from storage.tables import api_tokens
from tests.support.ledger import NOW

WEEK = timedelta(days=7)
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def accounts(database: Database) -> Accounts:
    return Accounts(database)


async def invited(accounts: Accounts, name: str = "ada", *, link: str = "link-1") -> Account:
    return await accounts.add(name, is_teacher=False, link=link, expires_at=NOW + WEEK, now=NOW)


async def test_a_new_account_waits_for_its_password(accounts: Accounts) -> None:
    account = await invited(accounts)

    assert (account.name, account.is_teacher, account.password_hash) == ("ada", False, None)
    assert account.link_expires_at == NOW + WEEK
    assert await accounts.all() == [account]


async def test_a_link_sets_the_password_once(accounts: Accounts) -> None:
    await invited(accounts)
    first = await accounts.use_link("link-1", password_hash="argon", now=LATER)
    second = await accounts.use_link("link-1", password_hash="another", now=LATER)

    assert first is not None
    assert (first.password_hash, first.password_set_at) == ("argon", LATER)
    assert second is None
    assert await accounts.by_link("link-1", now=LATER) is None


async def test_a_link_expires(accounts: Accounts) -> None:
    await invited(accounts)

    assert await accounts.by_link("link-1", now=NOW + WEEK) is None
    assert await accounts.use_link("link-1", password_hash="argon", now=NOW + WEEK) is None


async def test_a_renewed_link_replaces_the_old_one_and_keeps_the_password(accounts: Accounts) -> None:
    await invited(accounts)
    await accounts.use_link("link-1", password_hash="argon", now=NOW)
    renewed = await accounts.renew_link("Ada", link="link-2", expires_at=LATER + WEEK)

    assert renewed is not None
    assert renewed.password_hash == "argon"
    assert await accounts.by_link("link-1", now=LATER) is None
    assert await accounts.by_link("link-2", now=LATER) == renewed
    assert await accounts.renew_link("nobody", link="link-3", expires_at=LATER) is None


async def test_a_name_is_taken_once_however_it_is_written(accounts: Accounts) -> None:
    await invited(accounts)
    with pytest.raises(InvalidInputError, match="'ada' already"):
        await invited(accounts, " ADA ", link="link-2")


@pytest.mark.parametrize("name", ["", "  ", "../etc", "a b", "x" * 65, "<b>", "-ada"])
def test_what_cannot_be_a_name_is_told(name: str) -> None:
    with pytest.raises(InvalidInputError, match="1 to 64"):
        account_name(name)


async def test_removing_an_account_takes_its_tokens_along(accounts: Accounts, database: Database) -> None:
    tokens = Tokens(database)
    await invited(accounts)
    await tokens.add("ada", token="t", label="script", now=NOW)

    assert await accounts.remove("ada") is True
    assert await accounts.remove("ada") is False
    assert await tokens.owner("t") is None
    assert await accounts.all() == []


async def test_a_token_is_found_listed_and_removed(database: Database) -> None:
    tokens = Tokens(database)
    kept = await tokens.add("ada", token="t", label=" my script ", now=NOW)

    assert kept.label == "my script"
    assert await tokens.owner("t") == "ada"
    assert await tokens.owner("T") is None
    assert await tokens.of("ada") == [kept]
    assert await tokens.remove(kept.id, user_id="ada") is True
    assert await tokens.owner("t") is None
    assert await tokens.remove(2**40, user_id="ada") is False


async def test_no_secret_is_kept_as_it_is(accounts: Accounts, database: Database) -> None:
    await invited(accounts)
    await Tokens(database).add("ada", token="token-1", label="", now=NOW)
    [account] = await database.fetch(accounts_table.select())
    [token] = await database.fetch(api_tokens.select())

    assert (account.link_hash, token.token_hash) == (hash_of("link-1"), hash_of("token-1"))
    assert "link-1" not in map(str, account)
    assert "token-1" not in map(str, token)
