"""The teacher's pages: courses, previews, the class, its questions, and its people."""

import asyncio
import secrets
import shutil
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse

from agents.classroom import load_class, load_questions
from agents.preview import preview_topic
from agents.rulings import carry_out
from agents.services import Services
from rag.ingest import IngestReport
from storage.accounts import LINK_LASTS, Accounts
from storage.course import CourseSummary
from storage.errors import InvalidInputError, TutorError
from storage.rulings import QuestionRulings, RulingKind
from storage.types import clean
from web.render import to_html
from web.templating import page
from web.uploads import MOST_BYTES, Uploads
from web.who import Teacher, TurnedAwayError, Visitor

router = APIRouter(prefix="/teacher", include_in_schema=False)

_MOST_TITLE = 200
_MOST_QUESTIONS = 50

Text = Annotated[str, Form()]


@router.get("", response_class=HTMLResponse)
async def courses_page(request: Request, who: Teacher) -> Response:
    return await _courses(request, who)


@router.post("/courses/rename")
async def rename(request: Request, who: Teacher, course: Text, title: Text = "") -> Response:
    """Another title; the records of the learners are kept under the name, which stays."""
    services: Services = request.app.state.services
    known = await _course(services, course)
    wanted = clean(title).strip()[:_MOST_TITLE]
    await services.library.corpus.rename_course(course, title=wanted or None)
    shown = wanted or (await _course(services, course)).title
    return await _courses(request, who, words=f"“{known.title}” is now called “{shown}”.")


@router.post("/courses/read")
async def read_again(request: Request, who: Teacher, course: Text) -> Response:
    """Read what has changed in the folder or the files that the course was read from."""
    services: Services = request.app.state.services
    known = await _course(services, course)
    paths = [Path(text) for text in await services.library.corpus.read_from(course)]
    gone = [path.name for path in paths if not path.exists()]
    if not paths:
        words = (
            f"Where “{known.title}” was read from was not noted yet. Add it once more with 'tutor ingest'."
        )
        return await _courses(request, who, words=words, status=409)
    if gone:
        words = f"Nothing was changed: {', '.join(gone)} is no longer where “{known.title}” was read from."
        return await _courses(request, who, words=words, status=409)
    try:
        [report] = await services.library.ingest(paths, course=course)
    except TutorError as err:
        return await _courses(request, who, words=str(err), status=409)
    return await _courses(request, who, words=f"“{known.title}”: {_told(report)}")


@router.post("/courses/remove")
async def remove(request: Request, who: Teacher, course: Text, sure: Text = "") -> Response:
    """Take a course away; what was learnt in it stays on record, for when it is added again."""
    services: Services = request.app.state.services
    known = await _course(services, course)
    if sure != "yes":
        raise TurnedAwayError(422, "Tick the box beside it first: removing a course cannot be undone.")
    await services.library.corpus.delete_course(course)
    await services.library.follow()
    uploads: Uploads = request.app.state.uploads
    await asyncio.to_thread(shutil.rmtree, uploads.folder / course, ignore_errors=True)
    return await _courses(request, who, words=f"“{known.title}” is removed. What was learnt in it is kept.")


@router.get("/preview", response_class=HTMLResponse)
async def preview(request: Request, who: Teacher, course: str = "", topic: str = "") -> Response:
    """What a learner who asks for a topic would be taught and asked."""
    services: Services = request.app.state.services
    known = await _chosen(services, course)
    syllabus = await services.syllabus(known.name)
    shown, words = None, ""
    if topic.strip():
        try:
            shown = await preview_topic(
                services.library, topic, course=known.name, count=services.settings.quiz_questions
            )
        except InvalidInputError as err:
            words = str(err)
    never = (await services.rulings(known.name)).never_asked
    return await _page(
        request,
        who,
        "preview",
        course=known,
        topic=topic,
        topics=syllabus.topic_names(),
        shown=shown,
        lesson=to_html(shown.lesson, passages=dict(enumerate(shown.cited, 1))) if shown else "",
        never=never,
        words=words,
    )


@router.get("/class", response_class=HTMLResponse)
async def class_page(request: Request, who: Teacher, course: str = "") -> Response:
    """Chapters by learners."""
    services: Services = request.app.state.services
    known = await _chosen(services, course)
    return await _page(request, who, "class", course=known, table=await load_class(services, known.name))


@router.get("/questions", response_class=HTMLResponse)
async def questions_page(request: Request, who: Teacher, course: str = "", words: str = "") -> Response:
    """The questions most often missed or disputed."""
    services: Services = request.app.state.services
    return await _questions(request, who, await _chosen(services, course))


@router.post("/questions/rule")
async def rule(
    request: Request,
    who: Teacher,
    course: Text,
    question_id: Text,
    ruling: Text,
    question_text: Text = "",
    accepted_answer: Text = "",
) -> Response:
    """Void a question, accept another answer, or never ask it again; everybody's mastery follows."""
    services: Services = request.app.state.services
    known = await _course(services, course)
    kinds: dict[str, RulingKind] = {"void": "void", "also_right": "also_right", "retired": "retired"}
    accepted = clean(accepted_answer).strip()
    if ruling not in kinds or not question_id:
        raise TurnedAwayError(422, "That ruling is none of: void, also_right, retired.")
    if ruling == "also_right" and not accepted:
        raise TurnedAwayError(422, "Write the answer that is right, too.")
    await QuestionRulings(services.database).add(
        course=known.name,
        question_id=question_id,
        question_text=question_text,
        ruling=kinds[ruling],
        accepted_answer=accepted if ruling == "also_right" else None,
        decided_by=who.user_id,
        now=services.now(),
    )
    concerned = await carry_out(services, course=known.name, question_id=question_id)
    return await _questions(request, who, known, words=_ruled(ruling, concerned))


