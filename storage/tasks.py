"""The learner's to-dos, and those that the tutor keeps for their studies."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, Delete, Update, and_, case, delete, func, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.database import Repository, has_id, insert_or, to_record, to_row, where_given
from storage.errors import InvalidInputError
from storage.tables import clean, study_tasks, tasks

TUTOR = "tutor"  # what a task's origin says of these
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


class StudyTasks(Repository):
    """The study tasks of all learners; every call names the learner and touches only theirs."""

    async def of(self, user_id: str, *, course: str | None = None) -> Sequence[StudyTask]:
        """All that the tutor ever put on a learner's list, oldest first."""
        own = where_given(select(study_tasks), user_id=user_id, course=course)
        return await self._all(
            StudyTask, own.where(study_tasks.c.task_id != PLANNED).order_by(study_tasks.c.id)
        )

    async def plan(
        self, user_id: str, *, course: str, wanted: Sequence[WantedTask], most_open: int, now: datetime
    ) -> Sequence[tuple[StudyTask, WantedTask]]:
        """Note those that are new, as long as no more than so many of a kind are open, in one transaction.

        The table refuses what is on the list already, and what was there before for the same occasion: a task that
        the learner completed or deleted comes again only when a review falls due again, a gap closed and opened
        again, or another row of cycles failed.
        """
        open_kinds = select(study_tasks.c.kind).filter_by(user_id=user_id, closed_at=None)
        planned: list[tuple[StudyTask, WantedTask]] = []
        async with self._database.write() as conn:
            await _queue(conn, user_id)
            await conn.execute(
                delete(study_tasks).where(*_planned(user_id), study_tasks.c.made_at < now - _GIVEN_UP)
            )
            opened = Counter((await conn.execute(open_kinds)).scalars())
            for each in wanted:
                if opened[each.kind] >= most_open:
                    continue
                values = to_row(each, user_id=user_id, course=course, task_id=PLANNED, made_at=now)
                del values["description"]
                new = insert_or(conn, study_tasks).values(values).on_conflict_do_nothing()
                if row := (await conn.execute(new.returning(study_tasks))).first():
                    planned.append((to_record(StudyTask, row), each))
                    opened[each.kind] += 1
        return planned

    async def put_on_list(self, study_id: int, *, user_id: str, task_id: int) -> None:
        """Note which task a planned one became."""
        planned = update(study_tasks).where(study_tasks.c.id == study_id, *_planned(user_id))
        async with self._database.write() as conn:
            await conn.execute(planned.values(task_id=task_id))

    async def give_up(self, study_id: int, *, user_id: str) -> None:
        """Forget a planned one that could not be put on the list; it is wanted again next time."""
        async with self._database.write() as conn:
            await conn.execute(delete(study_tasks).where(study_tasks.c.id == study_id, *_planned(user_id)))


async def note_closing(
    conn: AsyncConnection, task_id: int, *, user_id: str, outcome: Outcome, now: datetime
) -> None:
    """Note in the learner's record what became of a study task; the first closing counts."""
    still_open = update(study_tasks).filter_by(task_id=task_id, user_id=user_id, closed_at=None)
    await conn.execute(still_open.values(closed_at=now, outcome=outcome))


def _planned(user_id: str) -> tuple[ColumnElement[bool], ...]:
    return study_tasks.c.user_id == user_id, study_tasks.c.task_id == PLANNED


async def _queue(conn: AsyncConnection, user_id: str) -> None:
    # On SQLite BEGIN IMMEDIATE keeps the others waiting already.
    if conn.dialect.name == "postgresql":
        key = {"key": f"tutor study tasks {user_id}"}
        await conn.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), key)


TITLE_CHARACTERS = 255
DESCRIPTION_CHARACTERS = 1000

