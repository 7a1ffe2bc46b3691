"""Signing in and out, and setting a password by a one-time link; tries are limited."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from agents.services import Services
from storage.accounts import Account, Accounts, account_name
from storage.errors import InvalidInputError
from web.access import WHY, address_of, signed_in_as
from web.caller import Text, TurnedAwayError, page

FEWEST_CHARACTERS = 10
_MOST_CHARACTERS = 200  # a longer one would only keep the hash busy
_NO_LINK = "This link was used already, or has expired. Ask your teacher for a new one."
_WRONG = "That name and password do not go together."

_hasher = PasswordHasher()

router = APIRouter(include_in_schema=False)


class Tries:
    """Failed sign-ins of late: few for a name from one address, and not too many from one address at all."""

    MOST_FOR_NAME = 5
    MOST_FROM_ADDRESS = 20
    WINDOW = timedelta(minutes=15)
    _MOST_KEPT = 10_000

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._failed: dict[tuple[str, ...], list[datetime]] = {}

    def wait(self, name: str, address: str) -> timedelta | None:
        """How long until the next try; None when it may come now."""
        now = self._now()
        waits = [
            recent[-most] + self.WINDOW - now
            for key, most in self._limits(name, address)
            if len(recent := self._recent(key)) >= most
        ]
        return max(waits, default=None)

    def failed(self, name: str, address: str) -> None:
        if len(self._failed) >= self._MOST_KEPT:
            self._failed = {key: times for key in list(self._failed) if (times := self._recent(key))}
        for key, _ in self._limits(name, address):
            self._failed[key] = [*self._recent(key), self._now()]

    def succeeded(self, name: str, address: str) -> None:
        self._failed.pop((name, address), None)

    def _limits(self, name: str, address: str) -> list[tuple[tuple[str, ...], int]]:
        return [((name, address), self.MOST_FOR_NAME), ((address,), self.MOST_FROM_ADDRESS)]

    def _recent(self, key: tuple[str, ...]) -> list[datetime]:
        return [each for each in self._failed.get(key, []) if self._now() - each < self.WINDOW]


@router.get("/sign-in", response_class=HTMLResponse)
async def sign_in_page(request: Request, next: str = "/", why: str = "") -> Any:
    if request.state.doors.way != "accounts":
        return RedirectResponse("/", status_code=303)
    return page(request, "sign_in.html", next=_own_path(next), words=WHY.get(why, ""), typed="")


@router.post("/sign-in", response_class=HTMLResponse)
async def sign_in(request: Request, name: Text = "", password: Text = "", next: Text = "/") -> Any:
    services: Services = request.app.state.services
    tries: Tries = request.app.state.tries
    shown = name.strip()[:64]
    known_as, address = shown.lower(), address_of(request)

    def again(words: str, *, status: int, **headers: str) -> Any:
        answer = page(request, "sign_in.html", status=status, next=_own_path(next), words=words, typed=shown)
        answer.headers.update(headers)
        return answer

    wait = tries.wait(known_as, address)
    if wait is not None:
        minutes = max(1, -(-wait.seconds // 60))
        words = f"Too many tries. Wait {minutes} minute{'s' if minutes > 1 else ''}, or ask your teacher for a new link."
        return again(words, status=429, **{"Retry-After": str(minutes * 60)})
    account = await _checked(services, name, password)
    if account is None:
        tries.failed(known_as, address)
        return again(_WRONG, status=401)
    tries.succeeded(known_as, address)
    request.state.visit = signed_in_as(account.name, now=services.now())
    return RedirectResponse(_own_path(next), status_code=303)


@router.post("/sign-out")
async def sign_out(request: Request) -> Any:
    request.state.visit = signed_in_as("", now=request.app.state.services.now())
    return RedirectResponse("/sign-in", status_code=303)


@router.get("/invite/{link}", response_class=HTMLResponse)
async def invite_page(request: Request, link: str) -> Any:
    account = await _invited(request, link)
    return page(request, "invite.html", account=account, fewest=FEWEST_CHARACTERS, words="")


@router.post("/invite/{link}", response_class=HTMLResponse)
async def invite(request: Request, link: str, password: Text = "", again: Text = "") -> Any:
    services: Services = request.app.state.services
    account = await _invited(request, link)
    words = _unfit(password, again, name=account.name)
    if words:
        return page(
            request, "invite.html", status=422, account=account, fewest=FEWEST_CHARACTERS, words=words
        )
    hashed = await asyncio.to_thread(_hasher.hash, password)
    now = services.now()
    # Another tab may have been faster while the hash was made.
    if await Accounts(services.database).use_link(link, password_hash=hashed, now=now) is None:
        raise TurnedAwayError(410, _NO_LINK)
    request.state.visit = signed_in_as(account.name, now=now)
    return RedirectResponse("/", status_code=303)


async def _invited(request: Request, link: str) -> Account:
    services: Services = request.app.state.services
    account = await Accounts(services.database).by_link(link, now=services.now())
    if account is None:
        raise TurnedAwayError(410, _NO_LINK)
    return account


async def _checked(services: Services, name: str, password: str) -> Account | None:
    """The account, where the password is its own."""
    try:
        account = await Accounts(services.database).get(account_name(name))
    except InvalidInputError:
        account = None
    hashed = account.password_hash if account else None
    is_right = await asyncio.to_thread(_verify, hashed or _nobodys(), password[:_MOST_CHARACTERS])
    return account if is_right and hashed else None


@cache
def _nobodys() -> str:
    """Verified where there is no such account, so that an answer takes as long as for one that exists."""
    return _hasher.hash("nobody")


def _verify(hashed: str, password: str) -> bool:
    try:
        return _hasher.verify(hashed, password)
    except VerificationError:
        return False


def _unfit(password: str, again: str, *, name: str) -> str:
    if not FEWEST_CHARACTERS <= len(password) <= _MOST_CHARACTERS:
        return f"A password has {FEWEST_CHARACTERS} to {_MOST_CHARACTERS} characters; a short sentence is a good one."
    if password.strip().lower() == name:
        return "Your name is the first thing that somebody would try. Choose another password."
    return "" if password == again else "The two passwords differ. Type the same one twice."


def _own_path(text: str) -> str:
    """Where to go on: a page of ours, never somebody else's."""
    is_ours = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable()
    return text if is_ours else "/"
