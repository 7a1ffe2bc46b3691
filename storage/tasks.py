"""The learner's to-dos."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Delete, Update, and_, case, delete, func, insert, select, update

from storage.errors import InvalidInputError
from storage.statements import Repository, has_id, to_record, where_given
from storage.study_tasks import TUTOR, Outcome, note_closing
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
