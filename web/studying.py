"""The study page: one turn at a time through the Runner, and what a turn leaves on the page."""

import json
import mimetypes
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import unquote, urlsplit

from fastapi import APIRouter, Form, Response
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, StreamingResponse

from agents.coordinator.desk import usual_course
from agents.language.words import term_key
from agents.mastery_book import reckon, topic_to_go
from agents.models.voice import text_of
from agents.screen import MOST_MESSAGE
from agents.services import Services
from agents.state import SessionState
from agents.teaching.values import Passage
from rag.ingest import document_id
from web.caller import Caller, Running, Someone, Text, TurnedAwayError, fragment
from web.courses import in_order
from web.render import picture_address, to_html
from web.study import ShownSource, Standing, Study, mark_of, study_of
from web.whereabouts import whereabouts

router = APIRouter()

_TOO_LONG = f"That is more than I can read at once. Please keep it under {MOST_MESSAGE:,} characters."


async def look(caller: Caller, *, see: str = "") -> Study:
    """What the page shows now."""
    session = await caller.talk.session(caller.user_id)
    state = SessionState.of(session.state)
    gone = await is_gone(caller.services, state)
    if gone:
        state = without_course(state)
        session = session.model_copy(update={"state": state.model_dump(mode="json")})
    return study_of(session, await _standing(caller, state, course_is_gone=gone), see=see)


async def is_gone(services: Services, state: SessionState) -> bool:
    """Whether a teacher has removed the course that the learner was in; the next turn of the Runner sees it too."""
    return bool(state.course) and not (await services.syllabus(state.course)).documents


def without_course(state: SessionState) -> SessionState:
    """The state of somebody whose course is gone."""
    return SessionState.of({**state.model_dump(mode="json"), **state.without_lesson(course="")})


async def _standing(caller: Caller, state: SessionState, *, course_is_gone: bool) -> Standing:
    services = caller.services
    course = state.course or await usual_course(services, caller.user_id)
    if not course:
        found = await services.library.courses()
        courses = in_order(found, current="", begun=(), last_visit=state.last_turn_at)
        return Standing(courses=courses, has_topic=bool(state.topic_concepts), course_is_gone=course_is_gone)
    syllabus = await services.syllabus(course)
    record = await reckon(services, user_id=caller.user_id, course=course, state=state)
    cited = await services.library.corpus.chunks_by_id(state.explanation_sources)
    return Standing(
        course=course,
        course_title=syllabus.title,
        starts_with=next(iter(syllabus.topic_names()), ""),
        mastery={row.concept_name: row for row in record.rows_of(state.topic_concepts)},
        threshold=record.threshold,
        to_go=topic_to_go(record, state),
        terms=tuple(
            (name, known.definition)
            for name in state.topic_concepts
            if (known := syllabus.by_key.get(term_key(name))) and known.definition
        ),
        where=whereabouts(syllabus, state).without(state.pending_question),
        amendments=await services.ledger.amendments(caller.user_id, course=course),
        lesson_sources=tuple(
            ShownSource(number=number, chunk_id=each.chunk_id, place=each.place, text=each.chunk_text)
            for number, each in enumerate(cited, 1)
        ),
        # A session that is restored may name the open topic of a course that is gone.
        has_topic=bool(state.topic_concepts) or syllabus.topic_named(state.current_topic) is not None,
        course_is_gone=course_is_gone,
    )


@router.get("/study", response_class=HTMLResponse)
async def study(caller: Someone, see: str = "") -> Response:
    """The place where the learner is."""
    shown = await look(caller, see=see)
    return caller.page("study.html", study=shown, is_busy=caller.talk.is_busy(caller.user_id))


@router.get("/study/now")
async def now(caller: Someone) -> JSONResponse:
    """The parts of the page after the turn that is under way, for who came in the middle of it."""
    await caller.talk.wait(caller.user_id)
    return JSONResponse(await _parts(caller))


@router.post("/study/say")
async def say(
    caller: Someone,
    texts: Annotated[list[str], Form(alias="text", default_factory=list)],
    said_in: Text = "button",
    question_id: Text = "",
    wish: Text = "",
    topic: Text = "",
) -> Response:
    """One turn: as a stream for our script, as a new page for who has none; what is ticked comes one by one."""
    text = ", ".join(texts)
    if len(text) > MOST_MESSAGE:
        raise TurnedAwayError(400, _TOO_LONG)
    if not text.strip():
        raise TurnedAwayError(400, "Write or choose something first.")
    running = None
    # A question that went with its course takes no turn: the page says what has become of it.
    if not (question_id and await is_gone(caller.services, await caller.talk.state(caller.user_id))):
        wished = {"action": wish, "topic": topic} if wish and said_in == "button" else None
        running = caller.talk.begin(
            caller.user_id, text, said_in=said_in, question_id=question_id, wish=wished
        )
    if "text/event-stream" in caller.request.headers.get("accept", ""):
        return EventStream(_stream(caller, running))
    await caller.talk.wait(caller.user_id)
    return RedirectResponse("/study", status_code=303)


