"""The evidence ledger: one row an answer, never changed; later rows, rulings, calibrations and thresholds say how it counts."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, Literal, TypeVar

from sqlalchemy import Executable, Table, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from agents.teaching.evidence import GradedAnswer, LedgerRow, QuestionRuling, Rekey, RulingKind
from storage.clock import note_decision
from storage.database import Database, Repository, has_id, insert_or, put, to_record, to_row, where_given
from storage.items import count_answer, count_dispute
from storage.shelves import (
    NOT_MADE,
    AnswerShelf,
    Bookkeeping,
    Kept,
    keep_concept,
    keep_figures,
    open_shelf,
    read_shelves,
)
from storage.tables import (
    course_records,
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

    def __init__(self, database: Database, *, books: Bookkeeping) -> None:
        super().__init__(database)
        self._books = books

    async def append(self, answer: GradedAnswer, *, parameters: Any = None) -> LedgerRow:
        """Add a graded answer, with all that it changes; of one that comes again, after a crash say, the first is returned."""
        books = self._books
        async with self._database.write() as conn:
            shelf = await open_shelf(
                conn, answer.user_id, course=answer.course, books=books, parameters=parameters
            )
            said = books.forecast(shelf, answer, parameters=parameters)
            values = to_row(answer, action="answer", forecast=said)
            new = insert_or(conn, quiz_results).on_conflict_do_nothing().returning(quiz_results)
            inserted = (await conn.execute(new, values)).first()
            if inserted is None:
                key = {name: values[name] for name in _ASKING}
                same = select(quiz_results).filter_by(action="answer", **key)
                return to_record(LedgerRow, (await conn.execute(same)).one())
            row = to_record(LedgerRow, inserted)
            await count_answer(
                conn,
                course=answer.course,
                question_id=answer.question_id,
                is_correct=answer.is_correct,
                seconds=answer.time_taken_seconds,
            )
            record = books.added(shelf, row) or await self._replayed(conn, row)
            await keep_concept(conn, shelf, row.concept_name, record)
            await keep_figures(conn, shelf, books.counted(shelf.figures, row), last_answer=row.id)
            return row

    async def shelves_of(
        self, user_id: str, *, course: str | None = None, parameters: Any = None
    ) -> Mapping[str, AnswerShelf]:
        """What a learner's answers amount to, by course, the one that was answered in last first."""
        found = await self._shelves(parameters=parameters, user_id=user_id, course=course)
        return {shelf.course: shelf for shelf in found}

    async def shelves_on(self, course: str, *, parameters: Any = None) -> Mapping[str, AnswerShelf]:
        """What everybody's answers in a course amount to, by learner."""
        return {shelf.user_id: shelf for shelf in await self._shelves(parameters=parameters, course=course)}

    async def make_anew(self, user_id: str, *, course: str) -> None:
        """Make what is kept of a learner's answers in a course from the ledger again."""
        async with self._database.write() as conn:
            outdated = update(course_records).filter_by(user_id=user_id, course=course)
            await conn.execute(outdated.values(version=NOT_MADE))
            await open_shelf(conn, user_id, course=course, books=self._books, parameters=None)

    async def note(self, user_id: str, *, course: str, change: Callable[[Kept], Kept]) -> None:
        """Change what is kept of a course as a whole."""
        own = select(course_records).filter_by(user_id=user_id, course=course, version=self._books.version)
        async with self._database.write() as conn:
            row = (await conn.execute(own.with_for_update())).first()
            if row is not None:
                after = dict(change(row.figures))
                held = update(course_records).filter_by(user_id=user_id, course=course)
                await conn.execute(held.values(figures=after))

    async def courses_of(self, user_id: str) -> Sequence[str]:
        """The courses that a learner has answered something in, the last one first."""
        table = course_records
        own = select(table.c.course).where(table.c.user_id == user_id, table.c.last_answer > 0)
        return [row.course for row in await self._database.fetch(own.order_by(table.c.last_answer.desc()))]

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

    async def newest(
        self,
        user_id: str,
        *,
        most: int,
        course: str | None = None,
        concept_names: Collection[str] | None = None,
    ) -> Sequence[LedgerRow]:
        """A learner's last answers with all amendments of them, oldest first."""
        table = quiz_results
        own = where_given(select(table), user_id=user_id, course=course, action="answer")
        if concept_names is not None:
            own = own.where(table.c.concept_name.in_(concept_names))
        answers = await self._all(LedgerRow, own.order_by(table.c.id.desc()).limit(most))
        return sorted([*answers, *await self._about(answers)], key=attrgetter("id"))

    async def to_question(self, user_id: str, *, question_id: str) -> Sequence[LedgerRow]:
        """A learner's answers to a question, oldest first."""
        own = select(quiz_results).filter_by(user_id=user_id, question_id=question_id, action="answer")
        return await self._all(LedgerRow, own.order_by(quiz_results.c.id))

    async def since(self, user_id: str, moment: datetime) -> Sequence[tuple[datetime, bool]]:
        """When a learner has answered since then, and whether that counts as right by now; without what is void."""
        answers, later, any_ = quiz_results.alias(), quiz_results.alias(), quiz_results.alias()
        newest = select(func.max(any_.c.id)).where(any_.c.amends_id == answers.c.id).scalar_subquery()
        found = (
            select(
                answers.c.answered_at, answers.c.is_correct, later.c.action, later.c.is_correct.label("now")
            )
            .select_from(answers.outerjoin(later, later.c.id == newest))
            .where(
                answers.c.user_id == user_id, answers.c.answered_at >= moment, answers.c.action == "answer"
            )
        )
        rows = await self._database.fetch(found.order_by(answers.c.answered_at))
        return [
            (row.answered_at, row.is_correct if row.now is None else row.now)
            for row in rows
            if row.action != "void"
        ]

    async def amendments(self, user_id: str, *, course: str) -> Mapping[int, LedgerRow]:
        """The newest row about each answer of a learner that was looked at again, by the answer's number."""
        own = select(quiz_results).filter_by(user_id=user_id, course=course)
        later = own.where(quiz_results.c.amends_id.is_not(None)).order_by(quiz_results.c.id)
        return {row.amends_id: row for row in await self._all(LedgerRow, later) if row.amends_id is not None}

    async def about(self, course: str, *, question_id: str | None = None) -> Sequence[LedgerRow]:
        """Everybody's rows on a course, or on one question of it, oldest first: what its teacher rules on."""
        everybodys = where_given(select(quiz_results), course=course, question_id=question_id)
        return await self._all(LedgerRow, everybodys.order_by(quiz_results.c.id))

    async def count(self, user_id: str) -> int:
        """How many rows a learner has."""
        own = select(func.count().label("rows")).select_from(quiz_results).filter_by(user_id=user_id)
        [row] = await self._database.fetch(own)
        return int(row.rows)

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
            shelf = await open_shelf(conn, user_id, course=row.course, books=self._books, parameters=None)
            about = select(quiz_results).where(quiz_results.c.amends_id == answer_id)
            last = (await conn.execute(about.order_by(quiz_results.c.id.desc()).limit(1))).first()
            new = insert(quiz_results).returning(quiz_results)
            after = to_record(LedgerRow, (await conn.execute(new, amendment)).one())
            await keep_concept(conn, shelf, row.concept_name, await self._replayed(conn, after))
            figures = self._books.counted(shelf.figures, after, before=to_record(LedgerRow, last or row))
            await keep_figures(conn, shelf, figures)
            return after

    async def _shelves(self, *, parameters: Any, **wanted: str | None) -> list[AnswerShelf]:
        async with self._database.read() as conn:
            found = await read_shelves(conn, **wanted)
        outdated = [shelf for shelf in found if shelf.version != self._books.version]
        if not outdated:
            return found
        for shelf in outdated:
            async with self._database.write() as conn:
                await open_shelf(
                    conn, shelf.user_id, course=shelf.course, books=self._books, parameters=parameters
                )
        async with self._database.read() as conn:
            return await read_shelves(conn, **wanted)

    async def _replayed(self, conn: AsyncConnection, answer: LedgerRow) -> Kept:
        """The concept of an answer anew: all its rows, and no other's."""
        key = {"user_id": answer.user_id, "course": answer.course, "concept_name": answer.concept_name}
        own = select(quiz_results).filter_by(**key).order_by(quiz_results.c.id)
        return self._books.replayed([to_record(LedgerRow, row) for row in (await conn.execute(own)).all()])

    async def _about(self, answers: Sequence[LedgerRow]) -> list[LedgerRow]:
        """The amendments of these answers."""
        if not answers:
            return []
        numbers = [answer.id for answer in answers]
        return await self._all(LedgerRow, select(quiz_results).where(quiz_results.c.amends_id.in_(numbers)))


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
                await note_decision(conn)
        return to_record(QuestionRuling, row)

    async def withdraw(self, ruling_id: int, *, now: datetime) -> QuestionRuling | None:
        """Take a decision back; None when it is not in force."""
        table = question_rulings
        in_force = update(table).where(has_id(table, ruling_id), table.c.withdrawn_at.is_(None))
        return await _decide(
            self._database, QuestionRuling, in_force.values(withdrawn_at=now).returning(table)
        )

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


