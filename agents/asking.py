"""What is asked, by our own record: a session's copy of its questions is only shown.

Written before a question is shown, read when its answer is graded. A question that is not in it was not asked by us,
and nothing is graded by a key that a client may have written.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

from google.adk.agents.invocation_context import InvocationContext
from pydantic import ValidationError

from agents.bookkeeping import not_saved
from agents.mastery_book import is_voided
from agents.services import Services
from agents.state import SessionState
from agents.teaching.evidence import VOIDED
from agents.teaching.rulings import OUT_OF_THE_COUNT
from agents.teaching.values import QuizQuestion, QuizResponse
from storage.errors import StorageError
from storage.ledger import Answer, Evidence
from storage.sessions import LessonKind, OpenLesson

NOT_ASKED = "I have no record of having asked that question, so I did not grade your answer. Let's go on with one of mine."


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question that we asked, and the lesson in which we did."""

    lesson: OpenLesson
    question: QuizQuestion


async def note_asked(
    services: Services,
    ctx: InvocationContext,
    state: SessionState,
    *,
    kind: LessonKind,
    questions: Sequence[QuizQuestion],
    cycle_number: int,
    is_new: bool,
) -> None:
    """Write down what is about to be asked: a new lesson, or the one under way with other questions to come."""
    known = None if is_new else await lesson_of(services, ctx, kind)
    shown = tuple(each.model_dump(mode="json") for each in questions)
    if known and known.questions == shown:
        return
    lesson = known or OpenLesson(
        user_id=ctx.user_id,
        session_id=ctx.session.id,
        kind=kind,
        asking=uuid4().hex,
        course=state.course,
        topic=state.current_topic,
        cycle_number=cycle_number,
        threshold=services.threshold(state),
        questions=(),
        asked_at=services.now(),
    )
    await services.books.ask(replace(lesson, questions=shown, asked_at=services.now()))


async def lesson_of(services: Services, ctx: InvocationContext, kind: LessonKind) -> OpenLesson | None:
    return await services.books.asked(ctx.user_id, session_id=ctx.session.id, kind=kind)


async def asked(
    services: Services, ctx: InvocationContext, question: QuizQuestion, *, kind: LessonKind
) -> Asked | None:
    """The question as we asked it, with our key; None when we did not."""
    lesson = await lesson_of(services, ctx, kind)
    for each in lesson.questions if lesson else ():
        if lesson and each.get("question_id") == question.question_id:
            try:
                return Asked(lesson=lesson, question=QuizQuestion.model_validate(each))
            except ValidationError:  # of an earlier version, whose questions were different
                return None
    return None


async def first_answer(services: Services, question: Asked) -> QuizResponse | None:
    """The answer that this asking has got already: a crash, or a client that left, came between it and its reply."""
    lesson = question.lesson
    row = await services.ledger.answer_to(
        question.question.question_id,
        user_id=lesson.user_id,
        session_id=lesson.session_id,
        cycle_number=lesson.cycle_number,
        asking=lesson.asking,
    )
    return _response_of(row) if row else None


async def keep_answer(
    services: Services, ctx: InvocationContext, answer: Answer, marked: QuizResponse
) -> QuizResponse:
    """Write an answer to the ledger, once; where it cannot be written now, the learner is told."""
    turn = services.turns.of(ctx.invocation_id)
    turn.answers.append(marked)
    row = await services.books.answer(answer)
    if isinstance(row, StorageError):
        turn.notes.append(not_saved(row))
        return marked
    if await is_voided(services, row):
        return _response_of(row).model_copy(update={"grader": VOIDED, "reason": OUT_OF_THE_COUNT})
    return _response_of(row)


def _response_of(row: Evidence) -> QuizResponse:
    return QuizResponse(
        question_id=row.question_id,
        learner_answer=row.learner_answer,
        is_correct=row.is_correct,
        time_taken_seconds=row.time_taken_seconds,
        attempt_number=row.attempt_number,
        score=row.score,
        grader=row.grader,
        reason=row.reason,
        confident=row.confident,
        evidence_id=row.id,
    )