TaskStatus = Literal["pending", "completed"]
Origin = Literal["learner", "tutor"]  # who asks


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One to-do of one learner."""

    id: int
    user_id: str
    title: str
    description: str | None
    status: TaskStatus
    due_at: datetime | None
    origin: str
    created_at: datetime
    completed_at: datetime | None


class Tasks(Repository):
    """The to-dos of all learners; every call names the learner and sees only theirs."""

    async def add(
        self,
        user_id: str,
        *,
        title: str,
        now: datetime,
        description: str | None = None,
        due_at: datetime | None = None,
        origin: Origin = "learner",
    ) -> Task:
        """Add a task, pending; why the tutor made one of its own is in storage.study_tasks."""
        statement = insert(tasks).values(
            user_id=user_id,
            title=_title(title),
            description=_description(description),
            status="pending",
            due_at=due_at,
            origin=origin,
            created_at=now,
        )
        async with self._database.write() as conn:
            row = (await conn.execute(statement.returning(tasks))).one()
        return to_record(Task, row)

    async def update(
        self,
        task_id: int,
        *,
        user_id: str,
        title: str | None = None,
        description: str | None = None,
        due_at: datetime | None = None,
        clear_due_at: bool = False,
    ) -> Task | None:
        """Change what is given, an empty description clears it; None when this learner has no such task."""
        values: dict[str, Any] = {}
        if title is not None:
            values["title"] = _title(title)
        if description is not None:
            values["description"] = _description(description)
        if due_at is not None or clear_due_at:
            values["due_at"] = due_at
        return await self._change(update(tasks).values(values), task_id, user_id=user_id)

    async def complete(
        self, task_id: int, *, user_id: str, now: datetime, origin: Origin = "learner"
    ) -> Task | None:
        """Tick a task off; one that was done before keeps its time. None when there is no such task."""
        outcome: Outcome = "settled" if origin == TUTOR else "done"
        done = update(tasks).values(status="completed", completed_at=func.coalesce(tasks.c.completed_at, now))
        return await self._change(done, task_id, user_id=user_id, closes=(outcome, now))

    async def delete(self, task_id: int, *, user_id: str, now: datetime) -> Task | None:
        """Delete a task and return it as it was; None when this learner has no such task."""
        return await self._change(delete(tasks), task_id, user_id=user_id, closes=("deleted", now))

    async def list(self, user_id: str, *, now: datetime, status: TaskStatus | None = None) -> Sequence[Task]:
        """A learner's tasks: overdue ones first, then by due date, then by age."""
        own = where_given(select(tasks), user_id=user_id, status=status)
        return await self._all(Task, own.order_by(*_order(now)))

    async def _change(
        self,
        statement: Update | Delete,
        task_id: int,
        *,
        user_id: str,
        closes: tuple[Outcome, datetime] | None = None,
    ) -> Task | None:
        own = statement.where(has_id(tasks, task_id), tasks.c.user_id == user_id)
        async with self._database.write() as conn:
            row = (await conn.execute(own.returning(tasks))).first()
            if row is None:
                return None
            task = to_record(Task, row)
            if closes and task.origin == TUTOR:
                outcome, now = closes
                await note_closing(conn, task_id, user_id=user_id, outcome=outcome, now=now)
        return task


def _order(now: datetime) -> Sequence[ColumnElement[Any]]:
    overdue = and_(tasks.c.status == "pending", tasks.c.due_at < now)
    # Spelt out, because the databases disagree on where missing dates sort.
    undated = case((tasks.c.due_at.is_(None), 1), else_=0)
    return (case((overdue, 0), else_=1), undated, tasks.c.due_at, tasks.c.created_at, tasks.c.id)


def _title(text: str) -> str:
    title = clean(text).strip()
    if not title:
        raise InvalidInputError(f"A task needs a title of 1 to {TITLE_CHARACTERS} characters.")
    if len(title) > TITLE_CHARACTERS:
        raise InvalidInputError(
            f"A task title has at most {TITLE_CHARACTERS} characters; this one has {len(title)}."
        )
    return title


def _description(text: str | None) -> str | None:
    description = clean(text or "").strip()
    if len(description) > DESCRIPTION_CHARACTERS:
        raise InvalidInputError(
            f"A task description has at most {DESCRIPTION_CHARACTERS} characters; this one has {len(description)}."
        )
    return description or None
