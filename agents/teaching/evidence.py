"""Answers as the ledger keeps them, rulings on them, and what they count for in mastery and reviews."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal, get_args

from agents.teaching.values import Difficulty, QuestionKind

Action = Literal["answer", "void", "rekey"]
RulingKind = Literal["void", "also_right", "retired"]

# The right answer is on the screen: it only has to be picked.
CHOICES: Final[frozenset[str]] = frozenset({"multiple_choice", "several", "true_false", "ordering"})
# Answered by a number or a formula: what somebody can do, beside what they can say.
QUANTITATIVE: Final[frozenset[str]] = frozenset({"numeric", "formula"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedAnswer:
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
    shows_part: bool = (
        False  # the course's author asks for numbers about the concept, and this one is about words
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRow(GradedAnswer):
    """One row of the ledger; an amendment repeats its answer, with what it changes."""

    id: int
    action: Action
    amends_id: int | None
    forecast: float | None = (
        None  # the chance that it is right, by what was known before; none of a concept's first
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rekey:
    """What an answer is worth after its key was corrected."""

    expected_answer: str
    is_correct: bool
    score: float


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
class Evidence:
    """One answer with everything that decides how much it says."""

    is_correct: bool
    answered_at: datetime
    difficulty: Difficulty = "medium"
    kind: QuestionKind | None = None
    score: float = 0.0  # of a wrong answer: how much of it was right, 0..1
    weight: float = 1.0  # how much it counts, above 0 and at most 1
    topic: str = ""
    gave_up: bool = False  # a wrong answer that says so, and is no guess
    lesson: str = ""  # the explanation that it followed
    round: int = 1  # which one of the topic that was; 0: none yet
    shows_part: bool = False  # words, where numbers are asked for too

    @property
    def is_choice(self) -> bool:
        return self.kind in CHOICES


_UNSURE_WEIGHT = 0.6  # the grader was not confident, or the learner called it right
_HINTED_WEIGHT = 0.6  # a right answer, for each hint before it
_REPEAT_WEIGHT = 0.5  # a right answer to a question whose answer was shown not long before
REPEAT_WITHIN = timedelta(days=1)

BEFORE_LESSONS = 0  # the cycle of a diagnostic's answers: nothing was explained yet, and no key was shown
VOIDED = "voided"  # the grader that a quiz's own copy of an answer gets when it no longer counts
TEACHER = "teacher"  # the grader of a row that a teacher's ruling made

# What code marks for certain: nobody else is asked where it is sure.
EXACT: Final[frozenset[str]] = frozenset({"output", "numeric", "formula"})

_KINDS: dict[str, QuestionKind] = {kind: kind for kind in get_args(QuestionKind)}


def standing(rows: Iterable[LedgerRow]) -> list[LedgerRow]:
    """The answers as they now stand, oldest first: void ones gone, re-keyed ones with their new grade."""
    return [graded for _, graded in with_grades(rows) if graded.action != "void"]


def replay(rows: Iterable[LedgerRow]) -> dict[str, tuple[Evidence, ...]]:
    """One learner's rows of one course, by concept: void answers gone, re-keyed ones as they now stand."""
    found: dict[str, list[Evidence]] = {}
    for answer, evidence in counted(rows):
        found.setdefault(answer.concept_name, []).append(evidence)
    return {name: tuple(own) for name, own in found.items()}


def counted(rows: Iterable[LedgerRow]) -> Iterator[tuple[LedgerRow, Evidence]]:
    """Each answer as it now stands, but for the void ones, with what it says; in the order of the ledger."""
    shown: dict[tuple[str, str], datetime] = {}
    for answer, graded in with_grades(rows):
        question = (answer.concept_name, answer.question_id)
        is_repeat = was_shown(answer, shown.get(question))
        if answer.cycle_number > BEFORE_LESSONS:
            shown[question] = answer.answered_at
        if graded.action != "void":
            as_graded = replace(graded, id=answer.id, answered_at=answer.answered_at)
            yield as_graded, evidence_of(answer, graded, is_repeat=is_repeat)


def with_grades(
    rows: Iterable[LedgerRow],
) -> Iterator[tuple[LedgerRow, LedgerRow]]:
    """Each answer, oldest first, with the newest row about it."""
    ordered = sorted(rows, key=lambda row: row.id)
    latest = {row.amends_id: row for row in ordered if row.amends_id is not None}
    return ((row, latest.get(row.id, row)) for row in ordered if row.amends_id is None)


def was_shown(answer: LedgerRow, before: datetime | None) -> bool:
    """Whether its key was on the screen not long before, when the question was answered last."""
    return before is not None and answer.answered_at - before < REPEAT_WITHIN


def evidence_of(answer: LedgerRow, graded: LedgerRow, *, is_repeat: bool) -> Evidence:
    """The grade is the newest one; the time is when the learner answered, not when it was corrected."""
    is_own_mark = graded.grader == "learner"
    is_sure = not graded.is_correct if is_own_mark else graded.confident  # who owns up to a miss is believed
    is_sure = is_sure or graded.grader == TEACHER
    weight = 1.0 if is_sure else _UNSURE_WEIGHT
    if graded.is_correct:
        weight *= _HINTED_WEIGHT**answer.hints * (_REPEAT_WEIGHT if is_repeat else 1.0)
    return Evidence(
        is_correct=graded.is_correct,
        answered_at=answer.answered_at,
        difficulty=answer.difficulty,
        kind=_KINDS.get(answer.kind),
        score=graded.score,
        weight=weight,
        topic=answer.topic,
        gave_up=not graded.is_correct and _is_no_answer(answer.learner_answer),
        lesson=lesson_key(answer.topic, answer.cycle_number),
        round=answer.cycle_number,
        shows_part=answer.shows_part,
    )


def lesson_key(topic: str, cycle_number: int) -> str:
    """Which explanation an answer follows."""
    return f"{topic}/{cycle_number}"


def _is_no_answer(text: str) -> bool:
    from agents.teaching.mistakes import (
        is_no_answer,
    )  # what is stored knows only its values until it is replayed

    return is_no_answer(text)
