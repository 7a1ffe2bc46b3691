"""The teacher's pages: courses, previews, the class, its questions, and its people."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Form, Response
from fastapi.responses import HTMLResponse

from agents.classroom import load_class, load_questions
from agents.mastery_book import carry_out, refresh_everybody
from agents.preview import preview_topic
from agents.teaching.evidence import RulingKind
from agents.teaching.thresholds import exactly
from rag.ingest import IngestReport
from storage.accounts import LINK_LASTS, Accounts
from storage.corpus import CourseSummary
from storage.errors import InvalidInputError, TutorError
from storage.ledger import QuestionRulings, ThresholdChoices
from storage.tables import clean
from web.caller import Caller, Teacher, Text, TurnedAwayError, chosen_share
from web.courses import read_from, remove_course, rename_course
from web.render import to_html
from web.uploads import MOST_BYTES

router = APIRouter(prefix="/teacher", include_in_schema=False)

_MOST_QUESTIONS = 50


@router.get("", response_class=HTMLResponse)
async def courses_page(caller: Teacher) -> Response:
    return await _courses(caller)


@router.post("/courses/rename")
async def rename(caller: Teacher, course: Text, new_title: Text = "") -> Response:
    before = await caller.course(course)
    known = await rename_course(caller, course, new_title=new_title)
    return await _courses(caller, words=f"“{before.title}” is now called “{known.title}”.")


@router.post("/courses/read")
async def read_again(caller: Teacher, course: Text) -> Response:
    """Read what has changed in the folder or the files that the course was read from."""
    known = await caller.course(course)
    try:
        paths = await read_from(caller, known)
        [report] = await caller.services.library.ingest(paths, course=course)
    except TurnedAwayError as err:
        return await _courses(caller, words=err.words, status=err.status)
    except TutorError as err:
        return await _courses(caller, words=str(err), status=409)
    return await _courses(caller, words=f"“{known.title}”: {_told(report)}")


@router.post("/courses/threshold")
async def rule_threshold(caller: Teacher, course: Text, threshold: Text = "") -> Response:
    """From when on something of a course is mastered; everybody's mastery follows who has no goal of their own."""
    known, share = await caller.course(course), chosen_share(threshold)
    await ThresholdChoices(caller.services.database).rule(
        known.name, threshold=share, decided_by=caller.user_id, now=caller.services.now()
    )
    await refresh_everybody(caller.services, course=known.name)
    counts = (await caller.services.thresholds(caller.user_id)).of_class(known.name)
    return await _courses(caller, words=f"“{known.title}” is mastered from {exactly(counts)} on.")


@router.post("/courses/remove")
async def remove(caller: Teacher, course: Text, sure: Text = "") -> Response:
    known = await caller.course(course)
    await remove_course(caller, known, sure=sure)
    return await _courses(caller, words=f"“{known.title}” is removed. What was learnt in it is kept.")


@router.get("/preview", response_class=HTMLResponse)
async def preview(caller: Teacher, course: str = "", topic: str = "") -> Response:
    """What a learner who asks for a topic would be taught and asked."""
    services = caller.services
    known = await caller.course(course)
    shown, words = None, ""
    if topic.strip():
        try:
            shown = await preview_topic(
                services.library, topic, course=known.name, count=services.settings.quiz_questions
            )
        except InvalidInputError as err:
            words = str(err)
    return await _page(
        caller,
        "preview",
        course=known,
        topic=topic,
        topics=(await services.syllabus(known.name)).topic_names(),
        shown=shown,
        lesson=to_html(shown.lesson, passages=dict(enumerate(shown.cited, 1))) if shown else "",
        never=(await services.rulings(known.name)).never_asked,
        words=words,
    )


@router.get("/class", response_class=HTMLResponse)
async def class_page(caller: Teacher, course: str = "") -> Response:
    """Chapters by learners."""
    known = await caller.course(course)
    return await _page(
        caller,
        "class",
        course=known,
        table=await load_class(caller.services, known.name, teacher=caller.user_id),
    )


@router.get("/questions", response_class=HTMLResponse)
async def questions_page(caller: Teacher, course: str = "") -> Response:
    """The questions most often missed or disputed."""
    return await _questions(caller, await caller.course(course))


