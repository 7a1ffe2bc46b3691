"""One course as its readers and its teacher see it: its chapters, how much of it can be taught and asked, and its name."""

import asyncio
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from agents.syllabus import Syllabus
from storage.corpus import CourseSummary
from storage.tables import clean
from web.caller import Caller, Someone, Teacher, Text, TurnedAwayError

if TYPE_CHECKING:
    from web.uploads import UnreadFile, Uploads

router = APIRouter()

_MOST_TITLE = 200
_GLIMPSE = 6  # chapters that a card names


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitView:
    """Neighbouring pages under one title, by theirs."""

    title: str
    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseView:
    """A course: what it is made of, where it begins, and what of its files was not read."""

    name: str
    title: str
    begins_with: str
    units: tuple[UnitView, ...]
    sections: int
    concepts: int
    asked: int  # the author's questions with an answer
    unanswered: int  # those without one, which cannot be asked
    unread: "tuple[UnreadFile, ...]"

    @property
    def chapters(self) -> tuple[str, ...]:
        """What a glimpse of it names: its units, or its pages where it has none."""
        titles = [each.title for each in self.units]
        return tuple(titles) if len(titles) > 1 else tuple(page for each in self.units for page in each.pages)

    @property
    def glimpse(self) -> tuple[str, ...]:
        return self.chapters[:_GLIMPSE]


async def course_view(caller: Caller, name: str) -> CourseView:
    services = caller.services
    syllabus = await services.syllabus(name)
    items = await services.library.corpus.items.of_course(name, origin="author")
    first = syllabus.goes_on([], mastered=())
    uploads: Uploads = caller.request.app.state.uploads
    return CourseView(
        name=name,
        title=syllabus.title,
        begins_with=first.name if first else "",
        units=pages_by_unit(syllabus),
        sections=sum(place.kind in ("title", "heading") for place in syllabus.places),
        concepts=len(syllabus.concepts),
        asked=sum(not item.trouble for item in items),
        unanswered=sum(bool(item.trouble) for item in items),
        unread=uploads.unread.get(name, ()),
    )


def pages_by_unit(syllabus: Syllabus) -> tuple[UnitView, ...]:
    """The pages that teach, in reading order, under the unit that each belongs to."""
    taught = {concept.chapter_id for concept in syllabus.concepts} - syllabus.apart
    pages = [each for each in syllabus.documents if each.chapter_id in taught] or syllabus.documents
    return tuple(
        UnitView(title=title, pages=tuple(each.title for each in neighbours))
        for title, neighbours in groupby(pages, key=lambda each: each.module_name)
    )


def in_order(
    courses: Iterable[CourseSummary], *, current: str, begun: Sequence[str], last_visit: datetime | None
) -> list[CourseSummary]:
    """What somebody most likely wants first: what was added since they were here, then where they are, then the rest."""

    def is_new(course: CourseSummary) -> bool:
        return course.name not in begun and (last_visit is None or course.updated_at > last_visit)

    courses = sorted(courses, key=lambda each: each.name)
    new = sorted(filter(is_new, courses), key=lambda each: each.updated_at, reverse=True)
    others = [each for each in courses if each not in new]
    return [*new, *sorted(others, key=lambda each: each.name != current)]


@router.get("/course", response_class=HTMLResponse)
async def course_page(caller: Someone, course: str = "", said: str = "") -> Response:
    """One course, with its chapters to begin at; whoever may change it finds that here."""
    known = await caller.course(course)
    state = await caller.talk.state(caller.user_id)
    return caller.page(
        "course.html",
        view=await course_view(caller, known.name),
        is_current=known.name == state.course and bool(state.current_topic),
        words={"renamed": f"It is called “{known.title}” from now on."}.get(said, ""),
    )


@router.post("/course/rename")
async def rename(caller: Teacher, course: Text, new_title: Text = "") -> Response:
    known = await rename_course(caller, course, new_title=new_title)
    return RedirectResponse(f"/course?course={quote(known.name)}&said=renamed", status_code=303)


@router.post("/course/remove")
async def remove(caller: Teacher, course: Text, sure: Text = "") -> Response:
    await remove_course(caller, await caller.course(course), sure=sure)
    return RedirectResponse("/", status_code=303)


async def rename_course(caller: Caller, course: str, *, new_title: str) -> CourseSummary:
    """Another title; the records of the learners are kept under the name, which stays."""
    await caller.course(course)
    wanted = clean(new_title).strip()[:_MOST_TITLE]
    await caller.services.library.corpus.rename_course(course, title=wanted or None)
    return await caller.course(course)


async def remove_course(caller: Caller, known: CourseSummary, *, sure: str) -> None:
    """Take a course away; what was learnt in it stays on record, for when it is added again."""
    if sure != "yes":
        raise TurnedAwayError(422, "Tick the box beside it first: removing a course cannot be undone.")
    await caller.services.library.corpus.delete_course(known.name)
    await caller.services.library.follow()
    uploads: Uploads = caller.request.app.state.uploads
    uploads.unread.pop(known.name, None)
    await asyncio.to_thread(shutil.rmtree, uploads.folder / known.name, ignore_errors=True)


async def read_from(caller: Caller, known: CourseSummary) -> list[Path]:
    """Where a course was read from, as long as all of it is there."""
    paths = [Path(text) for text in await caller.services.library.corpus.read_from(known.name)]
    gone = [path.name for path in paths if not path.exists()]
    if not paths:
        raise TurnedAwayError(
            409,
            f"Where “{known.title}” was read from was not noted yet. Add it once more with 'tutor ingest'.",
        )
    if gone:
        raise TurnedAwayError(
            409, f"Nothing was changed: {', '.join(gone)} is no longer where “{known.title}” was read from."
        )
    return paths