@router.post("/questions/withdraw")
async def withdraw(
    request: Request, who: Teacher, course: Text, ruling_id: Annotated[int, Form()]
) -> Response:
    """Take a ruling back; everything counts as it did before."""
    services: Services = request.app.state.services
    known = await _course(services, course)
    taken = await QuestionRulings(services.database).withdraw(ruling_id, now=services.now())
    if taken is None or taken.course != known.name:
        raise TurnedAwayError(404, "That ruling is not in force any more.")
    concerned = await carry_out(services, course=known.name, question_id=taken.question_id)
    return await _questions(request, who, known, words=_ruled("withdrawn", concerned))


@router.get("/people", response_class=HTMLResponse)
async def people_page(request: Request, who: Teacher) -> Response:
    return await _people(request, who)


@router.post("/people/invite")
async def invite(request: Request, who: Teacher, name: Text = "", is_teacher: Text = "") -> Response:
    """Make an account, and show its one-time link this once."""
    services: Services = request.app.state.services
    link, now = secrets.token_urlsafe(24), services.now()
    try:
        account = await Accounts(services.database).add(
            name, is_teacher=is_teacher == "yes", link=link, expires_at=now + LINK_LASTS, now=now
        )
    except InvalidInputError as err:
        return await _people(request, who, words=str(err), status=422)
    return await _people(request, who, link=link, invited=account.name)


@router.post("/people/link")
async def renew_link(request: Request, who: Teacher, name: Text) -> Response:
    """Another one-time link, for whoever lost theirs or has forgotten the password."""
    services: Services = request.app.state.services
    link = secrets.token_urlsafe(24)
    account = await Accounts(services.database).renew_link(
        name, link=link, expires_at=services.now() + LINK_LASTS
    )
    if account is None:
        return await _people(request, who, words=f"There is no account '{name}'.", status=404)
    return await _people(request, who, link=link, invited=account.name)


@router.post("/people/remove")
async def remove_person(request: Request, who: Teacher, name: Text) -> Response:
    """Close an account; what was learnt stays."""
    if name == who.user_id:
        return await _people(request, who, words="You cannot close your own account here.", status=409)
    services: Services = request.app.state.services
    if not await Accounts(services.database).remove(name):
        return await _people(request, who, words=f"There is no account '{name}'.", status=404)
    return await _people(request, who, words=f"{name} can no longer sign in. What was learnt is kept.")


async def _page(
    request: Request, who: Visitor, name: str, *, status: int = 200, **values: object
) -> Response:
    services: Services = request.app.state.services
    shared = {"words": "", "courses": await services.library.courses(), "zone": services.zone}
    return page(
        request,
        f"teacher/{name}.html",
        who=who,
        status=status,
        here="teacher",
        room=name,
        **{**shared, **values},
    )


async def _courses(request: Request, who: Visitor, *, words: str = "", status: int = 200) -> Response:
    return await _page(request, who, "courses", words=words, status=status, most_bytes=MOST_BYTES)


async def _questions(request: Request, who: Visitor, course: CourseSummary, *, words: str = "") -> Response:
    reports = await load_questions(request.app.state.services, course.name)
    return await _page(
        request,
        who,
        "questions",
        course=course,
        reports=reports[:_MOST_QUESTIONS],
        more=max(0, len(reports) - _MOST_QUESTIONS),
        words=words,
    )


async def _people(
    request: Request, who: Visitor, *, words: str = "", status: int = 200, link: str = "", invited: str = ""
) -> Response:
    services: Services = request.app.state.services
    return await _page(
        request,
        who,
        "people",
        status=status,
        words=words,
        accounts=await Accounts(services.database).all(),
        link=f"{request.base_url}invite/{link}" if link else "",
        invited=invited,
        way=request.state.doors.way,
    )


async def _course(services: Services, name: str) -> CourseSummary:
    found = {each.name: each for each in await services.library.courses()}
    if name not in found:
        raise TurnedAwayError(404, f"There is no course '{name}' any more.")
    return found[name]


async def _chosen(services: Services, name: str) -> CourseSummary:
    """The course that is asked for, else the first."""
    found = await services.library.courses()
    if not found:
        raise TurnedAwayError(404, "There is no course yet. Add one on the teacher's first page.")
    return await _course(services, name) if name else found[0]


def _ruled(ruling: str, concerned: list[str]) -> str:
    done = {
        "void": "The question counts for nothing and is not asked again.",
        "also_right": "That answer is right, too, from now on.",
        "retired": "The question is not asked again.",
        "withdrawn": "The ruling is taken back.",
    }[ruling]
    who = f"{len(concerned)} learner{'s' if len(concerned) != 1 else ''}"
    return f"{done} The mastery of {who} was computed anew." if concerned else done


def _told(report: IngestReport) -> str:
    said = f"{report.added} added, {report.changed} changed, {report.removed} removed, {report.unchanged} unchanged."
    unread = "; ".join(f"{name} {reason}" for name, reason in report.failures[:3])
    return f"{said} Not read: {unread}." if unread else said
