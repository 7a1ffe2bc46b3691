"""The HTTP API: the same tutor for programs, under the same rules. docs/api.md describes it for people."""

from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, ConfigDict, Field

from agents.learner_record import load_record, said
from agents.mastery_book import Reckoning, reckon, reckon_all, topic_to_go
from agents.screen import MOST_MESSAGE
from agents.state import SessionState
from agents.teaching.evidence import BEFORE_LESSONS, LedgerRow
from agents.teaching.values import Moment
from web.board import CourseCard, course_cards
from web.caller import Caller, Someone, TurnedAwayError
from web.study import question_of
from web.studying import EventStream, event_text, heard, is_gone, without_course

router = APIRouter(prefix="/api", tags=["tutor"])


class Refusal(BaseModel):
    """What went wrong, in words."""

    message: str


class TurnRequest(BaseModel):
    """One message of the learner."""

    model_config = ConfigDict(extra="forbid")

    message: str = Field(min_length=1, max_length=MOST_MESSAGE)
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


class QuestionView(BaseModel):
    """The question that waits for an answer; it holds nothing that answers it."""

    question_id: str
    text: str
    kind: str
    number: int
    total: int | None = Field(description="None while a diagnostic finds its way.")
    options: list[Option]


class MarkView(BaseModel):
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
    is_mastered: bool = Field(description="Whether the score reaches the threshold.")
    right_answers_to_go: int | None = Field(
        description="Right answers in a row that would master it; null: more than anybody counts."
    )
    review_due_at: Moment | None = None


class PlaceView(BaseModel):
    """Where the learner is."""

    course: str
    topic: str
    round: int
    most_rounds: int
    threshold: float = Field(description="A score from here on is mastery.")
    right_answers_to_go: int | None = Field(
        description="Right answers that would master the topic; null: more than anybody counts."
    )
    concepts: list[ConceptStanding]


class TurnView(BaseModel):
    """What stands after a turn."""

    answer: str = Field(description="All that the tutor said, as Markdown.")
    status: str = Field(description="success, clarification_needed, confirmation_required or error")
    question: QuestionView | None
    mark: MarkView | None
    progress: PlaceView


class ProgressView(BaseModel):
    """A learner's standing in one course."""

    course: str
    title: str
    level: str
    threshold: float = Field(description="A score from here on is mastery.")
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
async def courses(caller: Someone) -> list[CourseCard]:
    """The courses, each with how much of it is mastered."""
    state = await caller.talk.state(caller.user_id)
    records = await reckon_all(caller.services, user_id=caller.user_id, state=state)
    return await course_cards(caller.services, records, caller.user_id, state)


@router.get("/progress", responses=_REFUSALS)
async def progress(caller: Someone, course: str = "") -> ProgressView:
    """What the learner has mastered, what is missing and what is due; in the current course where none is named."""
    services, user_id = caller.services, caller.user_id
    state = await caller.talk.state(user_id)
    name = (await caller.course(course or state.course)).name
    here = state.model_copy(update={"course": name})
    known = await reckon(services, user_id=user_id, course=name, state=here)
    record = await load_record(services, user_id, here, known=known)
    return ProgressView(
        course=name,
        title=record.course_title,
        level=record.level,
        threshold=record.threshold,
        concepts=_standing(known),
        gaps=list(record.gaps),
        due=list(record.due),
        open_topic=record.open_topic,
    )


@router.post("/turn", responses={200: _STREAM, **_REFUSALS}, response_class=EventStream)
async def turn(caller: Someone, wanted: TurnRequest) -> EventStream:
    """Say something to the tutor: an answer, a question, "teach me …", anything that the page takes."""
    if not wanted.message.strip():
        raise TurnedAwayError(422, "The message is empty.")
    if wanted.course:
        await caller.course(wanted.course)
    return EventStream(_stream(caller, wanted))


