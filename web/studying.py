"""The study page: one turn at a time through the Runner, and what a turn leaves on the page."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, StreamingResponse
from google.adk.events.event import Event

from agents.coordinator.course_desk import usual_course
from agents.mastery_book import refresh_mastery
from agents.services import Services
from agents.state import SessionState
from web.study import Source, Standing, Study, mark_of, study_of, text_of
from web.talk import Talk
from web.templating import fragment, page
from web.who import Someone, TurnedAwayError, Visitor

logger = logging.getLogger(__name__)
router = APIRouter()

_MOST_CHARACTERS = 16_000
_TROUBLE = "Something went wrong inside the tutor. Nothing that you did is lost: try it once more."
_TOO_LONG = f"That is more than I can read at once. Please keep it under {_MOST_CHARACTERS:,} characters."

Text = Annotated[str, Form()]


@dataclass(slots=True)
class Running:
    """A turn under way; it goes on when the one who asked closes the window."""

    heard: asyncio.Queue[Event | None] = field(default_factory=asyncio.Queue)
    task: "asyncio.Task[None] | None" = None
    failed: str = ""
    seconds: float = 0.0  # that the Runner took


class Studying:
    """The turns under way, one a learner."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.services: Services = talk.services
        self._running: dict[str, Running] = {}

    def is_busy(self, user_id: str) -> bool:
        return user_id in self._running

    async def wait(self, user_id: str) -> None:
        """Until the turn that is under way is over."""
        running = self._running.get(user_id)
        if running and running.task:
            await asyncio.wait([running.task])

    def begin(
        self,
        user_id: str,
        text: str,
        *,
        said_in: str = "button",
        question_id: str = "",
        wish: Mapping[str, str] | None = None,
    ) -> Running:
        """Start a turn; turns of one learner queue in the Runner's own plugin."""
        running = Running()
        events = self.talk.say(user_id, text, said_in=said_in, question_id=question_id, wish=wish)
        running.task = asyncio.create_task(self._run(running, user_id, events))
        self._running[user_id] = running
        return running

    async def _run(self, running: Running, user_id: str, events: AsyncIterator[Event]) -> None:
        started = time.perf_counter()
        try:
            async for event in events:
                running.heard.put_nowait(event)
        except Exception:
            logger.exception("a turn failed")
            running.failed = _TROUBLE
        finally:
            running.seconds = time.perf_counter() - started
            if self._running.get(user_id) is running:
                del self._running[user_id]
            running.heard.put_nowait(None)

    async def look(self, user_id: str, *, see: str = "") -> Study:
        """What the page shows now."""
        session = await self.talk.session(user_id)
        state = SessionState.of(session.state)
        is_gone = await self.is_gone(state)
        if is_gone:
            state = without_course(state)
            session = session.model_copy(update={"state": state.model_dump(mode="json")})
        standing = await self._standing(user_id, state)
        return study_of(session, replace(standing, course_is_gone=is_gone), see=see)

    async def is_gone(self, state: SessionState) -> bool:
        """Whether a teacher has removed the course that the learner was in; the next turn of the Runner sees it too."""
        return bool(state.course) and not (await self.services.syllabus(state.course)).documents

    async def _standing(self, user_id: str, state: SessionState) -> Standing:
        services = self.services
        course = state.course or await usual_course(services, user_id)
        if not course:
            return Standing(has_topic=bool(state.topic_concepts))
        syllabus = await services.syllabus(course)
        topics = syllabus.topic_names()
        # Answers of a round that is still going on count too.
        await refresh_mastery(
            services, user_id=user_id, course=course, threshold=services.settings.mastery_threshold
        )
        mastery = await services.learners.mastery(user_id, course=course)
        cited = await services.library.corpus.chunks_by_id(state.explanation_sources)
        return Standing(
            course=course,
            course_title=syllabus.title,
            starts_with=topics[0] if topics else "",
            mastery={row.concept_name: row for row in mastery},
            lesson_sources=tuple(
                Source(number=number, chunk_id=each.chunk_id, place=place_of(each), text=each.chunk_text)
                for number, each in enumerate(cited, 1)
            ),
            # A session that is restored may name the open topic of a course that is gone.
            has_topic=bool(state.topic_concepts) or syllabus.topic_named(state.current_topic) is not None,
        )


def without_course(state: SessionState) -> SessionState:
    """The state of somebody whose course is gone."""
    return SessionState.of({**state.model_dump(mode="json"), **state.without_lesson(course="")})


