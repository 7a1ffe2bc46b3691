"""Addresses as people write them."""

import sys

import pytest
from sqlalchemy import make_url

from storage.engines import normalised, place_of
from storage.errors import ConfigurationError


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("sqlite:///tutor.db", "sqlite+aiosqlite:///tutor.db"),
        ("sqlite:////var/tutor.db", "sqlite+aiosqlite:////var/tutor.db"),
        ("sqlite+aiosqlite:///tutor.db", "sqlite+aiosqlite:///tutor.db"),
        ("postgresql://u:p@h:5433/d", "postgresql+asyncpg://u:p@h:5433/d"),
        ("postgres://h/d", "postgresql+asyncpg://h/d"),
        ("postgresql+asyncpg://h/d", "postgresql+asyncpg://h/d"),
        ("sqlite:///file:t.db?mode=ro&uri=true", "sqlite+aiosqlite:///file:t.db?mode=ro&uri=true"),
        ("postgres://h/d?sslmode=require&channel_binding=require", "postgresql+asyncpg://h/d?ssl=require"),
    ],
)
def test_an_address_gets_its_driver(written: str, meant: str) -> None:
    assert normalised(written) == make_url(meant)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "tutor.db",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite://tutor.db",
        "sqlite:///tutor.db?mode=ro",
        "sqlite:///tutor.db?timout=5",
        "sqlite:///tutor.db?timeout=soon",
        "postgresql://u:s3cret@h/d?pool=5",
        "mysql://u:s3cret@h/d",
        "postgresql://u:s3cret@h:port/d",
    ],
)
def test_an_address_that_cannot_be_used_says_what_to_write(written: str) -> None:
    with pytest.raises(ConfigurationError, match="TUTOR_DATABASE_URL") as failure:
        normalised(written)

    assert "s3cret" not in str(failure.value)


def test_postgresql_without_its_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)

    with pytest.raises(ConfigurationError, match=r'pip install "mastery-loop\[postgres\]"'):
        normalised("postgresql://h/d")


def test_messages_name_a_place_without_folder_user_or_password() -> None:
    assert place_of(normalised("sqlite:////home/ada/tutor.db")) == "the database file tutor.db"
    assert (
        place_of(normalised("postgres://ada:s3cret@db.example/d"))
        == "the PostgreSQL server at db.example:5432"
    )
