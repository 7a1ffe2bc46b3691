"""Study tasks: what the tutor itself puts on a learner's list, never twice for one occasion.

Here is why each was made and what became of it. The task itself is made and ticked off by the task server, so making one
takes two steps: it is planned here, which keeps everybody else from it, and it gets its number once it is on the list.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, delete, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.database import Database
from storage.statements import to_record
from storage.tables import study_tasks

ORIGIN = "tutor"  # what a task's origin says of these
PLANNED = 0  # in the place of a task's number, which is never zero
_GIVEN_UP = timedelta(minutes=5)  # whoever planned it and did not come back by then never will

StudyKind = Literal["cycles", "review", "gap"]
Outcome = Literal["done", "deleted", "settled"]  # by the learner, by the learner, or its occasion is gone


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedTask:
    """A study task that would be useful now; the occasion names the event that makes it so."""

    kind: StudyKind
    subject: str
    occasion: str
    title: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyTask:
    """A study task that was made; open until it has a closed_at."""

    id: int
    user_id: str
    course: str
    kind: StudyKind
    subject: str
    occasion: str
    task_id: int
    title: str
    made_at: datetime
    closed_at: datetime | None
    outcome: Outcome | None


class StudyTasks:
    """The study tasks of all learners; every call names the learner and touches only theirs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, user_id: str, *, course: str | None = None) -> Sequence[StudyTask]:
        """All that the tutor ever put on a learner's list, oldest first."""
        async with self._database.read() as conn:
            known = await _known(conn, user_id)
        return [task for task in known if task.task_id != PLANNED and course in {None, task.course}]

    async def plan(
        self, user_id: str, *, course: str, wanted: Sequence[WantedTask], most_open: int, now: datetime
    ) -> Sequence[tuple[StudyTask, WantedTask]]:
        """Note those that are new and not on the list yet; looking and writing are one transaction."""
        async with self._database.write() as conn:
            await _queue(conn, user_id)
            await conn.execute(
                delete(study_tasks).where(*_planned(user_id), study_tasks.c.made_at < now - _GIVEN_UP)
            )
            known = await _known(conn, user_id)
            new = still_wanted(wanted, known=known, course=course, most_open=most_open)
            return [(await _add(conn, each, user_id=user_id, course=course, now=now), each) for each in new]

    async def put_on_list(self, study_id: int, *, user_id: str, task_id: int) -> None:
        """Note which task a planned one became."""
        planned = update(study_tasks).where(study_tasks.c.id == study_id, *_planned(user_id))
        async with self._database.write() as conn:
            await conn.execute(planned.values(task_id=task_id))

    async def give_up(self, study_id: int, *, user_id: str) -> None:
        """Forget a planned one that could not be put on the list; it is wanted again next time."""
        async with self._database.write() as conn:
            await conn.execute(delete(study_tasks).where(study_tasks.c.id == study_id, *_planned(user_id)))


def still_wanted(
    wanted: Sequence[WantedTask], *, known: Sequence[StudyTask], course: str, most_open: int
) -> list[WantedTask]:
    """What is not on the list yet, never was for the same occasion, and does not flood the list.

    A task that the learner completed or deleted comes again only for a new occasion: a review that
    falls due again, a gap that closed and opened again, another row of failed cycles.
    """
    here = [task for task in known if task.course == course]
    subjects = {task.subject for task in here if task.closed_at is None}
    occasions = {(task.kind, task.subject, task.occasion) for task in here}
    room = {each.kind: most_open for each in wanted}
    for task in known:
        if task.closed_at is None and task.kind in room:
            room[task.kind] -= 1
    new: list[WantedTask] = []
    for each in wanted:
        is_new = (each.kind, each.subject, each.occasion) not in occasions and each.subject not in subjects
        if is_new and room[each.kind] > 0:
            new.append(each)
            subjects.add(each.subject)
            room[each.kind] -= 1
    return new


async def note_closing(
    conn: AsyncConnection, task_id: int, *, user_id: str, outcome: Outcome, now: datetime
) -> None:
    """Note in the learner's record what became of a study task; the first closing counts."""
    closing = (
        update(study_tasks)
        .where(
            study_tasks.c.task_id == task_id,
            study_tasks.c.user_id == user_id,
            study_tasks.c.closed_at.is_(None),
        )
        .values(closed_at=now, outcome=outcome)
    )
    await conn.execute(closing)


async def _known(conn: AsyncConnection, user_id: str) -> list[StudyTask]:
    statement = select(study_tasks).where(study_tasks.c.user_id == user_id).order_by(study_tasks.c.id)
    return [to_record(StudyTask, row) for row in (await conn.execute(statement)).all()]


async def _add(
    conn: AsyncConnection, wanted: WantedTask, *, user_id: str, course: str, now: datetime
) -> StudyTask:
    noted = insert(study_tasks).values(
        user_id=user_id,
        course=course,
        kind=wanted.kind,
        subject=wanted.subject,
        occasion=wanted.occasion,
        task_id=PLANNED,
        title=wanted.title,
        made_at=now,
    )
    return to_record(StudyTask, (await conn.execute(noted.returning(*study_tasks.c))).one())


def _planned(user_id: str) -> tuple[ColumnElement[bool], ...]:
    return study_tasks.c.user_id == user_id, study_tasks.c.task_id == PLANNED


async def _queue(conn: AsyncConnection, user_id: str) -> None:
    # On SQLite BEGIN IMMEDIATE keeps the others waiting already.
    if conn.dialect.name == "postgresql":
        key = {"key": f"tutor study tasks {user_id}"}
        await conn.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), key)