def place_of(passage: Any) -> str:
    """Where a reader finds a passage: 'Topics › Publishers, p. 4'."""
    headings = [heading for heading in passage.heading_hierarchy if heading != passage.title]
    place = " › ".join([passage.title, *headings])
    return f"{place}, p. {passage.page}" if passage.page else place


@router.get("/study", response_class=HTMLResponse)
async def study(request: Request, who: Someone, see: str = "") -> Response:
    """The place where the learner is."""
    studying: Studying = request.app.state.studying
    shown = await studying.look(who.user_id, see=see)
    return page(
        request, "study.html", who=who, here="study", study=shown, is_busy=studying.is_busy(who.user_id)
    )


@router.get("/study/now")
async def now(request: Request, who: Someone) -> JSONResponse:
    """The parts of the page after the turn that is under way, for who came in the middle of it."""
    studying: Studying = request.app.state.studying
    await studying.wait(who.user_id)
    return JSONResponse(await _parts(request, studying, who))


@router.post("/study/say")
async def say(
    request: Request,
    who: Someone,
    text: Text = "",
    said_in: Text = "button",
    question_id: Text = "",
    action: Text = "",
    topic: Text = "",
    then: Text = "/study",
) -> Response:
    """One turn: as a stream for our script, as a new page for who has none."""
    studying: Studying = request.app.state.studying
    is_stream = "text/event-stream" in request.headers.get("accept", "")
    if len(text) > _MOST_CHARACTERS:
        return _refused(_TOO_LONG, is_stream=is_stream)
    if not text.strip():
        return _refused("Write or choose something first.", is_stream=is_stream)
    if question_id and await studying.is_gone(await studying.talk.state(who.user_id)):
        return await _closed(request, studying, who, is_stream=is_stream)
    wish = {"action": action, "topic": topic} if action and said_in == "button" else None
    running = studying.begin(who.user_id, text, said_in=said_in, question_id=question_id, wish=wish)
    if is_stream:
        stream = _stream(request, studying, running, who)
        return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
    await studying.wait(who.user_id)
    return RedirectResponse(then if then in ("/study", "/progress") else "/study", status_code=303)


@router.post("/study/start")
async def start(
    request: Request, who: Someone, course: Text, topic: Text = "", manner: Text = ""
) -> Response:
    """Begin with a course or a topic of it; who is in the middle of that course goes on there."""
    studying: Studying = request.app.state.studying
    state = await studying.talk.state(who.user_id)
    if course not in [each.name for each in await studying.services.library.courses()]:
        raise TurnedAwayError(
            404, "That course was removed by a teacher. The start page has those that there are."
        )
    if topic or course != state.course or not (state.pending_question or state.learning_phase):
        title = (await studying.services.syllabus(course)).title
        words = f"{'quiz me on' if manner == 'quiz' else 'teach me'} {topic or title}"
        wish = {"action": "quiz_me" if manner == "quiz" else "teach", "topic": topic, "course": course}
        studying.begin(who.user_id, words, wish=wish)
        await studying.wait(who.user_id)
    return RedirectResponse("/study", status_code=303)


async def _stream(request: Request, studying: Studying, running: Running, who: Visitor) -> AsyncIterator[str]:
    """Words as they are spoken, the mark as soon as there is one, and at the end the page as it is then."""
    while (event := await running.heard.get()) is not None:
        if event.partial:
            yield _event("words", {"author": event.author, "text": text_of(event)})
        elif mark := mark_of(event):
            yield _event("mark", {"html": fragment(request, "study/mark.html", who=who, mark=mark)})
    if running.failed:
        yield _event("trouble", {"message": running.failed})
    yield _event("page", {**await _parts(request, studying, who), "seconds": round(running.seconds, 4)})


async def _closed(request: Request, studying: Studying, who: Visitor, *, is_stream: bool) -> Response:
    """No turn: the question went with its course, and the page says so."""
    if not is_stream:
        return RedirectResponse("/study", status_code=303)
    shown = _event("page", {**await _parts(request, studying, who), "seconds": 0.0})
    return Response(shown, media_type="text/event-stream")


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def _refused(message: str, *, is_stream: bool) -> Response:
    if is_stream:
        return JSONResponse({"message": message}, status_code=400)
    return Response(message, status_code=400, media_type="text/plain")


async def _parts(request: Request, studying: Studying, who: Visitor) -> dict[str, str]:
    shown = await studying.look(who.user_id)
    return {
        name: fragment(request, f"study/{name}.html", who=who, study=shown)
        for name in ("head", "main", "talk")
    }