@router.post("/study/start")
async def start(caller: Someone, course: Text, topic: Text = "", manner: Text = "") -> Response:
    """Begin with a course or a topic of it; who is in the middle of that course goes on there."""
    state = await caller.talk.state(caller.user_id)
    await caller.course(course)  # a teacher may have removed it
    if topic or course != state.course or not (state.pending_question or state.learning_phase):
        title = (await caller.services.syllabus(course)).title
        words = f"{'quiz me on' if manner == 'quiz' else 'teach me'} {topic or title}"
        wish = {"action": "quiz_me" if manner == "quiz" else "teach", "topic": topic, "course": course}
        caller.talk.begin(caller.user_id, words, wish=wish)
        await caller.talk.wait(caller.user_id)
    return RedirectResponse("/study", status_code=303)


class EventStream(StreamingResponse):
    """Server-sent events, which no proxy shall hold back."""

    def __init__(self, content: AsyncIterator[str], status_code: int = 200) -> None:
        headers = {"X-Accel-Buffering": "no"}
        super().__init__(content, status_code, headers=headers, media_type="text/event-stream")


def event_text(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


async def heard(running: Running, *, caller: Caller | None = None) -> AsyncIterator[str]:
    """Words as they are spoken and, for a caller's page, the mark as soon as there is one."""
    while (event := await running.heard.get()) is not None:
        if event.partial:
            yield event_text("words", {"author": event.author, "text": text_of(event)})
        elif caller and (mark := mark_of(event)):
            yield event_text("mark", {"html": fragment(caller.request, "study/mark.html", mark=mark)})
    if running.failed:
        yield event_text("trouble", {"message": running.failed})


async def _stream(caller: Caller, running: Running | None) -> AsyncIterator[str]:
    """What a turn says, and at the end the page as it is then."""
    if running:
        async for each in heard(running, caller=caller):
            yield each
    seconds = round(running.seconds, 4) if running else 0.0
    yield event_text("page", {**await _parts(caller), "seconds": seconds})


async def _parts(caller: Caller) -> dict[str, str]:
    shown = await look(caller)
    return {
        name: fragment(caller.request, f"study/{name}.html", study=shown) for name in ("head", "main", "talk")
    }


_AROUND = 2  # passages before and after
_PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif"}
_MOST_BYTES = 10 * 1024 * 1024
# A drawing is shown inside an <img>, where it can do nothing; opened by itself it must not be able to either.
_ONLY_A_PICTURE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@router.get("/passage/{chunk_id}", response_class=HTMLResponse)
async def passage(caller: Someone, chunk_id: str) -> Response:
    """The passage with what stands before and after it, for the panel beside the lesson or as a page."""
    found = await _passage(caller.services, chunk_id)
    library = caller.services.library
    titles = {each.name: each.title for each in await library.courses()}
    chapter = await library.corpus.chapter(document_id(found.course, found.chapter_id))
    here = next(place for place, each in enumerate(chapter) if each.chunk_id == chunk_id)
    near = chapter[max(0, here - _AROUND) : here + _AROUND + 1]
    texts = [(each.chunk_id, each.chunk_text) for each in near]
    shown = [
        {
            "is_it": each.chunk_id == chunk_id,
            "html": to_html(each.chunk_text, pictures=lambda target: picture_address(target, texts), depth=3),
        }
        for each in near
    ]
    is_part = caller.request.headers.get("x-part") == "1"
    return caller.page(
        "passage_part.html" if is_part else "passage.html",
        is_part=is_part,
        place=found.place,
        course_title=titles.get(found.course, found.module_name),
        passages=shown,
        has_before=here > _AROUND,
        has_after=here + _AROUND + 1 < len(chapter),
    )


@router.get("/picture/{chunk_id}")
async def picture(caller: Someone, chunk_id: str, file: str) -> Response:
    """A picture that a passage shows, from the folder of its own course."""
    path = picture_file(await _passage(caller.services, chunk_id), file)
    if path is None:
        raise TurnedAwayError(404, "The course has no such picture.")
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return FileResponse(path, media_type=kind, headers={"Content-Security-Policy": _ONLY_A_PICTURE})


def picture_file(passage: Passage, target: str) -> Path | None:
    """Only what the passage itself names, within the folder that the course was read from."""
    if f"]({target}" not in passage.chunk_text:
        return None
    address = urlsplit(passage.source_url)
    if address.scheme != "file":
        return None
    source = Path(unquote(address.path))
    depth = passage.chapter_id.count("/")
    if len(source.parents) <= depth:
        return None
    root = source.parents[depth].resolve()
    path = (source.parent / unquote(urlsplit(target).path)).resolve()
    is_ours = path.is_relative_to(root) and path.suffix.lower() in _PICTURES and path.is_file()
    return path if is_ours and path.stat().st_size <= _MOST_BYTES else None


async def _passage(services: Services, chunk_id: str) -> Passage:
    found = await services.library.corpus.chunks_by_id([chunk_id])
    if not found:
        raise TurnedAwayError(404, "This passage is not in the course any more.")
    return found[0]
