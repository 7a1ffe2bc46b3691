"""The HTTP API: the same tutor for programs, under the same rules. docs/api.md describes it for people."""

import json
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from string import ascii_uppercase
from typing import Any

from fastapi import APIRouter, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from agents.mastery_book import refresh_mastery
from agents.record import load_record, said
from agents.services import Services
from agents.state import SessionState
from agents.teaching.evidence import BEFORE_LESSONS
from storage.ledger import Evidence
from web.board import start_board
from web.study import text_of
from web.studying import Running, Studying, without_course
from web.who import Someone, TurnedAwayError

router = APIRouter(prefix="/api", tags=["tutor"])

MOST_CHARACTERS = 16_000


class Refusal(BaseModel):
    """What went wrong, in words."""

    message: str


class TurnRequest(BaseModel):
    """One message of the learner."""

    model_config = ConfigDict(extra="forbid")

    message: str = Field(min_length=1, max_length=MOST_CHARACTERS)
    course: str = Field(
        default="", description="Switch to this course first; empty: go on in the current one."
    )
    question_id: str = Field(
        default="",
        description="The question that this answers; an answer to an older one is told, not graded.",
    )


class Option(BaseModel):
    """One option of a question."""

    send: str = Field(description="What to send as the message.")
    text: str


class OpenQuestion(BaseModel):
    """The question that waits for an answer; it holds nothing that answers it."""

    question_id: str
    text: str
    kind: str
    number: int
    total: int | None = Field(description="None while a diagnostic finds its way.")
    options: list[Option]


class Mark(BaseModel):
    """How the answer of this turn was judged."""

    question_id: str
    answer: str
    is_correct: bool
    score: float
    reason: str
    expected_answer: str = Field(description="Only here: the answer is in.")


class ConceptStanding(BaseModel):
    """How a concept stands."""

    name: str = Field(description="Empty in a turn's view while a question is open: it may be the answer.")
    score: float = Field(description="The chance that the next question about it is answered right, 0 to 1.")
    is_mastered: bool
    review_due_at: datetime | None = None


class Place(BaseModel):
    """Where the learner is."""

    course: str
    topic: str
    round: int
    most_rounds: int
    threshold: float
    concepts: list[ConceptStanding]


class TurnView(BaseModel):
    """What stands after a turn."""

    answer: str = Field(description="All that the tutor said, as Markdown.")
    status: str = Field(description="success, clarification_needed, confirmation_required or error")
    question: OpenQuestion | None
    mark: Mark | None
    progress: Place


class CourseInfo(BaseModel):
    """A course, and how far the learner is in it."""

    name: str
    title: str
    concepts: int
    mastered: int
    begun: int
    is_current: bool


class Progress(BaseModel):
    """A learner's standing in one course."""

    course: str
    title: str
    level: str
    concepts: list[ConceptStanding]
    gaps: list[str]
    due: list[str]
    open_topic: str


_REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": Refusal, "description": "No token, or one that is none of ours."},
    403: {"model": Refusal, "description": "A page without its token, or another machine on loopback."},
    404: {"model": Refusal, "description": "There is no such course."},
}
_STREAM = {
    "description": "Server-sent events: `words` ({author, text}) as they come, `trouble` ({message}) where "
    "something failed, then one `view` (TurnView).",
    "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/TurnView"}}},
}


@router.get("/courses", responses=_REFUSALS)
async def courses(request: Request, who: Someone) -> list[CourseInfo]:
    """The courses, each with how much of it is mastered."""
    services: Services = request.app.state.services
    studying: Studying = request.app.state.studying
    state = SessionState.of((await studying.talk.session(who.user_id)).state)
    board = await start_board(services, who.user_id, current=state.course)
    return [
        CourseInfo(
            name=each.name,
            title=each.title,
            concepts=each.concepts,
            mastered=each.mastered,
            begun=each.begun,
            is_current=each.is_current,
        )
        for each in board.courses
    ]


@router.get("/progress", responses=_REFUSALS)
async def progress(request: Request, who: Someone, course: str = "") -> Progress:
    """What the learner has mastered, what is missing and what is due; in the current course where none is named."""
    services: Services = request.app.state.services
    studying: Studying = request.app.state.studying
    state = SessionState.of((await studying.talk.session(who.user_id)).state)
    name = await _course(services, course or state.course)
    # Answers of a round that is still going on count too.
    await refresh_mastery(
        services, user_id=who.user_id, course=name, threshold=services.settings.mastery_threshold
    )
    record = await load_record(services, who.user_id, SessionState(course=name))
    return Progress(
        course=name,
        title=record.course_title,
        level=record.level,
        concepts=await _standing(services, who.user_id, name),
        gaps=list(record.gaps),
        due=list(record.due),
        open_topic=record.open_topic,
    )


@router.post("/turn", responses={200: _STREAM, **_REFUSALS}, response_class=StreamingResponse)
async def turn(request: Request, who: Someone, wanted: TurnRequest) -> StreamingResponse:
    """Say something to the tutor: an answer, a question, "teach me …", anything that the page takes."""
    services: Services = request.app.state.services
    studying: Studying = request.app.state.studying
    if not wanted.message.strip():
        raise TurnedAwayError(422, "The message is empty.")
    course = await _course(services, wanted.course) if wanted.course else ""
    stream = _stream(studying, user_id=who.user_id, wanted=wanted, course=course)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


