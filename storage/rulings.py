"""What a teacher decided about questions, and what learners said against their marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, insert, select, update

from storage.database import Database
from storage.statements import can_be_id, columns_for, to_record, to_row
from storage.tables import disputes, question_rulings

RulingKind = Literal["void", "also_right", "retired"]
DisputeOutcome = Literal["kept", "corrected", "voided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRuling:
    """One decision: the question counts for nothing, another answer is right too, or it is not asked again."""

    id: int
    course: str
    question_id: str
    question_text: str
    ruling: RulingKind
    accepted_answer: str | None
    decided_by: str
    decided_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """One 'I disagree', and what the tutor made of it."""

    user_id: str
    course: str
    question_id: str
    answer_id: int
    argument: str
    outcome: DisputeOutcome
    disputed_at: datetime


_RULING = columns_for(QuestionRuling, question_rulings)


class QuestionRulings:
    """The decisions in force, for everybody; one that was withdrawn is kept, but not shown."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        *,
        course: str,
        question_id: str,
        question_text: str,
        ruling: RulingKind,
        decided_by: str,
        now: datetime,
        accepted_answer: str | None = None,
    ) -> QuestionRuling:
        """Put a decision in force; the same one again changes nothing."""
        values = {
            "course": course,
            "question_id": question_id,
            "question_text": question_text,
            "ruling": ruling,
            "accepted_answer": accepted_answer,
            "decided_by": decided_by,
            "decided_at": now,
        }
        table = question_rulings
        same = select(*_RULING).where(
            table.c.course == course,
            table.c.question_id == question_id,
            table.c.ruling == ruling,
            table.c.accepted_answer.is_not_distinct_from(accepted_answer),
            table.c.withdrawn_at.is_(None),
        )
        async with self._database.write() as conn:
            row = (await conn.execute(same)).first()
            if row is None:
                row = (await conn.execute(insert(table).values(values).returning(*_RULING))).one()
        return to_record(QuestionRuling, row)

    async def withdraw(self, ruling_id: int, *, now: datetime) -> QuestionRuling | None:
        """Take a decision back; None when it is not in force."""
        if not can_be_id(ruling_id):
            return None
        table = question_rulings
        statement = (
            update(table)
            .where(table.c.id == ruling_id, table.c.withdrawn_at.is_(None))
            .values(withdrawn_at=now)
            .returning(*_RULING)
        )
        async with self._database.write() as conn:
            row = (await conn.execute(statement)).first()
        return None if row is None else to_record(QuestionRuling, row)

    async def of(self, course: str) -> Sequence[QuestionRuling]:
        """Those in force in a course, oldest first."""
        table = question_rulings
        statement = select(*_RULING).where(table.c.course == course, table.c.withdrawn_at.is_(None))
        return [
            to_record(QuestionRuling, row)
            for row in await self._database.fetch(statement.order_by(table.c.id))
        ]


class Disputes:
    """What learners said against their marks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, dispute: Dispute) -> None:
        async with self._database.write() as conn:
            await conn.execute(insert(disputes).values(to_row(dispute)))

    async def of_learner(self, user_id: str) -> Sequence[Dispute]:
        return await self._where(disputes.c.user_id == user_id)

    async def of_course(self, course: str) -> Sequence[Dispute]:
        """Everybody's, for their teacher."""
        return await self._where(disputes.c.course == course)

    async def _where(self, condition: ColumnElement[bool]) -> Sequence[Dispute]:
        statement = select(*columns_for(Dispute, disputes)).where(condition).order_by(disputes.c.id)
        return [to_record(Dispute, row) for row in await self._database.fetch(statement)]