@router.post("/questions/rule")
async def rule(
    caller: Teacher,
    course: Text,
    question_id: Annotated[str, Form(min_length=1)],
    ruling: Annotated[RulingKind, Form()],
    question_text: Text = "",
    accepted_answer: Text = "",
) -> Response:
    """Void a question, accept another answer, or never ask it again; everybody's mastery follows."""
    known = await caller.course(course)
    accepted = clean(accepted_answer).strip()
    if ruling == "also_right" and not accepted:
        raise TurnedAwayError(422, "Write the answer that is right, too.")
    await QuestionRulings(caller.services.database).add(
        course=known.name,
        question_id=question_id,
        question_text=question_text,
        ruling=ruling,
        accepted_answer=accepted if ruling == "also_right" else None,
        decided_by=caller.user_id,
        now=caller.services.now(),
    )
    concerned = await carry_out(caller.services, course=known.name, question_id=question_id)
    return await _questions(caller, known, words=_ruled(ruling, concerned))


@router.post("/questions/withdraw")
async def withdraw(caller: Teacher, course: Text, ruling_id: Annotated[int, Form()]) -> Response:
    """Take a ruling back; everything counts as it did before."""
    known = await caller.course(course)
    taken = await QuestionRulings(caller.services.database).withdraw(ruling_id, now=caller.services.now())
    if taken is None or taken.course != known.name:
        raise TurnedAwayError(404, "That ruling is not in force any more.")
    concerned = await carry_out(caller.services, course=known.name, question_id=taken.question_id)
    return await _questions(caller, known, words=_ruled("withdrawn", concerned))


@router.get("/people", response_class=HTMLResponse)
async def people_page(caller: Teacher) -> Response:
    return await _people(caller)


@router.post("/people/invite")
async def invite(caller: Teacher, username: Text = "", is_teacher: Text = "") -> Response:
    """Make an account, and show its one-time link this once."""
    link, now = secrets.token_urlsafe(24), caller.services.now()
    try:
        account = await Accounts(caller.services.database).add(
            username, is_teacher=is_teacher == "yes", link=link, expires_at=now + LINK_LASTS, now=now
        )
    except InvalidInputError as err:
        return await _people(caller, words=str(err), status=422)
    return await _people(caller, link=link, invited=account.name)


@router.post("/people/link")
async def renew_link(caller: Teacher, username: Text) -> Response:
    """Another one-time link, for whoever lost theirs or has forgotten the password."""
    link = secrets.token_urlsafe(24)
    account = await Accounts(caller.services.database).renew_link(
        username, link=link, expires_at=caller.services.now() + LINK_LASTS
    )
    if account is None:
        return await _people(caller, words=f"There is no account '{username}'.", status=404)
    return await _people(caller, link=link, invited=account.name)


@router.post("/people/remove")
async def remove_person(caller: Teacher, username: Text) -> Response:
    """Close an account; what was learnt stays."""
    if username == caller.user_id:
        return await _people(caller, words="You cannot close your own account here.", status=409)
    if not await Accounts(caller.services.database).remove(username):
        return await _people(caller, words=f"There is no account '{username}'.", status=404)
    return await _people(caller, words=f"{username} can no longer sign in. What was learnt is kept.")


async def _page(
    caller: Caller, name: str, *, words: str = "", status: int = 200, **values: object
) -> Response:
    courses = await caller.services.library.courses()
    return caller.page(
        f"teacher/{name}.html", status=status, room=name, words=words, courses=courses, **values
    )


async def _courses(caller: Caller, *, words: str = "", status: int = 200) -> Response:
    thresholds = await caller.services.thresholds(caller.user_id)
    return await _page(
        caller, "courses", words=words, status=status, most_bytes=MOST_BYTES, thresholds=thresholds
    )


async def _questions(caller: Caller, course: CourseSummary, *, words: str = "") -> Response:
    reports = await load_questions(caller.services, course.name)
    return await _page(
        caller,
        "questions",
        course=course,
        reports=reports[:_MOST_QUESTIONS],
        more=max(0, len(reports) - _MOST_QUESTIONS),
        words=words,
    )


async def _people(
    caller: Caller, *, words: str = "", status: int = 200, link: str = "", invited: str = ""
) -> Response:
    return await _page(
        caller,
        "people",
        status=status,
        words=words,
        accounts=await Accounts(caller.services.database).all(),
        link=f"{caller.request.base_url}invite/{link}" if link else "",
        invited=invited,
        way=caller.request.state.doors.way,
    )


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