T = TypeVar("T")


async def _decide(database: Database, record: type[T], statement: Executable) -> T | None:
    """One statement that may change what counts for everybody; the row that it returns, or None when it changed none."""
    async with database.write() as conn:
        row = (await conn.execute(statement)).first()
        if row is None:
            return None
        await note_decision(conn)
    return to_record(record, row)


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
            await note_decision(conn)

    async def undo(self, *, now: datetime) -> Calibration | None:
        """Go back to what counted before; None when nothing was ever fitted, or all of it is undone."""
        newest = _NEWEST.with_only_columns(mastery_parameters.c.id).scalar_subquery()
        undone = update(mastery_parameters).where(mastery_parameters.c.id == newest).values(undone_at=now)
        return await _decide(self._database, Calibration, undone.returning(mastery_parameters))


class ThresholdChoices(Repository):
    """What learners chose for themselves, and teachers for their courses."""

    async def of(self, user_id: str) -> float | None:
        """A learner's own."""
        own = select(learner_thresholds.c.threshold).filter_by(user_id=user_id)
        return next((row.threshold for row in await self._database.fetch(own)), None)

    async def of_courses(self) -> Mapping[str, float]:
        """What teachers decided."""
        rows = await self._database.fetch(select(course_thresholds.c.course, course_thresholds.c.threshold))
        return {row.course: row.threshold for row in rows}

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
            if table is course_thresholds:
                await note_decision(conn)
