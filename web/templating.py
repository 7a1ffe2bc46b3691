"""How a page is put together."""

from pathlib import Path
from typing import Any

from fastapi import Request, Response
from fastapi.templating import Jinja2Templates
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from web.render import to_html, to_line

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
