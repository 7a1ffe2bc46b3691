"""What a load balancer and an operator ask: is it alive, may it be sent people, and how is it doing."""

import ipaddress

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from agents.services import Services
from storage.errors import TutorError

_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


class Operators:
    """Answers before anybody is asked who they are: nothing in here is about a learner."""

    def __init__(self, app: ASGIApp, *, services: Services) -> None:
        self._app = app
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._answer(Request(scope)) if scope["type"] == "http" else None
        await (answer or self._app)(scope, receive, send)

    async def _answer(self, request: Request) -> Response | None:
        match request.scope["path"]:
            case "/healthz":
                return PlainTextResponse("alive\n")
            case "/readyz":
                return await self._ready()
            case "/metrics" if _is_near(request):
                return PlainTextResponse(
                    self._services.meter.text(), media_type="text/plain; version=0.0.4; charset=utf-8"
                )
        return None

    async def _ready(self) -> Response:
        """Whether the database answers: without it nobody can be served. Without an index or a model they can."""
        try:
            await self._services.ready()
            await self._services.library.corpus.clock()
        except TutorError as err:
            return PlainTextResponse(f"{err}\n", status_code=503)
        return PlainTextResponse("ready\n")


def _is_near(request: Request) -> bool:
    """From this machine or its own network, and not through the proxy that everybody comes through."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_private
    except ValueError:
        return False
