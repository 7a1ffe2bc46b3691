"""What all tests share: real databases, made quickly."""

import asyncio
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings

from storage.database import Database
from storage.tables import metadata

# How long an example takes says how busy the machine is.
settings.register_profile("ours", deadline=None)
settings.load_profile("ours")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a real PostgreSQL server, started once."""
    with warnings.catch_warnings():
        # platformdirs remarks on a missing XDG_RUNTIME_DIR.
        warnings.simplefilter("ignore")
        pgserver = pytest.importorskip("pgserver", reason="PostgreSQL tests need the pgserver wheel")
    # Not in pytest's folder, which every other pytest run closes to PostgreSQL's own system user.
    folder = tempfile.mkdtemp(prefix="tutor-postgres-")
    try:
        server = pgserver.get_server(folder, cleanup_mode="delete")
    except subprocess.TimeoutExpired:
        # It waits ten seconds, which a busy machine may need; the server is up by now.
        server = pgserver.get_server(folder, cleanup_mode="delete")
    # Nobody needs these databases after a crash.
    server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str) -> str:
    """The address of a PostgreSQL database that tests empty and use in turn."""
    url = asyncio.run(_new_postgres(postgres_server))
    asyncio.run(_migrate(url))
    return url


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    asyncio.run(_migrate(f"sqlite:///{file}"))
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database that nobody has opened yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tutor.db'}"
    return asyncio.run(_new_postgres(request.getfixturevalue("postgres_server")))


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a migrated database without rows."""
    if request.param == "sqlite":
        file = shutil.copy(request.getfixturevalue("migrated_sqlite"), tmp_path / "tutor.db")
        return f"sqlite:///{file}"
    # Emptied rather than made anew: CREATE DATABASE takes up to half a second.
    url: str = request.getfixturevalue("migrated_postgres")
    asyncio.run(_empty_postgres(url))
    return url


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated database without rows, on each kind of server."""
    opened = await Database.open(database_url)
    yield opened
    await opened.close()


async def _migrate(url: str) -> None:
    await (await Database.open(url)).close()


async def _new_postgres(server: str) -> str:
    name = f"test_{uuid4().hex}"
    await _execute_on_postgres(server, f"CREATE DATABASE {name} TEMPLATE template0")
    return server.replace("/postgres?", f"/{name}?")


async def _empty_postgres(url: str) -> None:
    tables = ", ".join(metadata.tables)
    clock = f"INSERT INTO corpus_clock (id, database_id, revision) VALUES (1, '{uuid4()}', 0)"
    await _execute_on_postgres(url, f"TRUNCATE {tables} RESTART IDENTITY; {clock}")


async def _execute_on_postgres(url: str, sql: str) -> None:
    import asyncpg

    connection = await asyncpg.connect(url)
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
