"""The mastery book: what was asked and answered, by our own record, and what that says about a learner.

A question is written down before it is shown and read when its answer is graded: one that is not here was not asked
by us, and nothing is graded by a key that a client may have written. Mastery is derived from what is kept of the
answers (agents.teaching.record), which the ledger writes with each of them: nothing is replayed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from typing import Self
from uuid import uuid4

from google.adk.agents.invocation_context import InvocationContext
from pydantic import ValidationError

from agents.bookkeeping import course_record
from agents.glance import once
from agents.services import Services, not_saved
from agents.state import SessionState
from agents.teaching.evidence import BEFORE_LESSONS, QUANTITATIVE, VOIDED, GradedAnswer, LedgerRow
from agents.teaching.mastery import ConceptMastery, CourseStanding, Parameters
from agents.teaching.record import CourseFigures, CourseRecord
from agents.teaching.rulings import OUT_OF_THE_COUNT, Amendment, amendments
from agents.teaching.thresholds import is_enough
from agents.teaching.values import QuizQuestion, QuizResponse
from storage.errors import StorageError
from storage.learners import MasteryRow
from storage.lessons import LessonKind, OpenLesson

_SEEN = 0.001  # of a chance


@dataclass(frozen=True, kw_only=True)
class Reckoning:
    """What a learner's answers say of a course, at one moment and by one threshold."""

    user_id: str
    course: str
    threshold: float
    now: datetime
    record: CourseRecord
    standing: CourseStanding

    @classmethod
    def of(
        cls,
        record: CourseRecord,
        *,
        user_id: str,
        course: str,
        threshold: float,
        now: datetime,
        parameters: Parameters,
    ) -> Self:
        """What is kept of one learner on one course, as it says now."""
        states = {name: concept.state for name, concept in record.concepts.items()}
        return cls(
            user_id=user_id,
            course=course,
            threshold=threshold,
            now=now,
            record=record,
            standing=CourseStanding(states, now=now, parameters=parameters),
        )

    @cached_property
    def mastery(self) -> Mapping[str, ConceptMastery]:
        """Every concept that was asked about."""
        return self.standing.concepts()

    @property
    def asked(self) -> set[str]:
        """The concepts of which answers count, whatever they say."""
        return {name for name, concept in self.record.concepts.items() if concept.state.answers}

    @property
    def answers(self) -> int:
        """How many count."""
        return sum(concept.state.answers for concept in self.record.concepts.values())

    def is_mastered(self, name: str) -> bool:
        return name in self.asked and self._is_enough(self.standing.concept(name))

    @property
    def mastered(self) -> list[str]:
        return [name for name, concept in self.mastery.items() if self._is_enough(concept)]

    def rows(self) -> list[MasteryRow]:
        """As it is kept, by concept, with the day on which what is mastered is to be refreshed."""
        return self.rows_of(sorted(self.asked))

    def rows_of(self, names: Iterable[str]) -> list[MasteryRow]:
        """The same of these concepts, as far as they were asked about."""
        asked = self.asked
        return [self._row(name, self.standing.concept(name)) for name in names if name in asked]

    def to_go(self, names: Iterable[str], *, topic: str = "", round: int | None = None) -> int | None:
        """How many more right answers it takes until all of these are mastered."""
        return self.standing.to_go(names, threshold=self.threshold, topic=topic, round=round)

    def _is_enough(self, concept: ConceptMastery) -> bool:
        return is_enough(concept.score, threshold=self.threshold)

    def _row(self, name: str, concept: ConceptMastery) -> MasteryRow:
        is_mastered, kept = self._is_enough(concept), self.record.concepts[name]
        return MasteryRow(
            user_id=self.user_id,
            course=self.course,
            concept_name=name,
            mastery_score=concept.score,
            evidence_count=concept.evidence_count,
            mastered=is_mastered,
            review_due_at=kept.review_due_at if is_mastered else None,
            review_card=kept.review if is_mastered else None,
            updated_at=self.now,
        )


async def reckon(
    services: Services, *, user_id: str, course: str, state: SessionState | None = None
) -> Reckoning:
    """What the answers say now, those of a round that is still going on included; it writes nothing."""
    asked = state.threshold_asked if state else None
    parameters = await services.mastery_parameters()
    shelves = await services.ledger.shelves_of(user_id, course=course, parameters=parameters)
    return Reckoning.of(
        course_record(shelves.get(course)),
        user_id=user_id,
        course=course,
        threshold=(await services.thresholds(user_id)).of(course, asked=asked),
        now=services.now(),
        parameters=parameters,
    )


async def reckon_all(services: Services, *, user_id: str, state: SessionState) -> dict[str, Reckoning]:
    """The same for every course that the learner has answered something in."""
    thresholds, parameters = await services.thresholds(user_id), await services.mastery_parameters()
    shelves, now = await services.ledger.shelves_of(user_id, parameters=parameters), services.now()
    return {
        course: Reckoning.of(
            course_record(shelves[course]),
            user_id=user_id,
            course=course,
            threshold=thresholds.of(course, asked=state.threshold_asked),
            now=now,
            parameters=parameters,
        )
        for course in sorted(shelves)
    }


