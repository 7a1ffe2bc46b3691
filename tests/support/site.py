"""The web app as a visitor meets it: over ASGI, or on a real port of loopback."""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from bs4 import BeautifulSoup, Tag
from fastapi import FastAPI, Request

from agents.adk_sessions import APP_NAME, session_service
from agents.services import Services
from agents.state import SessionState
from agents.teaching.values import QuizQuestion
from tests.support.folders import copy_folder
from tests.support.talk import settings_in
from web.app import build_web
from web.caller import Visitor, session_id, visitor


@dataclass
class Site:
    """A running app and a client at its door."""

    web: FastAPI
    services: Services
    client: httpx.AsyncClient

    async def see(self, address: str, **options: Any) -> BeautifulSoup:
        response = await self.client.get(address, **options)
        assert response.status_code == 200, (address, response.status_code, response.text[:300])
        return BeautifulSoup(response.text, "html.parser")

    async def say(self, text: str, *, said_in: str = "button", question_id: str = "") -> dict[str, Any]:
        """One turn as our script takes it; returns what the stream brought, by the event's name."""
        form = {"text": text, "said_in": said_in, "question_id": question_id}
        response = await self.client.post("/study/say", data=form, headers={"Accept": "text/event-stream"})
        assert response.status_code == 200, response.text
        return dict(events(response.text))

    async def start(self, topic: str = "ROS 2 topics", *, course: str = "physical-ai", **more: str) -> None:
        response = await self.client.post("/study/start", data={"course": course, "topic": topic, **more})
        assert response.status_code == 303

    async def answer(self, *, right: bool = True) -> dict[str, Any]:
        state = await self.state()
        question = state.pending_question
        assert question is not None
        verdict = "yes" if right else "no"
        text = verdict if state.self_check_answer else given(question, right=right)
        return await self.say(text, said_in="answer", question_id=question.question_id)

    async def master(self) -> dict[str, Any]:
        """Answer until the topic is mastered; returns what the last turn brought."""
        heard: dict[str, Any] = {}
        for _ in range(12):
            if (await self.state()).pending_question is None:
                break
            heard = await self.answer()
        return heard

    async def state(self, user_id: str = "user") -> SessionState:
        session = await self.web.state.talk.session(user_id)
        return SessionState.of(session.state)


def given(question: QuizQuestion, *, right: bool) -> str:
    """What the control of a question would send."""
    if question.kind == "multiple_choice":
        letters = {option: letter for letter, option in zip("ABCDEFG", question.options, strict=False)}
        wrong = next(option for option in question.options if option != question.expected_answer)
        return letters[question.expected_answer if right else wrong]
    if question.kind == "true_false" and not right:
        return "false" if question.expected_answer.lower() == "true" else "true"
    return question.expected_answer if right else "purple elephants"


def events(stream: str) -> Iterator[tuple[str, Any]]:
    for block in stream.strip().split("\n\n"):
        name, data = block.split("\n", 1)
        yield name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def addresses(web: FastAPI) -> set[str]:
    """Every "METHOD /path" that the app answers, beside its static files."""
    routes: list[Any] = []
    for route in web.routes:
        # FastAPI resolves an included router when it is asked for it.
        resolve = getattr(route, "effective_route_contexts", None)
        routes += resolve() if resolve else [route]
    return {f"{method} {route.path}" for route in routes for method in getattr(route, "methods", None) or ()}


def soup(html: str) -> BeautifulSoup:
    return BeautifulSoup(html, "html.parser")


def words(part: Tag | None) -> str:
    assert part is not None
    return " ".join(part.get_text(" ").split())


def app_in(folder: Path, **settings: str) -> tuple[FastAPI, Services]:
    """An app on a data folder; whoever sends a cookie `who` is that learner."""
    services = Services(settings_in(folder, settings))
    web = build_web(services)

    async def by_cookie(request: Request) -> Visitor:
        request.state.visitor = Visitor(user_id=request.cookies.get("who", "user"), is_teacher=True)
        return request.state.visitor

    web.dependency_overrides[visitor] = by_cookie
    return web, services


@asynccontextmanager
async def site_in(folder: Path, **settings: str) -> AsyncIterator[Site]:
    web, services = app_in(folder, **settings)
    transport = httpx.ASGITransport(app=web)
    async with (
        web.router.lifespan_context(web),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client,
    ):
        site = Site(web=web, services=services, client=client)
        page = await site.see("/yours")
        [token] = page.select('meta[name="csrf-token"]')
        client.headers["X-CSRF-Token"] = str(token["content"])  # as our script sends it
        yield site
    await services.close()


@contextmanager
def served(folder: Path, **settings: str) -> Iterator[str]:
    """The app on a port of loopback, in a thread of its own; its address."""
    with on_a_port(*app_in(folder, **settings)) as (address, _):
        yield address


@contextmanager
def on_a_port(web: FastAPI, services: Services) -> Iterator[tuple[str, asyncio.AbstractEventLoop]]:
    """An app in a thread of its own: its address, and the loop that it runs in."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(web, log_level="warning", ws="none"))
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        await server.serve(sockets=[listening])
        await services.close()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        # The port is open, so whoever comes before the app is ready waits for it.
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", loop
    finally:
        server.should_exit = True
        thread.join(30)
        loop.close()
        listening.close()


def copy_of(template: Path, folder: Path) -> Path:
    copy_folder(template / "data", folder / "data")
    return folder


async def stored_state(folder: Path, user_id: str = "user") -> Mapping[str, Any]:
    """What the session holds, read beside the running app."""
    sessions = session_service(settings_in(folder, {}))
    session = await sessions.get_session(app_name=APP_NAME, user_id=user_id, session_id=session_id(user_id))
    return session.state if session else {}
