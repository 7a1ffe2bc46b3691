"""What a person reads when a PostgreSQL server cannot be used."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from storage.database import Database
from storage.errors import StorageError


async def refusal(url: str) -> str:
    """The message, which must not tell the password."""
    with pytest.raises(StorageError) as failure:
        await Database.open(url)
    message = str(failure.value)
    assert "s3cret" not in message
    assert "Traceback" not in message
    return message


async def test_a_server_that_is_down_is_explained() -> None:
    message = await refusal("postgresql://ada:s3cret@127.0.0.1:1/tutor")

    assert message.startswith("The PostgreSQL server at 127.0.0.1:1 does not answer. Start the server")


async def test_a_missing_socket_is_explained(tmp_path: Path) -> None:
    assert "does not answer" in await refusal(f"postgresql://ada:s3cret@/tutor?host={tmp_path}")


async def test_a_database_that_does_not_exist_is_explained(postgres_server: str) -> None:
    assert "has no such database" in await refusal(postgres_server.replace("/postgres?", "/nowhere?"))


async def test_a_user_that_does_not_exist_is_explained(postgres_server: str) -> None:
    assert "refuses the login" in await refusal(postgres_server.replace("postgres:@", "nobody:s3cret@"))


async def test_a_wrong_password_is_explained(postgres_server: str) -> None:
    url = postgres_server.replace("postgres:@", "guarded:s3cret@")
    await _ask_for_a_password(postgres_server, guarded=url)

    assert "Correct user and password" in await refusal(url)


async def test_a_user_that_may_not_create_tables_is_explained(postgres_server: str) -> None:
    connection = await asyncpg.connect(postgres_server)
    await connection.execute("CREATE ROLE visitor LOGIN")
    await connection.close()

    assert "Grant it the right" in await refusal(postgres_server.replace("postgres:@", "visitor:s3cret@"))


async def _ask_for_a_password(server: str, *, guarded: str) -> None:
    [folder] = parse_qs(urlsplit(server).query)["host"]
    rules = Path(folder) / "pg_hba.conf"
    rules.write_text(f"local all guarded scram-sha-256\n{rules.read_text()}")
    connection = await asyncpg.connect(server)
    await connection.execute("CREATE ROLE guarded LOGIN PASSWORD 'another'; SELECT pg_reload_conf()")
    await connection.close()
    # The server reads the new rules in its own time.
    for _ in range(500):
        try:
            await (await asyncpg.connect(guarded)).close()
        except asyncpg.InvalidPasswordError:
            return
    pytest.fail("the server did not take the new rules")
