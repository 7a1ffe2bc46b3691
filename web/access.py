"""Who may come in: the way in that this server has, the sealed cookie, and the gate that every request passes."""

import hmac
import ipaddress
import os
import re
import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from fastapi import Request
from itsdangerous import BadData, URLSafeSerializer
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agents.services import Services
from storage.accounts import Account, Accounts, Tokens, account_name
from storage.errors import ConfigurationError, InvalidInputError
from web.caller import LOCAL, PLEASE, TurnedAwayError, Visitor, page

Way = Literal["local", "accounts", "proxy"]
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

KEY_FILE = "web.key"
SIGNED_IN_FOR = timedelta(days=14)  # since the last visit
_RENEWED_AFTER = timedelta(days=1)
_PUBLIC = ("/sign-in", "/invite/")
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_HOST = re.compile(r"^(\[[0-9a-fA-F:.]+\]|[^:]+):\d+$")
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")

OUTDATED = "This page is out of date, so nothing was changed. Reload it and try again."
WHY = {
    "expired": "Your sign-in has expired. Sign in again, and you go on where you stopped.",
    "unknown": "That sign-in is none of ours, or no longer. Please sign in.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """How people come in."""

    way: Way = "local"
    header: str = ""  # that names who comes, where a proxy has asked them
    proxies: tuple[Network, ...] = ()  # who is believed when it names a person, or says that it speaks TLS

    def is_proxy(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self.proxies)


def choose_doors(
    *, host: str, has_accounts: bool, header: str = "", addresses: str = "", signs_in: bool = False
) -> Doors:
    """The way in for an address to listen on; beyond loopback there must be one that asks who is there."""
    proxies = tuple(_network(text) for text in addresses.replace(",", " ").split())
    if header:
        if not proxies:
            raise ConfigurationError(
                f"The proxy's header {header} is believed only from listed addresses: set proxy_addresses "
                "(TUTOR_PROXY_ADDRESSES) to those of your proxy."
            )
        return Doors(way="proxy", header=header, proxies=proxies)
    if is_loopback(host) and not signs_in:
        return Doors(way="local", proxies=proxies)
    if not has_accounts:
        raise ConfigurationError(
            f"On {host} others could reach the tutor, and nobody has an account. Make one with 'tutor user add NAME "
            "--teacher', or name the header of an authenticating proxy (proxy_header and proxy_addresses in "
            "adk.yaml), or stay on this machine without --host."
        )
    return Doors(way="accounts", proxies=proxies)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise ConfigurationError(
            f"proxy_addresses has '{text}', which is no address such as 10.0.0.7 or 10.0.0.0/24."
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserVisit:
    """What the cookie says: a visit, and who signed in for it."""

    id: str
    at: datetime
    name: str = ""


class Seal:
    """Signs cookies, and the tokens that our pages send back, with a key of this installation."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._serializer = URLSafeSerializer(key, salt="visit")
        # Cookies know no port: a second tutor on this machine must not take ours for its own.
        self.cookie = f"tutor-{self._digest('cookie')[:8]}"

    def close(self, visit: BrowserVisit) -> str:
        return str(self._serializer.dumps([visit.id, visit.at.isoformat(), visit.name]))

    def open(self, text: str) -> BrowserVisit | None:
        """What was sealed; None where it was not sealed here."""
        try:
            visit_id, at, name = self._serializer.loads(text)
            return BrowserVisit(id=visit_id, at=datetime.fromisoformat(at), name=name)
        except (BadData, ValueError, TypeError):
            return None

    def csrf_token(self, visit: BrowserVisit) -> str:
        return self._digest(f"csrf {visit.id}")

    def _digest(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), "sha256").hexdigest()


