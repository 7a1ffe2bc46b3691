"""The evidence ledger: one row an answer, never changed; later rows, rulings, calibrations and thresholds say how it counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Table, delete, func, insert, null, select, union_all, update

from agents.teaching.evidence import GradedAnswer, LedgerRow, QuestionRuling, Rekey, RulingKind
from storage.database import Repository, has_id, insert_or, put, to_record, to_row, where_given
from storage.items import count_answer, count_dispute
from storage.tables import (
    course_thresholds,
    disputes,
    learner_thresholds,
    mastery_parameters,
    question_rulings,
    quiz_results,
)

_ASKING = ("user_id", "session_id", "cycle_number", "question_id", "asking")  # one asking has one answer


class Ledger(Repository):
    """The answers of all learners; each learner's are read and amended in their own name only."""

    async def append(self, answer: GradedAnswer) -> LedgerRow:
        """Add a graded answer; of one that comes again, after a crash say, the first is returned."""
        values = to_row(answer, action="answer")
        same = select(quiz_results).filter_by(action="answer", **{name: values[name] for name in _ASKING})
        async with self._database.write() as conn:
            new = insert_or(conn, quiz_results).on_conflict_do_nothing().returning(quiz_results)
            row = (await conn.execute(new, values)).first()
            if row is None:
                return to_record(LedgerRow, (await conn.execute(same)).one())
            await count_answer(
                conn,
                course=answer.course,
                question_id=answer.question_id,
                is_correct=answer.is_correct,
                seconds=answer.time_taken_seconds,
            )
            return to_record(LedgerRow, row)

    async def answer_to(
        self, question_id: str, *, user_id: str, cycle_number: int, asking: str
    ) -> LedgerRow | None:
        """The answer that one asking of a question has got already, in whichever session."""
        answers = select(quiz_results).filter_by(action="answer", user_id=user_id, question_id=question_id)
        own = answers.filter_by(cycle_number=cycle_number, asking=asking).order_by(quiz_results.c.id)
        return await self._first(LedgerRow, own)

    async def void(
        self, answer_id: int, *, user_id: str, grader: str, reason: str, now: datetime
    ) -> LedgerRow | None:
        """Make an answer count for nothing; None when this learner has no such answer."""
        news = {"action": "void", "grader": grader, "reason": reason, "answered_at": now}
        return await self._amend(answer_id, user_id=user_id, news=news)

    async def rekey(
        self, answer_id: int, *, user_id: str, rekey: Rekey, grader: str, reason: str, now: datetime
    ) -> LedgerRow | None:
        """Grade an answer anew; None when this learner has no such answer."""
        news = {"action": "rekey", "grader": grader, "reason": reason, "answered_at": now}
        return await self._amend(answer_id, user_id=user_id, news=news | to_row(rekey))

    async def of(
        self, user_id: str, *, course: str | None = None, concept_name: str | None = None
    ) -> Sequence[LedgerRow]:
        """A learner's rows, oldest first."""
        own = where_given(select(quiz_results), user_id=user_id, course=course, concept_name=concept_name)
        return await self._all(LedgerRow, own.order_by(quiz_results.c.id))

    async def amendments(self, user_id: str, *, course: str) -> Mapping[int, LedgerRow]:
        """The newest row about each answer of a learner that was looked at again, by the answer's number."""
        own = select(quiz_results).filter_by(user_id=user_id, course=course)
        later = own.where(quiz_results.c.amends_id.is_not(None)).order_by(quiz_results.c.id)
        return {row.amends_id: row for row in await self._all(LedgerRow, later) if row.amends_id is not None}

    async def about(self, course: str, *, question_id: str | None = None) -> Sequence[LedgerRow]:
        """Everybody's rows on a course, or on one question of it, oldest first: what its teacher rules on."""
        everybodys = where_given(select(quiz_results), course=course, question_id=question_id)
        return await self._all(LedgerRow, everybodys.order_by(quiz_results.c.id))

    async def attempts(self, user_id: str, *, question_id: str) -> int:
        """How often a learner has answered a question so far."""
        answers = select(func.count().label("answers")).select_from(quiz_results)
        own = answers.filter_by(user_id=user_id, question_id=question_id, action="answer")
        [row] = await self._database.fetch(own)
        return int(row.answers)

    async def shelves(self) -> Sequence[tuple[str, str]]:
        """Whose answers there are, and on which course: what `of` can be asked for."""
        whose = select(quiz_results.c.user_id, quiz_results.c.course).distinct()
        return sorted((row.user_id, row.course) for row in await self._database.fetch(whose))

    async def _amend(self, answer_id: int, *, user_id: str, news: dict[str, Any]) -> LedgerRow | None:
        own = select(quiz_results).where(has_id(quiz_results, answer_id))
        async with self._database.write() as conn:
            row = (await conn.execute(own.filter_by(user_id=user_id, action="answer"))).first()
            if row is None:
                return None
            repeated = {name: value for name, value in row._asdict().items() if name != "id"}
            amendment = repeated | news | {"amends_id": answer_id}
            new = insert(quiz_results).returning(quiz_results)
            return to_record(LedgerRow, (await conn.execute(new, amendment)).one())


