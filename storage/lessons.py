"""What was asked: the questions of each session with their keys, written before anybody sees them.

A session's state is a client's to write. What counts (which questions, which key, which cycle, how much is enough)
is therefore read here when an answer is graded.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import delete, select

from storage.statements import Repository, put, to_row
from storage.tables import open_lessons

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


class Lessons(Repository):
    """What is being asked of all learners: of each kind one a session, a new one takes the place of the old."""

    async def put(self, lesson: OpenLesson) -> None:
        async with self._database.write() as conn:
            await put(conn, open_lessons, to_row(lesson), keys=["user_id", "session_id", "kind"])

    async def of(self, user_id: str, *, session_id: str, kind: LessonKind) -> OpenLesson | None:
        statement = select(open_lessons).filter_by(user_id=user_id, session_id=session_id, kind=kind)
        return await self._first(OpenLesson, statement)

    async def forget_before(self, moment: datetime) -> None:
        """Delete what nobody has answered for long."""
        async with self._database.write() as conn:
            await conn.execute(delete(open_lessons).where(open_lessons.c.asked_at < moment))
