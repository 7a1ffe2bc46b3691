"""The evidence ledger: one row an answer, never changed; later rows void or re-key earlier ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.database import Database
from storage.statements import can_be_id, columns_for, to_record, to_row
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
        """Add a graded answer."""
        async with self._database.write() as conn:
            return await _add(conn, to_row(answer, action="answer"))

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


async def _add(conn: AsyncConnection, values: dict[str, Any]) -> Evidence:
    statement = insert(quiz_results).returning(*_EVIDENCE)
    return to_record(Evidence, (await conn.execute(statement, values)).one())
