"""What the tests of the pages share: a data folder with the sample course, read once, and sites on copies of it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from tests.support import pages
from tests.support.site import Site, copy_of, site_in
from tests.support.talk import read_folder
from web import yours
from web.access import Doors


@pytest.fixture(scope="session")
def read_course() -> Path:
    """A folder in which the sample course is read already."""
    return read_folder()


@pytest.fixture
def folder(read_course: Path, tmp_path: Path) -> Path:
    return copy_of(read_course, tmp_path)


@pytest.fixture
async def site(folder: Path) -> AsyncIterator[Site]:
    """The page, and one visitor at it."""
    async with site_in(folder) as opened:
        yield opened


@pytest.fixture(scope="session")
def learnt_course(read_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the learner has mastered one topic already."""
    folder = copy_of(read_course, tmp_path_factory.mktemp("learnt"))

    async def learn() -> None:
        async with site_in(folder) as site:
            await site.start()
            await site.master()

    asyncio.run(learn())
    return folder


@pytest.fixture
async def learnt(learnt_course: Path, tmp_path: Path) -> AsyncIterator[Site]:
    """The page, and a learner who has mastered one topic."""
    async with site_in(copy_of(learnt_course, tmp_path)) as opened:
        yield opened


@pytest.fixture
async def open_site(folder: Path) -> AsyncIterator[pages.OpenSite]:
    """Opens the pages with the doors that a test wants, for people with accounts and programs with tokens."""
    opened: list[pages.Site] = []

    def open_(*, doors: Doors | None = None, **settings: str) -> pages.Site:
        opened.append(pages.Site(folder, doors=doors, **settings))
        return opened[-1]

    yield open_
    for each in opened:
        await each.close()


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real hash, with less memory: a class of test people signs in and out all the time."""
    monkeypatch.setattr(yours, "_hasher", PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))
