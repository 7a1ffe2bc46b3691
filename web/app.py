"""The web app: wiring only."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agents.adk_sessions import session_service
from agents.glance import begin_glance
from agents.services import Services
from web import api, bank, board, courses, models, studying, teacher, uploads, yours
from web.access import Doors, Gate, Seal, from_our_page, not_readable, own_key, refusal
from web.caller import Talk, TurnedAwayError
from web.operators import Operators

HERE = Path(__file__).parent
# No exceptions: no inline script or style, nothing from elsewhere, no frame around us.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def build_web(
    services: Services, *, doors: Doors | None = None, on_ready: Callable[[], None] = lambda: None
) -> FastAPI:
    """Every page, around one set of services, which the caller closes; without doors, for this machine only.

    `on_ready` is called once everything is open: the first run reads the course before.
    """
    sessions: Any = session_service(services.settings)
    talk = Talk(services, sessions=sessions)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await services.ready()
        on_ready()
        yield
        await neighbourhood.close()
        await talk.close()
        await sessions.close()

    # FastAPI's own documentation pages load scripts from elsewhere.
    web = FastAPI(
        title="Mastery Loop",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(from_our_page)],
    )
    web.state.services = services
    web.state.talk = talk
    web.state.uploads = uploads.Uploads(services)
    web.state.neighbourhood = neighbourhood = models.Neighbourhood(services.settings)
    web.state.tries = yours.Tries(services.now)
    web.add_exception_handler(TurnedAwayError, refusal)
    web.add_exception_handler(RequestValidationError, not_readable)
    web.add_middleware(
        Gate, services=services, doors=doors or Doors(), seal=Seal(own_key(services.settings.data_dir))
    )
    web.add_middleware(Once)
    web.add_middleware(Operators, services=services)
    web.add_middleware(Headers)
    web.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    for part in (board, courses, models, yours, studying, uploads, api, teacher, bank):
        web.include_router(part.router)
    return web


class Once:
    """What a page shows is read once; a turn reads for itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        glance = begin_glance()
        try:
            await self._app(scope, receive, send)
        finally:
            glance.end()


class Headers:
    """Puts our headers on every answer; plain ASGI, so that a stream passes through as it comes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)