def own_key(data_dir: Path) -> bytes:
    """The installation's key, made at the first start; readable by its owner only."""
    file = data_dir / KEY_FILE
    data_dir.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        key = file.read_bytes()
        if len(key) < 32:
            raise ConfigurationError(
                f"{KEY_FILE} in the data folder is broken. Remove it; everybody signs in again."
            ) from None
        return key
    with os.fdopen(descriptor, "wb") as stream:
        key = secrets.token_bytes(32)
        stream.write(key)
    return key


class Gate:
    """Finds out who comes, and lets nobody in who may not; plain ASGI, so that a stream passes as it comes."""

    def __init__(self, app: ASGIApp, *, services: Services, doors: Doors, seal: Seal) -> None:
        self._app = app
        self._services = services
        self._doors = doors
        self._seal = seal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        state, path = request.state, scope["path"]
        state.visitor, state.csrf_token, state.by_token, state.doors = None, "", False, self._doors
        try:
            self._refuse_strangers(request)
            if path.startswith("/static/"):
                await self._app(scope, receive, send)
                return
            await self._services.ready()
            why = await self._recognise(request)
        except TurnedAwayError as refused:
            await (await refusal(request, refused))(scope, receive, send)
            return
        state.csrf_token = self._seal.csrf_token(state.visit)
        is_welcome = state.visitor is not None or path.startswith(_PUBLIC)
        answer = self._app if is_welcome else self._to_sign_in(request, why)
        await answer(scope, receive, self._sealing(request, send))

    def _refuse_strangers(self, request: Request) -> None:
        """On loopback everybody who reaches us is the one learner, so only this machine may."""
        if self._doors.way != "local":
            return
        if not is_loopback(peer(request)) or any(name in request.headers for name in _FORWARDED):
            raise TurnedAwayError(
                403,
                "This tutor has no sign-in and serves this machine only. To reach it from elsewhere or through a "
                "proxy, start it with 'tutor serve --sign-in' or with proxy_header in adk.yaml.",
            )
        if not is_loopback(_HOST.sub(r"\1", request.headers.get("host", ""))):
            # A page elsewhere may have pointed its own name at this machine.
            raise TurnedAwayError(403, "This tutor answers to 127.0.0.1 and localhost only.")

    async def _recognise(self, request: Request) -> str:
        """Note in the request's state which visit this is and whose; returns why somebody is not let in any more."""
        state, now = request.state, self._services.now()
        sealed = request.cookies.get(self._seal.cookie, "")
        known = self._seal.open(sealed) if sealed else None
        expired = known is not None and now - known.at > SIGNED_IN_FOR
        visit = state.visit = known if known and not expired else signed_in_as("", now=now)
        if request.scope["path"].startswith("/api/") and "authorization" in request.headers:
            state.visitor, state.by_token = await self._by_token(request), True
        elif self._doors.way == "local":
            state.visitor = LOCAL
        elif self._doors.way == "proxy":
            state.visitor = await self._by_proxy(request)
        elif account := await self._signed_in(visit):
            state.visitor = _visitor(account.name, account)
            # Who comes often stays signed in.
            state.visit = replace(visit, at=now) if now - visit.at > _RENEWED_AFTER else visit
        else:
            state.visit = replace(visit, name="")
            was_somebody = known.name if known else sealed
            return ("expired" if expired else "unknown") if was_somebody else ""
        return ""

    async def _signed_in(self, visit: BrowserVisit) -> Account | None:
        """The account, where its password is still the one that this visit began with."""
        account = await Accounts(self._services.database).get(visit.name) if visit.name else None
        if account is None or account.password_set_at is None or visit.at < account.password_set_at:
            return None
        return account

    async def _by_proxy(self, request: Request) -> Visitor:
        if not self._doors.is_proxy(peer(request)):
            raise TurnedAwayError(403, "This tutor is reached through its proxy only.")
        said = request.headers.get(self._doors.header, "")
        try:
            name = account_name(said)
        except InvalidInputError:
            raise TurnedAwayError(
                401, f"The proxy did not say who you are (header {self._doors.header})."
            ) from None
        return _visitor(name, await Accounts(self._services.database).get(name))

    async def _by_token(self, request: Request) -> Visitor:
        kind, _, token = request.headers["authorization"].partition(" ")
        owner = (
            await Tokens(self._services.database).owner(token.strip()) if kind.lower() == "bearer" else None
        )
        if owner is None:
            raise TurnedAwayError(
                401, "That token is none of ours, or no longer. 'tutor token add' makes one."
            )
        account = await Accounts(self._services.database).get(owner)
        if self._doors.way == "local" and owner == LOCAL.user_id:
            return LOCAL
        if self._doors.way == "accounts" and account is None:
            raise TurnedAwayError(401, "The account of that token was closed.")
        return _visitor(owner, account)

    def _to_sign_in(self, request: Request, why: str) -> Response:
        is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        if not is_page or request.scope["path"].startswith("/api/"):
            return JSONResponse({"message": WHY.get(why, PLEASE)}, status_code=401)
        query = request.scope["query_string"].decode("latin-1")
        here = request.scope["path"] + (f"?{query}" if query else "")
        return RedirectResponse(
            f"/sign-in?next={quote(here)}" + (f"&why={why}" if why else ""), status_code=303
        )

    def _sealing(self, request: Request, send: Send) -> Send:
        """Sends the cookie along wherever it is not the one that came."""
        came = request.cookies.get(self._seal.cookie, "")

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and not request.state.by_token:
                sealed = self._seal.close(request.state.visit)
                if sealed != came:
                    carrier = Response()
                    carrier.set_cookie(
                        self._seal.cookie,
                        sealed,
                        max_age=int(SIGNED_IN_FOR.total_seconds()),
                        httponly=True,
                        samesite="lax",
                        secure=is_secure(request),
                    )
                    MutableHeaders(scope=message).append("set-cookie", carrier.headers["set-cookie"])
            await send(message)

        return sending


