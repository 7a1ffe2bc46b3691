"""A learner's own: signing in and out, setting a password, and what is kept about them, to see, take away and delete."""

import asyncio
import csv
import html
import io
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from agents.learner_record import said
from agents.mastery_book import refresh_everybody
from agents.models.choice import choose_model
from agents.pathplanner.ics import calendar
from agents.services import Services
from agents.study_plan import study_plan
from agents.teaching.evidence import LedgerRow, standing
from storage.accounts import Account, Accounts, account_name
from storage.errors import InvalidInputError
from storage.learners import records_of
from storage.ledger import ThresholdChoices
from web.access import WHY, address_of, signed_in_as
from web.caller import Someone, Text, TurnedAwayError, chosen_share, page
from web.render import to_html, to_line

FEWEST_CHARACTERS = 10
_MOST_CHARACTERS = 200  # a longer one would only keep the hash busy
_NO_LINK = "This link was used already, or has expired. Ask your teacher for a new one."
_WRONG = "That name and password do not go together."

_hasher = PasswordHasher()

router = APIRouter()


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
async def sign_in(request: Request, username: Text = "", password: Text = "", next: Text = "/") -> Any:
    services: Services = request.app.state.services
    tries: Tries = request.app.state.tries
    shown = username.strip()[:64]
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
    account = await _checked(services, username, password)
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


@router.get("/yours", response_class=HTMLResponse)
async def yours(caller: Someone, deleted: bool = False) -> Response:
    """What is kept, to take away or to delete; and which language model is set."""
    services = caller.services
    choice = choose_model(services.settings)
    return caller.page(
        "yours.html",
        answers=await services.ledger.count(caller.user_id),
        turns=len(await services.sessions.turns(caller.user_id)),
        retention=services.settings.retention_days,
        thresholds=await services.thresholds(caller.user_id),
        courses=await services.library.courses(),
        model=None if choice.family == "embedded" else choice,
        is_deleted=deleted,
    )


@router.post("/yours/threshold")
async def choose_threshold(caller: Someone, threshold: Text = "") -> Response:
    """From when on something is mastered for this learner; empty: as their course or the tutor has it."""
    services = caller.services
    await ThresholdChoices(services.database).choose(
        caller.user_id, threshold=chosen_share(threshold), now=services.now()
    )
    await refresh_everybody(services, user_id=caller.user_id)
    return RedirectResponse("/yours#goal", status_code=303)


@router.get("/yours/export.json")
async def export_json(caller: Someone) -> Response:
    records = await records_of(caller.services.database, caller.user_id)
    kept = {table: rows for table, rows in records.items() if table not in _STAYS}
    found = {"user_id": caller.user_id, "exported_at": caller.services.now().isoformat(), **kept}
    return _download(json.dumps(found, indent=2, ensure_ascii=False), "application/json", "json")


@router.get("/yours/answers.csv")
async def export_csv(caller: Someone) -> Response:
    rows = await caller.services.ledger.of(caller.user_id)
    return _download(answers_csv(rows), "text/csv; charset=utf-8", "csv")


@router.get("/yours/cards.apkg")
async def export_anki(caller: Someone) -> Response:
    titles = {course.name: course.title for course in await caller.services.library.courses()}
    rows = await caller.services.ledger.of(caller.user_id)
    return _download(anki_package(rows, titles=titles), "application/octet-stream", "apkg")


@router.get("/yours/plan.ics")
async def export_calendar(caller: Someone) -> Response:
    """The plan to the learner's goals in the course that they are in, for a calendar."""
    services, state = caller.services, await caller.talk.state(caller.user_id)
    if not state.course:
        raise TurnedAwayError(404, "There is no plan yet: choose a course first.")
    found = await study_plan(services, state, user_id=caller.user_id)
    days = calendar(found, user_id=caller.user_id, now=services.now())
    return _download(days, "text/calendar; charset=utf-8", "ics")


@router.post("/yours/delete")
async def delete(caller: Someone, sure: Text = "") -> Response:
    """Delete everything that is kept about this learner, when they have said that they mean it."""
    if sure != "yes":
        return RedirectResponse("/yours", status_code=303)
    await caller.services.forget(caller.user_id)
    return RedirectResponse("/yours?deleted=true", status_code=303)


def _download(content: str | bytes, media_type: str, ending: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="mastery-loop.{ending}"'}
    return Response(content, media_type=media_type, headers=headers)


_COLUMNS = (
    "answered_at", "course", "topic", "concept_name", "kind", "difficulty", "question_text", "learner_answer",
    "is_correct", "score", "grader", "reason", "expected_answer", "hints", "time_taken_seconds", "action", "amends_id", "id",
)  # fmt: skip
# What questions that are still open expect, and what opens the door.
_STAYS = ("open_lessons", "lesson_places", "api_tokens")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def answers_csv(rows: Sequence[LedgerRow]) -> str:
    """One line an answer, an option by its words; a spreadsheet must not take a learner's words for a formula."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(_COLUMNS)
    for row in rows:
        values = {**asdict(row), "answered_at": row.answered_at.isoformat(), "learner_answer": said(row)}
        table.writerow([_cell(values[name]) for name in _COLUMNS])
    return out.getvalue()


def anki_package(rows: Sequence[LedgerRow], *, titles: dict[str, str]) -> bytes:
    """The questions that were answered, each once, as cards of one deck a course; importing again updates them."""
    import genanki

    model = genanki.Model(
        1607392319,
        "Mastery Loop",
        fields=[{"name": "Question"}, {"name": "Answer"}, {"name": "Source"}],
        templates=[
            {
                "name": "Card",
                "qfmt": "{{Question}}",
                "afmt": '{{FrontSide}}<hr id="answer">{{Answer}}<br><small>{{Source}}</small>',
            }
        ],
    )
    newest = {(row.course, row.question_id): row for row in standing(rows)}
    decks: dict[str, Any] = {}
    for (course, question_id), row in newest.items():
        if course not in decks:
            decks[course] = genanki.Deck(_number(course), f"Mastery Loop::{titles.get(course, course)}")
        options = "".join(f"<li>{to_line(option)}</li>" for option in row.options)
        note = genanki.Note(
            model=model,
            guid=genanki.guid_for(course, question_id),
            fields=[
                to_html(row.question_text) + (f"<ol type='A'>{options}</ol>" if options else ""),
                to_html(row.expected_answer),
                html.escape(f"{row.topic} · {row.concept_name}"),
            ],
        )
        decks[course].add_note(note)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cards.apkg"
        genanki.Package(list(decks.values())).write_to_file(str(path))
        return path.read_bytes()


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _number(course: str) -> int:
    """Anki tells decks apart by a number; the same course has the same one everywhere."""
    return int.from_bytes(sha256(course.encode()).digest()[:4], "big") % (1 << 30) + (1 << 30)
