"""tutor user, tutor token and what tutor serve refuses, as the one who runs a class types them."""

import asyncio
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from agents.bookkeeping import Bookkeeper
from agents.cli import tutor
from storage.accounts import Accounts, Tokens
from storage.database import Database
from storage.errors import ConfigurationError, InvalidInputError
from storage.ledger import Ledger
from tests.support.ledger import ANSWER

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TUTOR_MODEL", "embedded")
    return tmp_path


def run(*arguments: str) -> str:
    return CliRunner().invoke(tutor, arguments, catch_exceptions=False).output


def in_database(folder: Path, *, owner_of: str = "", answers_of: str = "", names: bool = False) -> object:
    async def look() -> object:
        database = await Database.open(f"sqlite:///{folder / 'data' / 'tutor.db'}")
        try:
            if owner_of:
                return await Tokens(database).owner(owner_of)
            if answers_of:
                return len(await Ledger(database, books=Bookkeeper()).of(answers_of))
            return (
                [(each.name, each.is_teacher) for each in await Accounts(database).all()] if names else None
            )
        finally:
            await database.close()

    return asyncio.run(look())


def remember(folder: Path) -> None:
    async def write() -> None:
        database = await Database.open(f"sqlite:///{folder / 'data' / 'tutor.db'}")
        await Ledger(database, books=Bookkeeper()).append(ANSWER)
        await database.close()

    asyncio.run(write())


def test_an_account_is_made_with_a_link_and_closed_again(here: Path) -> None:
    said = run("user", "add", "Tess", "--teacher", "--address", "https://tutor.example.org/")
    run("user", "add", "ada")
    listed = run("user", "list")

    assert re.search(r"^https://tutor\.example\.org/invite/\S{30,}$", said, re.MULTILINE)
    assert in_database(here, names=True) == [("ada", False), ("tess", True)]
    assert "not yet set" in listed
    assert "can no longer sign in" in run("user", "remove", "ada")
    assert in_database(here, names=True) == [("tess", True)]


def test_a_new_link_is_another_one(here: Path) -> None:
    first = run("user", "add", "ada").split()[-1]

    assert run("user", "link", "ada").strip() != first


def test_who_is_removed_is_forgotten_only_when_that_is_asked_for(here: Path) -> None:
    run("user", "add", "ada")
    remember(here)
    run("user", "remove", "ada")
    assert in_database(here, answers_of="ada") == 1

    run("user", "add", "ada")
    run("user", "remove", "ada", "--forget")
    assert in_database(here, answers_of="ada") == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("user", "add", "a b"), "1 to 64 letters"),
        (("user", "remove", "nobody"), "There is no account 'nobody'"),
        (("user", "link", "nobody"), "tutor user list"),
        (("token", "remove", "7"), "has no token 7"),
    ],
)
def test_what_cannot_be_is_told(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(InvalidInputError, match=re.escape(words)):
        run(*arguments)


def test_a_token_is_shown_once_and_removed_by_its_number(here: Path) -> None:
    token = run("token", "add", "--user", "ada", "--label", "my script").strip()
    listed = run("token", "list", "--user", "ada")

    assert in_database(here, owner_of=token) == "ada"
    assert "my script" in listed
    assert token not in listed
    run("token", "remove", "1", "--user", "ada")
    assert in_database(here, owner_of=token) is None


def test_the_tutor_does_not_start_for_others_while_nobody_is_asked_who_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ConfigurationError, match="nobody has an account"):
        run("serve", "--host", "0.0.0.0", "--port", "0")
    with pytest.raises(ConfigurationError, match="nobody has an account"):
        run("serve", "--sign-in", "--port", "0")
    monkeypatch.setenv("TUTOR_PROXY_HEADER", "X-User")
    with pytest.raises(ConfigurationError, match="TUTOR_PROXY_ADDRESSES"):
        run("serve", "--host", "0.0.0.0", "--port", "0")
