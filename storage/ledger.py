"""The evidence ledger: one row an answer, never changed; later rows void or re-key earlier ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Select, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.database import Database
from storage.statements import can_be_id, columns_for, insert_or, to_record, to_row
from storage.tables import quiz_results

Difficulty = Literal["easy", "medium", "hard"]
Action = Literal["answer", "void", "rekey"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One graded answer, with everything needed to grade it again."""

    user_id: str
    session_id: str
    course: str
    topic: str
    cycle_number: int
    question_id: str
    question_text: str
    concept_name: str
    kind: str
    difficulty: Difficulty
    expected_answer: str
    options: tuple[str, ...]
    chunk_id: str
    source_context: str
    learner_answer: str
    is_correct: bool
    score: float
    grader: str
    reason: str
    confident: bool
    attempt_number: int
    time_taken_seconds: float
    answered_at: datetime
    hints: int = 0  # given before it
    asking: str | None = None  # which time the question was asked; one asking has one answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Answer):
    """One row of the ledger; an amendment repeats its answer, with what it changes."""

    id: int
    action: Action
    amends_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rekey:
    """What an answer is worth after its key was corrected."""

    expected_answer: str
    is_correct: bool
    score: float


_EVIDENCE = columns_for(Evidence, quiz_results)


class Ledger:
    """The answers of all learners; each learner's are read and amended in their own name only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, answer: Answer) -> Evidence:
        """Add a graded answer; of one that comes again, after a crash say, the first is returned."""
        async with self._database.write() as conn:
            new = insert_or(conn, quiz_results).on_conflict_do_nothing().returning(*_EVIDENCE)
            values = to_row(answer, action="answer")
            row = (await conn.execute(new, values)).first()
            if row is None:
                row = (await conn.execute(_same_asking(values))).one()
            return to_record(Evidence, row)

    async def answer_to(
        self, question_id: str, *, user_id: str, session_id: str, cycle_number: int, asking: str
    ) -> Evidence | None:
        """The answer that one asking of a question has got already."""
        key = {
            "user_id": user_id,
            "session_id": session_id,
            "cycle_number": cycle_number,
            "question_id": question_id,
            "asking": asking,
        }
        rows = await self._database.fetch(_same_asking(key))
        return to_record(Evidence, rows[0]) if rows else None

    async def void(
        self, answer_id: int, *, user_id: str, grader: str, reason: str, now: datetime
    ) -> Evidence | None:
        """Make an answer count for nothing; None when this learner has no such answer."""
        news = {"action": "void", "grader": grader, "reason": reason, "answered_at": now}
        return await self._amend(answer_id, user_id=user_id, news=news)

    async def rekey(
        self, answer_id: int, *, user_id: str, rekey: Rekey, grader: str, reason: str, now: datetime
    ) -> Evidence | None:
        """Grade an answer anew; None when this learner has no such answer."""
        news = {"action": "rekey", "grader": grader, "reason": reason, "answered_at": now}
        return await self._amend(answer_id, user_id=user_id, news=news | to_row(rekey))

    async def of(
        self, user_id: str, *, course: str | None = None, concept_name: str | None = None
    ) -> Sequence[Evidence]:
        """A learner's rows, oldest first."""
        statement = select(*_EVIDENCE).where(quiz_results.c.user_id == user_id).order_by(quiz_results.c.id)
        if course is not None:
            statement = statement.where(quiz_results.c.course == course)
        if concept_name is not None:
            statement = statement.where(quiz_results.c.concept_name == concept_name)
        return [to_record(Evidence, row) for row in await self._database.fetch(statement)]

    async def about(self, course: str, *, question_id: str | None = None) -> Sequence[Evidence]:
        """Everybody's rows on a course, or on one question of it, oldest first: what its teacher rules on."""
        statement = select(*_EVIDENCE).where(quiz_results.c.course == course).order_by(quiz_results.c.id)
        if question_id is not None:
            statement = statement.where(quiz_results.c.question_id == question_id)
        return [to_record(Evidence, row) for row in await self._database.fetch(statement)]

    async def attempts(self, user_id: str, *, question_id: str) -> int:
        """How often a learner has answered a question so far."""
        statement = select(func.count().label("answers")).where(
            quiz_results.c.user_id == user_id,
            quiz_results.c.question_id == question_id,
            quiz_results.c.action == "answer",
        )
        [row] = await self._database.fetch(statement)
        return int(row.answers)

    async def shelves(self) -> Sequence[tuple[str, str]]:
        """Whose answers there are, and on which course: what `of` can be asked for."""
        whose = select(quiz_results.c.user_id, quiz_results.c.course).distinct()
        return sorted((row.user_id, row.course) for row in await self._database.fetch(whose))

    async def _amend(self, answer_id: int, *, user_id: str, news: dict[str, Any]) -> Evidence | None:
        if not can_be_id(answer_id):
            return None
        own_answer = select(*_EVIDENCE).where(
            quiz_results.c.id == answer_id,
            quiz_results.c.user_id == user_id,
            quiz_results.c.action == "answer",
        )
        async with self._database.write() as conn:
            row = (await conn.execute(own_answer)).first()
            if row is None:
                return None
            repeated = {name: value for name, value in row._asdict().items() if name != "id"}
            return await _add(conn, repeated | news | {"amends_id": answer_id})


def _same_asking(values: Mapping[str, Any]) -> Select[Any]:
    key = ("user_id", "session_id", "cycle_number", "question_id", "asking")
    same = (quiz_results.c[name] == values[name] for name in key)
    return select(*_EVIDENCE).where(quiz_results.c.action == "answer", *same)


async def _add(conn: AsyncConnection, values: dict[str, Any]) -> Evidence:
    statement = insert(quiz_results).returning(*_EVIDENCE)
    return to_record(Evidence, (await conn.execute(statement, values)).one())
