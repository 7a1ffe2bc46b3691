"""The mastery book: what was asked and answered, by our own record, and what that says about a learner.

A question is written down before it is shown and read when its answer is graded: one that is not here was not asked
by us, and nothing is graded by a key that a client may have written. Mastery is derived anew whenever answers change.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from uuid import uuid4

from google.adk.agents.invocation_context import InvocationContext
from pydantic import ValidationError

from agents.services import Services, not_saved
from agents.state import SessionState
from agents.teaching.evidence import BEFORE_LESSONS, VOIDED, GradedAnswer, LedgerRow, replay
from agents.teaching.mastery import ConceptMastery, course_mastery
from agents.teaching.reviews import review_schedule
from agents.teaching.rulings import OUT_OF_THE_COUNT, Amendment, amendments
from agents.teaching.values import QuizQuestion, QuizResponse
from storage.errors import StorageError
from storage.learners import LessonKind, MasteryRow, OpenLesson


async def refresh_mastery(
    services: Services, *, user_id: str, course: str, state: SessionState | None = None
) -> dict[str, ConceptMastery]:
    """Replay the ledger, keep what it says, close the gaps that are gone; returns what is now kept.

    A session may ask for more than the installation does before something is mastered.
    """
    threshold = services.threshold(state or SessionState())
    evidence = replay(await services.ledger.of(user_id, course=course))
    now = services.now()
    parameters = await services.mastery_parameters()
    mastery = course_mastery(evidence, now=now, threshold=threshold, parameters=parameters)
    known = {row.concept_name for row in await services.learners.mastery(user_id, course=course)}
    # A concept whose answers were all voided has no evidence left, and its row must say so.
    for name in known - mastery.keys():
        mastery[name] = ConceptMastery(probability=0.0, evidence_count=0, mastered=False)
    rows = []
    for name, concept in mastery.items():
        review = review_schedule(evidence.get(name, ())) if concept.mastered else None
        rows.append(
            MasteryRow(
                user_id=user_id,
                course=course,
                concept_name=name,
                mastery_score=round(concept.probability, 4),
                evidence_count=concept.evidence_count,
                mastered=concept.mastered,
                review_due_at=review.due if review else None,
                review_card=dict(review.to_dict()) if review else None,
                updated_at=now,
            )
        )
    # Both are derived: what cannot be written now is derived anew next time.
    await services.books.attempt("mastery", lambda: services.learners.put_mastery(rows))
    for name, concept in mastery.items():
        if concept.mastered:
            closed = partial(
                services.learners.resolve_gap, user_id, course=course, concept_name=name, now=now
            )
            await services.books.attempt("a gap", closed)
    return mastery


async def carry_out(services: Services, *, course: str, question_id: str) -> list[str]:
    """Bring the ledger and everybody's mastery in line with the rulings on a question; returns whom it concerned."""
    rulings = await services.rulings(course)
    changes = amendments(await services.ledger.about(course, question_id=question_id), rulings)
    for each in changes:
        await amend(services, each)
    learners = sorted({each.answer.user_id for each in changes})
    for user_id in learners:
        await refresh_mastery(services, user_id=user_id, course=course)
    return learners


async def is_voided(services: Services, answer: LedgerRow) -> bool:
    """Whether a new answer counts for nothing, as its question was voided while it was open; then the ledger says so."""
    changes = amendments([answer], await services.rulings(answer.course))
    for each in changes:
        await amend(services, each)
    return any(each.rekey is None for each in changes)


async def amend(services: Services, change: Amendment) -> None:
    """Write to the ledger what becomes of an answer."""
    answer, ledger, now = change.answer, services.ledger, services.now()
    if change.rekey is None:
        await ledger.void(
            answer.id, user_id=answer.user_id, grader=change.grader, reason=change.reason, now=now
        )
    else:
        await ledger.rekey(
            answer.id,
            user_id=answer.user_id,
            rekey=change.rekey,
            grader=change.grader,
            reason=change.reason,
            now=now,
        )


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
        cycle_number=BEFORE_LESSONS if kind == "diagnostic" else state.learning_cycle_count + 1,
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
    services: Services, ctx: InvocationContext, answer: GradedAnswer, marked: QuizResponse
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


def _response_of(row: LedgerRow) -> QuizResponse:
    return QuizResponse.model_validate({**asdict(row), "evidence_id": row.id})
