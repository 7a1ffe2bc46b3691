"""Who asks for a page, and how one is put together."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Form, Request, Response
from fastapi.templating import Jinja2Templates
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from agents.services import Services
from web.render import to_html, to_line
from web.talk import Talk

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

    def page(self, name: str, *, status: int = 200, **values: Any) -> Response:
        return page(self.request, name, status=status, **values)


Someone = Annotated[Caller, Depends()]


async def teacher(caller: Someone) -> Caller:
    """A teacher, who sees the class and changes the courses."""
    if not caller.is_teacher:
        raise TurnedAwayError(403, "This is for teachers. What you learn is on your own pages.")
    return caller


Teacher = Annotated[Caller, Depends(teacher)]
