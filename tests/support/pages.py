"""A web app over a small real course, and people at it over HTTP."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from agents.services import Services
from storage.accounts import Accounts, Tokens
from tests.support.talk import settings_in
from web.access import Doors
from web.app import build_web

HOME = "http://127.0.0.1:8000"
PASSWORD = "correct horse battery"
_TOKEN = re.compile(r'name="csrf-token" content="([0-9a-f]+)"')


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def passes(self, **span: float) -> None:
        self.time += timedelta(**span)


class Site:
    """The app on a folder of its own, and its visitors."""

    def __init__(self, folder: Path, *, doors: Doors | None = None, **settings: str) -> None:
        self.clock = Clock()
        self.services = Services(settings_in(folder, settings), now=self.clock)
        self.web: FastAPI = build_web(self.services, doors=doors)
        self._people: list[Person] = []

    def person(self, *, address: str = "127.0.0.1", home: str = HOME, **options: Any) -> "Person":
        """Somebody with a browser of their own."""
        transport = httpx.ASGITransport(app=self.web, client=(address, 50000))
        found = Person(transport=transport, base_url=home, headers={"accept": "text/html"}, **options)
        self._people.append(found)
        return found

    async def account(self, name: str, *, is_teacher: bool = False) -> str:
        """Make an account; returns the path of its one-time link."""
        await self.services.ready()
        now = self.clock()
        await Accounts(self.services.database).add(
            name, is_teacher=is_teacher, link=f"link-of-{name}", expires_at=now + timedelta(days=7), now=now
        )
        return f"/invite/link-of-{name}"

    async def member(self, name: str, *, is_teacher: bool = False) -> "Person":
        """Somebody with an account, who has come in by their link."""
        person = self.person()
        link = await self.account(name, is_teacher=is_teacher)
        came_in = await person.submit(link, {"password": PASSWORD, "again": PASSWORD}, on=link)
        assert came_in.status_code == 303, came_in.text
        return person

    async def program(self, user_id: str) -> httpx.AsyncClient:
        """A program with a token in somebody's name."""
        await self.services.ready()
        await Tokens(self.services.database).add(
            user_id, token=f"token-of-{user_id}", label="", now=self.clock()
        )
        found = self.person()
        found.headers = httpx.Headers({"authorization": f"Bearer token-of-{user_id}"})
        return found

    async def close(self) -> None:
        for person in self._people:
            await person.aclose()
        await self.web.state.talk.close()
        await self.services.close()


class Person(httpx.AsyncClient):
    """A browser: it keeps cookies, and sends back what our pages' forms hold."""

    async def token(self, page: str = "/") -> str:
        found = _TOKEN.search((await self.get(page)).text)
        assert found, f"no token on {page}"
        return found.group(1)

    async def submit(self, path: str, values: dict[str, str], *, on: str = "/") -> httpx.Response:
        """Send a form that stands on a page of ours."""
        return await self.post(path, data={**values, "csrf_token": await self.token(on)})


OpenSite = Callable[..., Site]
