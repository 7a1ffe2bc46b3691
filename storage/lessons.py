"""Lessons under way: what is being asked, with its keys, and how far each learner is in what is not over yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.database import Repository, put, to_row, where_given
from storage.tables import lesson_places, open_lessons

LessonKind = Literal["quiz", "diagnostic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLesson:
    """One quiz or diagnostic under way; `asking` is its own name, new for every one."""

    user_id: str
    session_id: str
    kind: LessonKind
    asking: str
    course: str
    topic: str
    cycle_number: int
    threshold: float
    questions: tuple[dict[str, Any], ...]
    asked_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPlace:
    """How far a learner is in one part of a topic, whatever session they were in."""

    user_id: str
    course: str
    place: str  # where in the course the topic is taught
    part: int
    topic: str
    session_id: str  # that was there last
    lesson: Mapping[str, Any]  # its keys in the session's state
    asking: str | None  # the quiz that is open in it
    threshold: float
    questions: tuple[dict[str, Any], ...]  # that we asked in it, with their keys
    kept_at: datetime


class Lessons(Repository):
    """What is being asked of all learners, and where they are."""

    async def put(self, lesson: OpenLesson) -> None:
        """Of each kind there is one a session: a new one takes the place of the old."""
        async with self._database.write() as conn:
            await put(conn, open_lessons, to_row(lesson), keys=["user_id", "session_id", "kind"])

    async def of(self, user_id: str, *, session_id: str, kind: LessonKind) -> OpenLesson | None:
        statement = select(open_lessons).filter_by(user_id=user_id, session_id=session_id, kind=kind)
        return await self._first(OpenLesson, statement)

    async def forget_before(self, moment: datetime) -> None:
        """Delete what nobody has answered for long; where a learner was in a lesson is kept."""
        async with self._database.write() as conn:
            await conn.execute(delete(open_lessons).where(open_lessons.c.asked_at < moment))

    async def keep_place(self, place: LessonPlace) -> None:
        async with self._database.write() as conn:
            await put_place(conn, place)

    async def places(self, user_id: str, *, course: str | None = None) -> Sequence[LessonPlace]:
        """The lessons of a learner that are not over, the one they were in last first."""
        own = where_given(select(lesson_places), user_id=user_id, course=course)
        return await self._all(LessonPlace, own.order_by(lesson_places.c.kept_at.desc()))

    async def place(self, user_id: str, *, course: str, place: str, part: int) -> LessonPlace | None:
        here = select(lesson_places).filter_by(user_id=user_id, course=course, place=place, part=part)
        return await self._first(LessonPlace, here)

    async def leave_place(self, user_id: str, *, course: str, place: str, part: int) -> None:
        """The lesson is over."""
        own = delete(lesson_places).filter_by(user_id=user_id, course=course, place=place, part=part)
        async with self._database.write() as conn:
            await conn.execute(own)


async def put_place(conn: AsyncConnection, place: LessonPlace) -> None:
    """Each part of a topic has one place, whatever session the learner is in."""
    await put(conn, lesson_places, to_row(place), keys=["user_id", "course", "place", "part"])
