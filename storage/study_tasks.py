"""Study tasks: what the tutor itself puts on a learner's list, never twice for one occasion.

Here is why each was made and what became of it. The task itself is made and ticked off by the task server, so making one
takes two steps: it is planned here, which keeps everybody else from it, and it gets its number once it is on the list.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, delete, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.statements import Repository, insert_or, to_record, to_row, where_given
from storage.tables import study_tasks

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
