"""What a teacher decided about questions, and what learners said against their marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import insert, select, update

from storage.statements import Repository, has_id, to_record, to_row
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


_IN_FORCE = select(question_rulings).where(question_rulings.c.withdrawn_at.is_(None))


class QuestionRulings(Repository):
    """The decisions in force, for everybody; one that was withdrawn is kept, but not shown."""

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
        decision = {
            "course": course,
            "question_id": question_id,
            "ruling": ruling,
            "accepted_answer": accepted_answer,
        }
        new = insert(question_rulings).values(
            **decision, question_text=question_text, decided_by=decided_by, decided_at=now
        )
        async with self._database.write() as conn:
            row = (await conn.execute(_IN_FORCE.filter_by(**decision))).first()
            if row is None:
                row = (await conn.execute(new.returning(question_rulings))).one()
        return to_record(QuestionRuling, row)

    async def withdraw(self, ruling_id: int, *, now: datetime) -> QuestionRuling | None:
        """Take a decision back; None when it is not in force."""
        table = question_rulings
        in_force = update(table).where(has_id(table, ruling_id), table.c.withdrawn_at.is_(None))
        return await self._write(QuestionRuling, in_force.values(withdrawn_at=now).returning(table))

    async def of(self, course: str) -> Sequence[QuestionRuling]:
        """Those in force in a course, oldest first."""
        here = _IN_FORCE.where(question_rulings.c.course == course)
        return await self._all(QuestionRuling, here.order_by(question_rulings.c.id))


class Disputes(Repository):
    """What learners said against their marks."""

    async def add(self, dispute: Dispute) -> None:
        async with self._database.write() as conn:
            await conn.execute(insert(disputes).values(to_row(dispute)))

    async def of_course(self, course: str) -> Sequence[Dispute]:
        """Everybody's, for their teacher."""
        here = select(disputes).where(disputes.c.course == course)
        return await self._all(Dispute, here.order_by(disputes.c.id))
