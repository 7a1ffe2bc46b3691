"""What is kept about a learner: to see, to take away, to delete."""

import csv
import html
import io
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from agents.learner_record import said
from agents.models.choice import choose_model
from agents.services import Services
from agents.teaching.evidence import standing
from storage.ledger import Evidence
from storage.tasks import StudyTasks, Tasks
from web.caller import Someone, Text
from web.render import to_html, to_line

router = APIRouter()


@router.get("/yours", response_class=HTMLResponse)
async def yours(caller: Someone, deleted: bool = False) -> Response:
    """What is kept, to take away or to delete; and which language model is set."""
    services = caller.services
    choice = choose_model(services.settings)
    return caller.page(
        "yours.html",
        answers=len(await services.ledger.of(caller.user_id)),
        turns=len(await services.sessions.turns(caller.user_id)),
        retention=services.settings.retention_days,
        model=None if choice.family == "embedded" else choice,
        is_deleted=deleted,
    )


@router.get("/yours/export.json")
async def export_json(caller: Someone) -> Response:
    return _download(await everything(caller.services, caller.user_id), "application/json", "json")


@router.get("/yours/answers.csv")
async def export_csv(caller: Someone) -> Response:
    rows = await caller.services.ledger.of(caller.user_id)
    return _download(answers_csv(rows), "text/csv; charset=utf-8", "csv")


@router.get("/yours/cards.apkg")
async def export_anki(caller: Someone) -> Response:
    titles = {course.name: course.title for course in await caller.services.library.courses()}
    rows = await caller.services.ledger.of(caller.user_id)
    return _download(anki_package(rows, titles=titles), "application/octet-stream", "apkg")


@router.post("/yours/delete")
async def delete(caller: Someone, sure: Text = "") -> Response:
    """Delete everything that is kept about this learner, when they have said that they mean it."""
    if sure != "yes":
        return RedirectResponse("/yours", status_code=303)
    await caller.talk.forget(caller.user_id)
    return RedirectResponse("/yours?deleted=true", status_code=303)


def _download(content: str | bytes, media_type: str, ending: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="mastery-loop.{ending}"'}
    return Response(content, media_type=media_type, headers=headers)


_COLUMNS = (
    "answered_at", "course", "topic", "concept_name", "kind", "difficulty", "question_text", "learner_answer",
    "is_correct", "score", "grader", "reason", "expected_answer", "hints", "time_taken_seconds", "action", "amends_id", "id",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


async def everything(services: Services, user_id: str) -> str:
    """All rows of a learner, as JSON."""
    learners = services.learners
    courses = [course.name for course in await services.library.courses()]
    found = {
        "user_id": user_id,
        "exported_at": services.now().isoformat(),
        "answers": _rows(await services.ledger.of(user_id)),
        "mastery": _rows(await learners.mastery(user_id)),
        "cycles": _rows(await learners.cycles(user_id)),
        "diagnostics": _rows(await learners.diagnostics(user_id)),
        "gaps": _rows(await learners.gaps(user_id, include_resolved=True)),
        "goals": {course: list(await learners.goals(user_id, course=course)) for course in courses},
        "tasks": _rows(await Tasks(services.database).list(user_id, now=services.now())),
        "study_tasks": _rows(await StudyTasks(services.database).of(user_id)),
        "conversations": _rows(await services.sessions.turns(user_id)),
    }
    return json.dumps(found, default=_plain, indent=2, ensure_ascii=False)


def answers_csv(rows: Sequence[Evidence]) -> str:
    """One line an answer, an option by its words; a spreadsheet must not take a learner's words for a formula."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(_COLUMNS)
    for row in rows:
        values = {**asdict(row), "learner_answer": said(row)}
        table.writerow([_cell(values[name]) for name in _COLUMNS])
    return out.getvalue()


def anki_package(rows: Sequence[Evidence], *, titles: dict[str, str]) -> bytes:
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


def _rows(found: Sequence[Any]) -> list[dict[str, Any]]:
    return [asdict(each) for each in found]


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else dict(value)


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _number(course: str) -> int:
    """Anki tells decks apart by a number; the same course has the same one everywhere."""
    return int.from_bytes(sha256(course.encode()).digest()[:4], "big") % (1 << 30) + (1 << 30)
