"""The learner's to-dos."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Delete, Update, and_, case, delete, func, insert, select, update

from storage.database import Database
from storage.errors import InvalidInputError
from storage.statements import can_be_id, to_record
from storage.study_tasks import ORIGIN as TUTOR
from storage.study_tasks import Outcome, note_closing
from storage.tables import tasks
from storage.types import clean

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


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskChanges:
    """What to change in a task; None leaves a field as it is, an empty description clears it."""

    title: str | None = None
    description: str | None = None
    due_at: datetime | None = None
    clear_due_at: bool = False


class Tasks:
    """The to-dos of all learners; every call names the learner and sees only theirs."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
            row = (await conn.execute(statement.returning(*tasks.c))).one()
        return to_record(Task, row)

    async def get(self, task_id: int, *, user_id: str) -> Task | None:
        """One task, or None when this learner has no such task."""
        if not can_be_id(task_id):
            return None
        rows = await self._database.fetch(select(tasks).where(_own(task_id, user_id=user_id)))
        return to_record(Task, rows[0]) if rows else None

    async def update(self, task_id: int, *, user_id: str, changes: TaskChanges) -> Task | None:
        """Change a task; None when this learner has no such task."""
        values = _values(changes)
        if not values:
            return await self.get(task_id, user_id=user_id)
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
        statement = select(tasks).where(tasks.c.user_id == user_id).order_by(*_order(now))
        if status is not None:
            statement = statement.where(tasks.c.status == status)
        return [to_record(Task, row) for row in await self._database.fetch(statement)]

    async def _change(
        self,
        statement: Update | Delete,
        task_id: int,
        *,
        user_id: str,
        closes: tuple[Outcome, datetime] | None = None,
    ) -> Task | None:
        if not can_be_id(task_id):
            return None
        statement = statement.where(_own(task_id, user_id=user_id))
        async with self._database.write() as conn:
            row = (await conn.execute(statement.returning(*tasks.c))).first()
            if row is None:
                return None
            task = to_record(Task, row)
            if closes and task.origin == TUTOR:
                outcome, now = closes
                await note_closing(conn, task_id, user_id=user_id, outcome=outcome, now=now)
        return task


def _own(task_id: int, *, user_id: str) -> ColumnElement[bool]:
    return and_(tasks.c.id == task_id, tasks.c.user_id == user_id)


def _order(now: datetime) -> Sequence[ColumnElement[Any]]:
    overdue = and_(tasks.c.status == "pending", tasks.c.due_at < now)
    # Spelt out, because the databases disagree on where missing dates sort.
    undated = case((tasks.c.due_at.is_(None), 1), else_=0)
    return (case((overdue, 0), else_=1), undated, tasks.c.due_at, tasks.c.created_at, tasks.c.id)


def _values(changes: TaskChanges) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if changes.title is not None:
        values["title"] = _title(changes.title)
    if changes.description is not None:
        values["description"] = _description(changes.description)
    if changes.due_at is not None or changes.clear_due_at:
        values["due_at"] = changes.due_at
    return values


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
