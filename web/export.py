"""Everything that is kept about a learner, to take away: JSON, CSV, and cards for Anki."""

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

from agents.record import said
from agents.services import Services
from agents.teaching.evidence import standing
from storage.ledger import Evidence
from storage.study_tasks import StudyTasks
from storage.tasks import Tasks
from web.render import to_html, to_line

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
