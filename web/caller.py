"""Who asks for a page, their one ongoing conversation with ADK's Runner, and how a page is put together."""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Form, Request, Response
from fastapi.templating import Jinja2Templates
from google.adk.agents.run_config import RunConfig, StreamingMode  # type: ignore[attr-defined]
from google.adk.artifacts.in_memory_artifact_service import InMemoryArtifactService
from google.adk.events.event import Event
from google.adk.runners import Runner
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig
from google.adk.sessions.session import Session
from google.genai import types
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from agents.adk_sessions import APP_NAME
from agents.agent import build_app
from agents.chosen_model import chosen_at, read_choice
from agents.coordinator.visit import QUESTION_KEY, SAID_IN_KEY, WISH_KEY
from agents.models.choice import is_slow
from agents.pathplanner.offline import day, length
from agents.recent_sessions import RECENT_EVENTS
from agents.screen import DRAWN
from agents.services import Services
from agents.settings import with_choice
from agents.state import SessionState
from agents.teaching.thresholds import exactly, percent, to_go
from storage.corpus import CourseSummary
from web.render import to_html, to_line

logger = logging.getLogger(__name__)

_RECENT = GetSessionConfig(num_recent_events=RECENT_EVENTS)
_NO_EVENTS = GetSessionConfig(num_recent_events=0)
_TROUBLE = "Something went wrong inside the tutor. Nothing that you did is lost: try it once more."


@dataclass(slots=True)
class Running:
    """A turn under way; it goes on when the one who asked closes the window."""

    heard: asyncio.Queue[Event | None] = field(default_factory=asyncio.Queue)
    task: "asyncio.Task[None]" = field(init=False)
    failed: str = ""
    seconds: float = 0.0  # that the Runner took


class Talk:
    """The same app that `adk web` serves, asked directly."""

    def __init__(self, services: Services, *, sessions: BaseSessionService) -> None:
        self.services = services
        self.sessions = sessions
        self.runner = self._runner()
        self._running: dict[str, Running] = {}
        self._chosen_at = chosen_at(services.settings.data_dir)
        self._leaving: set[asyncio.Task[None]] = set()

    def follow_choice(self) -> None:
        """Speak with the model that was chosen since, in this process or another; turns under way end with theirs."""
        moment = chosen_at(self.services.settings.data_dir)
        if moment == self._chosen_at:
            return
        self._chosen_at = moment
        chosen = read_choice(self.services.settings.data_dir)
        if chosen is None or self.services.settings.model_is_set:
            return
        self.services.settings = with_choice(self.services.settings, chosen)
        self.services.model_is_slow = is_slow(self.services.settings)
        old, self.runner = self.runner, self._runner()
        leaving = asyncio.create_task(self._leave(old, [each.task for each in self._running.values()]))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    def _runner(self) -> Runner:
        return Runner(
            app=build_app(self.services),
            session_service=self.sessions,
            artifact_service=InMemoryArtifactService(),
        )

    async def _leave(self, runner: Runner, turns: Sequence["asyncio.Task[None]"]) -> None:
        if turns:
            await asyncio.wait(turns)
        await runner.close()

    async def state(self, user_id: str) -> SessionState:
        """Where the learner is."""
        return SessionState.of((await self.session(user_id, config=_NO_EVENTS)).state)

    async def session(self, user_id: str, *, config: GetSessionConfig = _RECENT) -> Session:
        """The learner's one session, begun at the first visit, with what was said lately."""
        its_id = session_id(user_id)
        found = await self.sessions.get_session(
            app_name=APP_NAME, user_id=user_id, session_id=its_id, config=config
        )
        return found or await self.sessions.create_session(
            app_name=APP_NAME, user_id=user_id, session_id=its_id
        )

    def is_busy(self, user_id: str) -> bool:
        return user_id in self._running

    async def wait(self, user_id: str) -> None:
        """Until the turn that is under way is over."""
        if running := self._running.get(user_id):
            await asyncio.wait([running.task])

    def begin(
        self,
        user_id: str,
        text: str,
        *,
        said_in: str = "button",
        question_id: str = "",
        wish: Mapping[str, str] | None = None,
    ) -> Running:
        """Start a turn; an answer or a button names the question that it is for, so that a stale one is told and not carried out.

        `wish` is what a button stands for ({action, topic, course}): its words are only shown, and never read.
        Turns of one learner queue in the Runner's own plugin.
        """
        self.follow_choice()
        config = RunConfig(
            streaming_mode=StreamingMode.SSE,
            get_session_config=_RECENT,
            max_llm_calls=self.services.settings.max_llm_calls,
            custom_metadata={
                DRAWN: True,
                SAID_IN_KEY: said_in,
                QUESTION_KEY: question_id,
                WISH_KEY: dict(wish or {}),
            },
        )
        running = self._running[user_id] = Running()
        running.task = asyncio.create_task(self._counted(running, user_id, text, config))
        return running

    async def _counted(self, running: Running, user_id: str, text: str, config: RunConfig) -> None:
        with self.services.meter.under_way():
            await self._run(running, user_id, text, config)

    async def _run(self, running: Running, user_id: str, text: str, config: RunConfig) -> None:
        started = time.perf_counter()
        try:
            await self.session(user_id, config=_NO_EVENTS)
            message = types.Content(role="user", parts=[types.Part(text=text)])
            events = self.runner.run_async(
                user_id=user_id, session_id=session_id(user_id), new_message=message, run_config=config
            )
            async with aclosing(events):
                async for event in events:
                    running.heard.put_nowait(event)
        except Exception:
            logger.exception("a turn failed")
            running.failed = _TROUBLE
        finally:
            running.seconds = time.perf_counter() - started
            if self._running.get(user_id) is running:
                del self._running[user_id]
            running.heard.put_nowait(None)

    async def close(self) -> None:
        """What was begun is ended first, also where nobody listens any more."""
        while self._running:
            await asyncio.wait([each.task for each in self._running.values()])
        await asyncio.gather(*self._leaving)
        await self.runner.close()