DisputeOutcome = Literal["kept", "corrected", "voided"]


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
            await count_dispute(conn, course=dispute.course, question_id=dispute.question_id)

    async def of_course(self, course: str) -> Sequence[Dispute]:
        """Everybody's, for their teacher."""
        here = select(disputes).where(disputes.c.course == course)
        return await self._all(Dispute, here.order_by(disputes.c.id))


_NEWEST = (
    select(mastery_parameters)
    .where(mastery_parameters.c.undone_at.is_(None))
    .order_by(mastery_parameters.c.id.desc())
    .limit(1)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """One fit: its parameters by name, and how many answers there were."""

    id: int
    parameters: Mapping[str, float]
    answers: int
    fitted_at: datetime
    undone_at: datetime | None


class Calibrations(Repository):
    """The newest one that was not undone counts, for everybody."""

    async def current(self) -> Calibration | None:
        return await self._first(Calibration, _NEWEST)

    async def add(self, parameters: Mapping[str, float], *, answers: int, now: datetime) -> None:
        values = {"parameters": dict(parameters), "answers": answers, "fitted_at": now}
        async with self._database.write() as conn:
            await conn.execute(insert(mastery_parameters).values(values))

    async def undo(self, *, now: datetime) -> Calibration | None:
        """Go back to what counted before; None when nothing was ever fitted, or all of it is undone."""
        newest = _NEWEST.with_only_columns(mastery_parameters.c.id).scalar_subquery()
        undone = update(mastery_parameters).where(mastery_parameters.c.id == newest).values(undone_at=now)
        return await self._write(Calibration, undone.returning(mastery_parameters))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenThresholds:
    """From when on something is mastered, where somebody chose it."""

    own: float | None = None  # by the learner
    by_course: Mapping[str, float] = field(default_factory=dict)  # by teachers


class ThresholdChoices(Repository):
    """What learners chose for themselves, and teachers for their courses."""

    async def of(self, user_id: str) -> ChosenThresholds:
        chosen, ruled = learner_thresholds, course_thresholds
        own = select(null().label("course"), chosen.c.threshold).where(chosen.c.user_id == user_id)
        rows = await self._database.fetch(union_all(own, select(ruled.c.course, ruled.c.threshold)))
        return ChosenThresholds(
            own=next((row.threshold for row in rows if row.course is None), None),
            by_course={row.course: row.threshold for row in rows if row.course is not None},
        )

    async def choose(self, user_id: str, *, threshold: float | None, now: datetime) -> None:
        """A learner's own; None: none of their own any more."""
        values = {"user_id": user_id, "threshold": threshold, "chosen_at": now}
        await self._keep(learner_thresholds, values, key="user_id")

    async def rule(self, course: str, *, threshold: float | None, decided_by: str, now: datetime) -> None:
        """A course's, for everybody without one of their own; None: the installation's again."""
        values = {"course": course, "threshold": threshold, "decided_by": decided_by, "decided_at": now}
        await self._keep(course_thresholds, values, key="course")

    async def _keep(self, table: Table, values: dict[str, Any], *, key: str) -> None:
        async with self._database.write() as conn:
            if values["threshold"] is None:
                await conn.execute(delete(table).where(table.c[key] == values[key]))
            else:
                await put(conn, table, values, keys=[key])