@router.get("/openapi.json", include_in_schema=False)
async def schema(who: Someone) -> dict[str, Any]:
    """This API in OpenAPI's words."""
    found = get_openapi(title="Mastery Loop", version="1", routes=router.routes)
    components = found.setdefault("components", {})
    components.setdefault("schemas", {}).update(_view_schemas())
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    found["security"] = [{"token": []}]
    return found


async def _stream(
    studying: Studying, *, user_id: str, wanted: TurnRequest, course: str
) -> AsyncIterator[str]:
    services = studying.services
    state = await studying.talk.state(user_id)
    before = await services.ledger.of(user_id)
    if course and course != state.course:
        async for each in _said(
            studying.begin(user_id, f"switch to {course}", wish={"action": "switch_course", "course": course})
        ):
            yield each
    elif wanted.question_id and await studying.is_gone(state):
        yield _event("trouble", {"message": "The course was removed by a teacher; nothing was graded."})
        yield _event("view", (await _view(studying, user_id, before=before)).model_dump(mode="json"))
        return
    running = studying.begin(
        user_id,
        wanted.message,
        said_in="answer" if wanted.question_id else "",
        question_id=wanted.question_id,
    )
    async for each in _said(running):
        yield each
    yield _event("view", (await _view(studying, user_id, before=before)).model_dump(mode="json"))


async def _said(running: Running) -> AsyncIterator[str]:
    """A turn's words as they come."""
    while (event := await running.heard.get()) is not None:
        if event.partial:
            yield _event("words", {"author": event.author, "text": text_of(event)})
    if running.failed:
        yield _event("trouble", {"message": running.failed})


async def _view(studying: Studying, user_id: str, *, before: Sequence[Evidence]) -> TurnView:
    services = studying.services
    state = await studying.talk.state(user_id)
    state = without_course(state) if await studying.is_gone(state) else state
    rows = await services.ledger.of(user_id)
    fresh = [row for row in rows[len(before) :] if row.action == "answer"]
    if fresh:
        await refresh_mastery(
            services, user_id=user_id, course=fresh[-1].course, threshold=state.mastery_threshold
        )
    return TurnView(
        answer=str(state.last_response.get("answer", "")),
        status=str(state.last_response.get("status", "error")),
        question=open_question(state),
        # A diagnostic finds out and tells nothing: its questions may come again in a quiz.
        mark=_mark(fresh[-1]) if fresh and fresh[-1].cycle_number > BEFORE_LESSONS else None,
        progress=Place(
            course=state.course,
            topic=state.topic_label if state.current_topic else "",
            round=state.learning_cycle_count + (1 if state.learning_phase else 0),
            most_rounds=state.max_cycles,
            threshold=state.mastery_threshold,
            concepts=await _topic_standing(services, user_id, state),
        ),
    )


def open_question(state: SessionState) -> OpenQuestion | None:
    """The question that waits, without its answer."""
    item = state.pending_question
    if item is None:
        return None
    is_quiz = state.learning_phase == "quiz"
    letters = ("true", "false") if item.kind == "true_false" else ascii_uppercase
    return OpenQuestion(
        question_id=item.question_id,
        text=item.question_text,
        kind=item.kind,
        number=(state.quiz_question_index if is_quiz else len(state.diagnostic_responses)) + 1,
        total=len(state.quiz_questions) if is_quiz else None,
        options=[
            Option(send=letter, text=option) for letter, option in zip(letters, item.options, strict=False)
        ],
    )


def _mark(row: Evidence) -> Mark:
    return Mark(
        question_id=row.question_id,
        answer=said(row),
        is_correct=row.is_correct,
        score=row.score,
        reason=row.reason,
        expected_answer=row.expected_answer,
    )


async def _standing(services: Services, user_id: str, course: str) -> list[ConceptStanding]:
    return [
        ConceptStanding(
            name=row.concept_name,
            score=row.mastery_score,
            is_mastered=row.mastered,
            review_due_at=row.review_due_at,
        )
        for row in await services.learners.mastery(user_id, course=course)
    ]


async def _topic_standing(services: Services, user_id: str, state: SessionState) -> list[ConceptStanding]:
    """The concepts of the topic; without their names while a question is open, for it may ask for one of them."""
    known = {each.name: each for each in await _standing(services, user_id, state.course)}
    found = [
        known.get(name, ConceptStanding(name=name, score=0.0, is_mastered=False))
        for name in state.topic_concepts
    ]
    return [each.model_copy(update={"name": ""}) for each in found] if state.pending_question else found


async def _course(services: Services, wanted: str) -> str:
    names = [each.name for each in await services.library.courses()]
    if not names:
        raise TurnedAwayError(404, "There is no course yet. A teacher adds one.")
    if wanted and wanted not in names:
        raise TurnedAwayError(404, f"There is no course '{wanted}'. There is: {', '.join(names)}.")
    return wanted or names[0]


def _view_schemas() -> dict[str, Any]:
    """The stream's view has a schema of its own: FastAPI describes answers, not what streams through them."""
    described = TurnView.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**described.pop("$defs", {}), "TurnView": described}


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