async def kept_mastery(
    services: Services, user_id: str, *, course: str | None = None, state: SessionState | None = None
) -> list[MasteryRow]:
    """What was kept when a round was last closed, by the threshold that counts now."""
    thresholds, asked = await services.thresholds(user_id), state.threshold_asked if state else None
    return [
        replace(
            row,
            mastered=is_enough(row.mastery_score, threshold=thresholds.of(row.course, asked=asked)),
        )
        for row in await services.learners.mastery(user_id, course=course)
        if row.evidence_count
    ]


async def refresh_mastery(
    services: Services, *, user_id: str, course: str, state: SessionState | None = None
) -> Reckoning:
    """Keep what the answers say now, close the gaps that are gone."""
    found = await reckon(services, user_id=user_id, course=course, state=state)
    known = {row.concept_name: row for row in await services.learners.mastery(user_id, course=course)}
    # A concept whose answers were all voided has no evidence left, and its row must say so.
    voided = [
        replace(
            row, mastery_score=0.0, evidence_count=0, mastered=False, review_due_at=None, review_card=None
        )
        for name, row in known.items()
        if name not in found.asked
    ]
    changed = [row for row in [*found.rows(), *voided] if _is_news(row, known.get(row.concept_name))]
    # All of it is derived: what cannot be written now is derived anew next time.
    if changed:
        await services.books.attempt("mastery", lambda: services.learners.put_mastery(changed))
    figures, count = found.record.figures, len(found.mastered)
    if figures.noting(count, now=found.now) is not figures:
        await services.books.attempt(
            "how much is mastered",
            lambda: services.ledger.note(
                user_id,
                course=course,
                change=lambda kept: CourseFigures.from_json(kept).noting(count, now=found.now).to_json(),
            ),
        )
    open_gaps = {gap.concept_name for gap in await services.learners.gaps(user_id, course=course)}
    for name in open_gaps.intersection(found.mastered):
        closed = partial(
            services.learners.resolve_gap, user_id, course=course, concept_name=name, now=found.now
        )
        await services.books.attempt("a gap", closed)
    return found


def _is_news(row: MasteryRow, known: MasteryRow | None) -> bool:
    """Whether anybody would see another row; what only fades, by less than a thousandth, is as it was."""
    if known is None or abs(row.mastery_score - known.mastery_score) >= _SEEN:
        return True
    return replace(row, mastery_score=0.0, updated_at=known.updated_at) != replace(known, mastery_score=0.0)


async def refresh_everybody(
    services: Services, *, course: str | None = None, user_id: str | None = None
) -> None:
    """After another fit or threshold: what is kept of all, of those in one course, or of one learner."""
    for who, answered in await services.ledger.shelves():
        if course in (None, answered) and user_id in (None, who):
            await refresh_mastery(services, user_id=who, course=answered)


def topic_names(state: SessionState, answered: Collection[str]) -> list[str]:
    """The topic's concepts that were ever asked about, answered or skipped; of a topic without any, the quiz's.

    What the quiz, which turns to the unasked first, has no question for cannot hold the learner up.
    """
    quizzed = dict.fromkeys(question.concept_name for question in state.quiz_questions)
    asked = [name for name in state.topic_concepts if name in quizzed or name in answered]
    return asked or [name for name in quizzed if name in answered]


def topic_to_go(record: Reckoning, state: SessionState) -> int | None:
    """How many more right answers it takes until the session's topic is mastered, in the round that is or comes."""
    names = topic_names(state, record.asked) or state.topic_concepts
    return record.to_go(names, topic=state.current_topic, round=state.learning_cycle_count + 1)


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
    # As it is now, whatever the turn has read before: a ruling that came in between would never reach this answer.
    services.look_again()
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
    # A session's copy lacks what is told after the answer.
    whole = {each.get("question_id"): each for each in known.questions} if known else {}
    shown = tuple(whole.get(each.question_id) or each.model_dump(mode="json") for each in questions)
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
        threshold=await services.threshold(ctx.user_id, state),
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
    same = (lesson.cycle_number, lesson.asking)
    given = await answers_to(services, lesson.user_id, question_id=question.question.question_id)
    row = next((each for each in given if (each.cycle_number, each.asking) == same), None)
    return _response_of(row) if row else None


async def answers_to(services: Services, user_id: str, *, question_id: str) -> Sequence[LedgerRow]:
    """What a learner has answered to a question up to this turn."""
    ledger = services.ledger
    return await once(
        ("answers", user_id, question_id), lambda: ledger.to_question(user_id, question_id=question_id)
    )


async def keep_answer(
    services: Services, ctx: InvocationContext, answer: GradedAnswer, marked: QuizResponse
) -> QuizResponse:
    """Write an answer to the ledger, once; where it cannot be written now, the learner is told."""
    if answer.kind not in QUANTITATIVE:
        asks_for_numbers = (await services.syllabus(answer.course)).quantitative
        is_part = answer.shows_part or answer.concept_name in asks_for_numbers
        answer = replace(answer, shows_part=is_part)
    turn = services.turns.of(ctx.invocation_id)
    if turn.on_answer:
        turn.on_answer(marked)
    row = await services.books.answer(answer, parameters=await services.mastery_parameters())
    if isinstance(row, StorageError):
        turn.notes.append(not_saved(row))
        return marked
    if await is_voided(services, row):
        return _response_of(row).model_copy(update={"grader": VOIDED, "reason": OUT_OF_THE_COUNT})
    return _response_of(row)


def _response_of(row: LedgerRow) -> QuizResponse:
    return QuizResponse.model_validate({**asdict(row), "evidence_id": row.id})
