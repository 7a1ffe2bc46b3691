"""What the contract suites share: a store of courses, and learners at a task server over a pipe and over HTTP."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client

from storage.corpus import Corpus
from storage.database import Database
from tests.support.task_clients import HttpWorld, Learner, StdioWorld, World, stdio
from tests.support.task_server import listening, server_arguments


@pytest.fixture
def corpus(database: Database) -> Corpus:
    return Corpus(database)


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture(scope="module")
def tasks_file(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tasks") / "tutor.db"
    file.write_bytes(migrated_sqlite.read_bytes())
    return file


@pytest.fixture(scope="module")
def stdio_world(portal: BlockingPortal, tasks_file: Path) -> Iterator[StdioWorld]:
    with portal.wrap_async_context_manager(Client(stdio(tasks_file))) as client:
        yield StdioWorld(portal, client)


@pytest.fixture(scope="module")
def http_world(portal: BlockingPortal, tasks_file: Path) -> Iterator[HttpWorld]:
    server = listening(*server_arguments(tasks_file), folder=tasks_file.parent)
    with server as url, ExitStack() as open_clients:
        yield HttpWorld(portal, url, open_clients)


@pytest.fixture(scope="module", params=["stdio", "http"])
def world(request: pytest.FixtureRequest) -> World:
    found: World = request.getfixturevalue(f"{request.param}_world")
    return found


@pytest.fixture
def ada(world: World) -> Learner:
    """A learner whom no other test knows."""
    return world.learner(f"ada-{uuid4()}")


@pytest.fixture
def bob(world: World) -> Learner:
    return world.learner(f"bob-{uuid4()}")