@router.get("/openapi.json", include_in_schema=False)
async def schema(caller: Someone) -> dict[str, Any]:
    """This API in OpenAPI's words."""
    found = get_openapi(title="Mastery Loop", version="1", routes=router.routes)
    # FastAPI describes answers, not what streams through them.
    view = TurnView.model_json_schema(ref_template="#/components/schemas/{model}")
    found["components"]["schemas"].update(view.pop("$defs"), TurnView=view)
    found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    found["security"] = [{"token": []}]
    return found


async def _stream(caller: Caller, wanted: TurnRequest) -> AsyncIterator[str]:
    talk, user_id, course = caller.talk, caller.user_id, wanted.course
    state = await talk.state(user_id)
    before = await _last_answer(caller)
    is_elsewhere = bool(course) and course != state.course
    if is_elsewhere:
        wish = {"action": "switch_course", "course": course}
        async for each in heard(talk.begin(user_id, f"switch to {course}", wish=wish)):
            yield each
    if wanted.question_id and not is_elsewhere and await is_gone(caller.services, state):
        yield event_text("trouble", {"message": "The course was removed by a teacher; nothing was graded."})
    else:
        said_in = "answer" if wanted.question_id else ""
        running = talk.begin(user_id, wanted.message, said_in=said_in, question_id=wanted.question_id)
        async for each in heard(running):
            yield each
    yield event_text("view", (await _view(caller, before=before)).model_dump(mode="json"))


async def _last_answer(caller: Caller) -> LedgerRow | None:
    rows = await caller.services.ledger.newest(caller.user_id, most=1)
    return next((row for row in rows if row.action == "answer"), None)


async def _view(caller: Caller, *, before: LedgerRow | None) -> TurnView:
    services, user_id = caller.services, caller.user_id
    state = await caller.talk.state(user_id)
    state = without_course(state) if await is_gone(services, state) else state
    row, mark = await _last_answer(caller), None
    is_fresh = row is not None and (before is None or row.id > before.id)
    # A diagnostic finds out and tells nothing: its questions may come again in a quiz.
    if row and is_fresh and row.cycle_number > BEFORE_LESSONS:
        mark = MarkView(
            question_id=row.question_id,
            answer=said(row),
            is_correct=row.is_correct,
            score=row.score,
            reason=row.reason,
            expected_answer=row.expected_answer,
        )
    record = await reckon(services, user_id=user_id, course=state.course, state=state)
    return TurnView(
        answer=str(state.last_response.get("answer", "")),
        status=str(state.last_response.get("status", "error")),
        question=open_question(state),
        mark=mark,
        progress=PlaceView(
            course=state.course,
            topic=state.topic_label if state.current_topic else "",
            round=state.learning_cycle_count + (1 if state.learning_phase else 0),
            most_rounds=state.max_cycles,
            threshold=record.threshold,
            right_answers_to_go=topic_to_go(record, state),
            concepts=_topic_standing(record, state),
        ),
    )


def open_question(state: SessionState) -> QuestionView | None:
    """The question that waits, without its answer."""
    item, shown = state.pending_question, question_of(state)
    if item is None or shown is None:
        return None
    return QuestionView(
        question_id=item.question_id,
        text=item.question_text,
        kind=item.kind,
        number=shown.number,
        total=shown.total or None,
        options=[
            Option(send=send, text=text) for (send, _), text in zip(shown.options, item.options, strict=False)
        ],
    )


def _standing(record: Reckoning) -> list[ConceptStanding]:
    return [
        ConceptStanding(
            name=row.concept_name,
            score=row.mastery_score,
            is_mastered=row.mastered,
            right_answers_to_go=record.to_go([row.concept_name]),
            review_due_at=row.review_due_at,
        )
        for row in record.rows()
    ]


def _topic_standing(record: Reckoning, state: SessionState) -> list[ConceptStanding]:
    """The concepts of the topic; without their names while a question is open, for it may ask for one of them."""
    known = {each.name: each for each in _standing(record)}
    found = [
        known.get(name)
        or ConceptStanding(name=name, score=0.0, is_mastered=False, right_answers_to_go=record.to_go([name]))
        for name in state.topic_concepts
    ]
    return [each.model_copy(update={"name": ""}) for each in found] if state.pending_question else found
