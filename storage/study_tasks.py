"""Study tasks: what the tutor itself puts on a learner's list, never twice for one occasion."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.database import Database
from storage.statements import to_record
from storage.tables import study_tasks, tasks

ORIGIN = "tutor"  # what a task's origin says of these

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
        """All that the tutor ever made for a learner, oldest first."""
        async with self._database.read() as conn:
            return [task for task in await _known(conn, user_id) if course in {None, task.course}]

    async def make(
        self, user_id: str, *, course: str, wanted: Sequence[WantedTask], most_open: int, now: datetime
    ) -> Sequence[StudyTask]:
        """Put those on the learner's list that are new; looking and writing are one transaction."""
        async with self._database.write() as conn:
            await _queue(conn, user_id)
            known = await _known(conn, user_id)
            new = still_wanted(wanted, known=known, course=course, most_open=most_open)
            return [await _add(conn, each, user_id=user_id, course=course, now=now) for each in new]

    async def settle(self, ids: Sequence[int], *, user_id: str, now: datetime) -> Sequence[StudyTask]:
        """Tick off open study tasks whose occasion is gone; returns those that were still open."""
        closed = (
            update(study_tasks)
            .where(
                study_tasks.c.id.in_(ids),
                study_tasks.c.user_id == user_id,
                study_tasks.c.closed_at.is_(None),
            )
            .values(closed_at=now, outcome="settled")
            .returning(*study_tasks.c)
        )
        async with self._database.write() as conn:
            settled = [to_record(StudyTask, row) for row in (await conn.execute(closed)).all()]
            done = (
                update(tasks)
                .where(tasks.c.id.in_([task.task_id for task in settled]), tasks.c.user_id == user_id)
                .values(status="completed", completed_at=now)
            )
            await conn.execute(done)
        return sorted(settled, key=lambda task: task.id)


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
    task = insert(tasks).values(
        user_id=user_id,
        title=wanted.title,
        description=wanted.description,
        status="pending",
        origin=ORIGIN,
        created_at=now,
    )
    task_id = (await conn.execute(task.returning(tasks.c.id))).scalar_one()
    noted = insert(study_tasks).values(
        user_id=user_id,
        course=course,
        kind=wanted.kind,
        subject=wanted.subject,
        occasion=wanted.occasion,
        task_id=task_id,
        title=wanted.title,
        made_at=now,
    )
    return to_record(StudyTask, (await conn.execute(noted.returning(*study_tasks.c))).one())


async def _queue(conn: AsyncConnection, user_id: str) -> None:
    # On SQLite BEGIN IMMEDIATE keeps the others waiting already.
    if conn.dialect.name == "postgresql":
        key = {"key": f"tutor study tasks {user_id}"}
        await conn.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), key)