def peer(request: HTTPConnection) -> str:
    """The address at the other end of the wire."""
    return request.client.host if request.client else ""


def address_of(request: Request) -> str:
    """Where a person sits: beyond the proxy, where a listed one says so."""
    doors: Doors = request.state.doors
    said = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    return said if said and doors.is_proxy(peer(request)) else peer(request)


def is_secure(request: Request) -> bool:
    """Whether the person's browser speaks TLS, with us or with a listed proxy."""
    if request.scope["scheme"] == "https":
        return True
    doors: Doors = request.state.doors
    return request.headers.get("x-forwarded-proto") == "https" and doors.is_proxy(peer(request))


async def from_our_page(request: Request) -> None:
    """A change is asked for by one of our own pages, which sends its token back, or by a program with its own."""
    if request.method in _SAFE or request.state.by_token:
        return
    sent = request.headers.get("x-csrf-token", "")
    # Files come with the header: what they bring is not read before it is known who sends it.
    if not sent and request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        sent = str((await request.form()).get("csrf_token", ""))
    if not hmac.compare_digest(sent.encode(), request.state.csrf_token.encode()):
        raise TurnedAwayError(403, OUTDATED)


def signed_in_as(name: str, *, now: datetime) -> BrowserVisit:
    """A new visit, so that nobody who knew the old one shares it."""
    return BrowserVisit(id=secrets.token_urlsafe(16), at=now, name=name)


async def not_readable(request: Request, refused: Any) -> Response:
    """What is wrong with a request, without what it held: that may be no text at all."""
    told = [{name: each[name] for name in ("type", "loc", "msg")} for each in refused.errors()]
    return JSONResponse({"detail": told}, status_code=422)


async def refusal(request: Request, refused: Any) -> Response:
    """A refusal as whoever asked can read it."""
    if request.scope["path"].startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        return JSONResponse({"message": refused.words}, status_code=refused.status)
    return page(request, "refused.html", who=None, status=refused.status, words=refused.words)


def _visitor(name: str, account: Account | None) -> Visitor:
    return Visitor(user_id=name, name=name, is_teacher=account is not None and account.is_teacher)
