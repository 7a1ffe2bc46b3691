"""What all tests share: real databases, made quickly."""

import asyncio
import shutil
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from storage.database import Database


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real PostgreSQL server, started once."""
    with warnings.catch_warnings():
        # platformdirs remarks on a missing XDG_RUNTIME_DIR.
        warnings.simplefilter("ignore")
        pgserver = pytest.importorskip("pgserver", reason="PostgreSQL tests need the pgserver wheel")
    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="delete")
    # Nobody needs these databases after a crash.
    server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """The name of a migrated PostgreSQL database to copy."""
    return asyncio.run(_migrated_postgres(postgres_server))


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    asyncio.run(_migrate(f"sqlite:///{file}"))
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database that nobody has opened yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tutor.db'}"
    server: str = request.getfixturevalue("postgres_server")
    return asyncio.run(_new_postgres(server, template="template0"))


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a migrated database without rows."""
    if request.param == "sqlite":
        file = shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "tutor.db")
        return f"sqlite:///{file}"
    template: str = request.getfixturevalue("postgres_template")
    return asyncio.run(_new_postgres(request.getfixturevalue("postgres_server"), template=template))


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated database without rows, on each kind of server."""
    opened = await Database.open(database_url)
    yield opened
    await opened.close()


async def _migrate(url: str) -> None:
    await (await Database.open(url)).close()


async def _migrated_postgres(server: str) -> str:
    url = await _new_postgres(server, template="template0")
    await _migrate(url)
    return url.split("/")[3].split("?")[0]


async def _new_postgres(server: str, *, template: str) -> str:
    import asyncpg

    name = f"test_{uuid4().hex}"
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    finally:
        await connection.close()
    return server.replace("/postgres?", f"/{name}?")
