"""The learner's pages beside the study page: start, map, progress, yours."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from agents.models.choice import choose_model
from agents.services import Services
from agents.state import SessionState
from web import charts
from web.board import course_map, progress_board, start_board
from web.export import anki_package, answers_csv, as_json, everything
from web.study import question_of
from web.talk import Talk
from web.templating import page
from web.uploads import MOST_BYTES
from web.who import Someone

router = APIRouter()


@router.get("/", response_class=HTMLResponse)
async def start(request: Request, who: Someone) -> Response:
    """Courses, what is due, and where to go on; to a newcomer one sentence and one button."""
    services: Services = request.app.state.services
    talk: Talk = request.app.state.talk
    state = await talk.state(who.user_id)
    board = await start_board(services, who.user_id, current=state.course)
    is_first = not state.current_topic and not any(
        course.begun or course.mastered for course in board.courses
    )
    titles = {course.name: course.title for course in board.courses}
    place = {
        # A course that was removed has no place to go on at.
        "label": state.topic_label if state.course in titles else "",
        "course_title": titles.get(state.course, ""),
        "where": _where(state),
    }
    return page(
        request,
        "start.html",
        who=who,
        here="start",
        is_first=is_first,
        first_course=board.courses[0] if len(board.courses) else None,
        place=place,
        courses=board.courses,
        due=board.due,
        more_due=board.more_due,
        tasks=board.tasks,
        now=services.now(),
        zone=services.zone,
        most_bytes=MOST_BYTES,
    )


@router.get("/map", response_class=HTMLResponse)
async def course_page(
    request: Request, who: Someone, course: str = "", chapter: str = "", concept: str = ""
) -> Response:
    """The course as chapters and concepts, and one of them in detail."""
    services: Services = request.app.state.services
    talk: Talk = request.app.state.talk
    state = await talk.state(who.user_id)
    courses = await services.library.courses()
    names = [each.name for each in courses]
    wanted = next((name for name in (course, state.course, *names) if name in names), "")
    shown = (
        await course_map(services, who.user_id, course=wanted, state=state, chapter=chapter, concept=concept)
        if wanted
        else None
    )
    return page(
        request,
        "map.html",
        who=who,
        here="map",
        map=shown,
        courses=courses,
        goal=services.threshold(state),
        zone=services.zone,
    )


@router.get("/progress", response_class=HTMLResponse)
async def progress(request: Request, who: Someone) -> Response:
    """How it went: over time, this week, and against what was forecast."""
    services: Services = request.app.state.services
    board = await progress_board(services, who.user_id)
    right, wrong = sum(day.right for day in board.week), sum(day.wrong for day in board.week)
    return page(
        request,
        "progress.html",
        who=who,
        here="progress",
        board=board,
        right=right,
        wrong=wrong,
        now=services.now(),
        zone=services.zone,
        over_time=charts.over_time(
            board.over_time, label=f"Concepts mastered over time, now {board.mastered}"
        )
        if board.over_time
        else "",
        week=charts.week(board.week, label=f"Answers this week: {right} right, {wrong} not yet"),
        forecast=charts.forecast(board.forecasts, label="What was forecast, and what came")
        if board.forecasts
        else "",
    )


@router.get("/yours", response_class=HTMLResponse)
async def yours(request: Request, who: Someone, deleted: bool = False) -> Response:
    """What is kept, to take away or to delete; and which language model is set."""
    services: Services = request.app.state.services
    choice = choose_model(services.settings)
    return page(
        request,
        "yours.html",
        who=who,
        here="yours",
        answers=len(await services.ledger.of(who.user_id)),
        turns=len(await services.sessions.turns(who.user_id)),
        retention=services.settings.retention_days,
        model=None if choice.family == "embedded" else choice,
        is_deleted=deleted,
    )


@router.get("/yours/export.json")
async def export_json(request: Request, who: Someone) -> Response:
    return _download(
        as_json(await everything(request.app.state.services, who.user_id)), "application/json", "json"
    )


@router.get("/yours/answers.csv")
async def export_csv(request: Request, who: Someone) -> Response:
    rows = await request.app.state.services.ledger.of(who.user_id)
    return _download(answers_csv(rows), "text/csv; charset=utf-8", "csv")


@router.get("/yours/cards.apkg")
async def export_anki(request: Request, who: Someone) -> Response:
    services: Services = request.app.state.services
    titles = {course.name: course.title for course in await services.library.courses()}
    rows = await services.ledger.of(who.user_id)
    return _download(anki_package(rows, titles=titles), "application/octet-stream", "apkg")


@router.post("/yours/delete")
async def delete(request: Request, who: Someone, sure: Annotated[str, Form()] = "") -> Response:
    """Delete everything that is kept about this learner, when they have said that they mean it."""
    if sure != "yes":
        return RedirectResponse("/yours", status_code=303)
    talk: Talk = request.app.state.talk
    await talk.forget(who.user_id)
    return RedirectResponse("/yours?deleted=true", status_code=303)


def _where(state: SessionState) -> str:
    question = question_of(state)
    if question is None:
        return "Lesson" if state.learning_phase else "Choose what comes next"
    if question.is_probe:
        return f"Finding out what you know: question {question.number}"
    return f"Round {state.learning_cycle_count + 1}, question {question.number} of {question.total}"


def _download(content: str | bytes, media_type: str, ending: str) -> Response:
    name = f"mastery-loop.{ending}"
    return Response(
        content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
