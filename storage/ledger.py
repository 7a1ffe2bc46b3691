"""The evidence ledger: one row an answer, never changed; later rows void or re-key earlier ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import func, insert, select

from storage.statements import Repository, has_id, insert_or, to_record, to_row, where_given
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


_ASKING = ("user_id", "session_id", "cycle_number", "question_id", "asking")  # one asking has one answer


class Ledger(Repository):
    """The answers of all learners; each learner's are read and amended in their own name only."""

    async def append(self, answer: Answer) -> Evidence:
        """Add a graded answer; of one that comes again, after a crash say, the first is returned."""
        values = to_row(answer, action="answer")
        same = select(quiz_results).filter_by(action="answer", **{name: values[name] for name in _ASKING})
        async with self._database.write() as conn:
            new = insert_or(conn, quiz_results).on_conflict_do_nothing().returning(quiz_results)
            row = (await conn.execute(new, values)).first() or (await conn.execute(same)).one()
            return to_record(Evidence, row)

    async def answer_to(
        self, question_id: str, *, user_id: str, session_id: str, cycle_number: int, asking: str
    ) -> Evidence | None:
        """The answer that one asking of a question has got already."""
        answers = select(quiz_results).filter_by(action="answer", user_id=user_id, session_id=session_id)
        own = answers.filter_by(cycle_number=cycle_number, question_id=question_id, asking=asking)
        return await self._first(Evidence, own)

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
        own = where_given(select(quiz_results), user_id=user_id, course=course, concept_name=concept_name)
        return await self._all(Evidence, own.order_by(quiz_results.c.id))

    async def about(self, course: str, *, question_id: str | None = None) -> Sequence[Evidence]:
        """Everybody's rows on a course, or on one question of it, oldest first: what its teacher rules on."""
        everybodys = where_given(select(quiz_results), course=course, question_id=question_id)
        return await self._all(Evidence, everybodys.order_by(quiz_results.c.id))

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

    async def _amend(self, answer_id: int, *, user_id: str, news: dict[str, Any]) -> Evidence | None:
        own = select(quiz_results).where(has_id(quiz_results, answer_id))
        async with self._database.write() as conn:
            row = (await conn.execute(own.filter_by(user_id=user_id, action="answer"))).first()
            if row is None:
                return None
            repeated = {name: value for name, value in row._asdict().items() if name != "id"}
            amendment = repeated | news | {"amends_id": answer_id}
            new = insert(quiz_results).returning(quiz_results)
            return to_record(Evidence, (await conn.execute(new, amendment)).one())