def session_id(user_id: str) -> str:
    """Turns queue by session id alone, so it must differ from learner to learner."""
    return f"page-{user_id}"


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
# What a course or a learner wrote is Markdown; the renderer makes it safe to show.
_ENVIRONMENT.filters["prose"] = lambda text: Markup(to_html(text))
_ENVIRONMENT.filters["line"] = lambda text: Markup(to_line(text))
# Scores are rounded down, goals are told as they are.
_ENVIRONMENT.filters["percent"] = percent
_ENVIRONMENT.filters["exactly"] = exactly
_ENVIRONMENT.globals["to_go"] = to_go
_ENVIRONMENT.globals["day"], _ENVIRONMENT.globals["length"] = day, length
TEMPLATES = Jinja2Templates(env=_ENVIRONMENT)


def page(request: Request, name: str, *, status: int = 200, **values: Any) -> Response:
    """A whole page."""
    return TEMPLATES.TemplateResponse(request, name, {**_shared(request), **values}, status_code=status)


def fragment(request: Request, name: str, **values: Any) -> str:
    """A part of a page, to take the place of the one that is shown."""
    return _ENVIRONMENT.get_template(name).render({**_shared(request), **values})


def _shared(request: Request) -> dict[str, Any]:
    """What every page needs: who is here, the token that its forms and scripts send back, and the time."""
    services = request.app.state.services
    return {
        "who": request.state.visitor,
        "csrf_token": request.state.csrf_token,
        "here": request.scope["path"],
        "now": services.now(),
        "zone": services.zone,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """A person at the door."""

    user_id: str
    name: str = ""
    is_teacher: bool = False


Text = Annotated[str, Form()]
PLEASE = "Please sign in first."
LOCAL = Visitor(user_id="user", is_teacher=True)  # on loopback there is one person, and it is theirs


class TurnedAwayError(Exception):
    """What somebody may not do, in words for them; shown as a page, or as JSON to a program."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


def chosen_share(typed: str) -> float | None:
    """A percentage as somebody typed it into a form; None where they left it empty."""
    words = typed.strip().removesuffix("%").strip().replace(",", ".")
    if not words:
        return None
    try:
        share = float(words) / 100
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise TurnedAwayError(422, "A goal is a number from 0 to 100, or nothing.")
    return round(share, 4)


async def visitor(request: Request) -> Visitor:
    """Whoever the gate let in."""
    found: Visitor | None = request.state.visitor
    if found is None:
        raise TurnedAwayError(401, PLEASE)
    return found


class Caller:
    """Somebody whom the gate let in, and what is there for them; `user_id` is whose record is read and written."""

    def __init__(self, request: Request, who: Annotated[Visitor, Depends(visitor)]) -> None:
        self.request = request
        self.user_id = who.user_id
        self.is_teacher = who.is_teacher
        self.services: Services = request.app.state.services
        self.talk: Talk = request.app.state.talk

    async def course(self, wanted: str = "") -> CourseSummary:
        """The course that is named, else the first."""
        found = {each.name: each for each in await self.services.library.courses()}
        if not found:
            raise TurnedAwayError(404, "There is no course yet. A teacher adds one.")
        if wanted and wanted not in found:
            raise TurnedAwayError(404, f"There is no course '{wanted}' here. There is: {', '.join(found)}.")
        return found[wanted or next(iter(found))]

    def page(self, name: str, *, status: int = 200, **values: Any) -> Response:
        return page(self.request, name, status=status, **values)


Someone = Annotated[Caller, Depends()]


async def teacher(caller: Someone) -> Caller:
    """A teacher, who sees the class and changes the courses."""
    if not caller.is_teacher:
        raise TurnedAwayError(403, "This is for teachers. What you learn is on your own pages.")
    return caller


Teacher = Annotated[Caller, Depends(teacher)]
