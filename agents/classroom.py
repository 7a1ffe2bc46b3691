"""What a teacher sees of the class: chapters by learners, and the questions that give trouble.

All learners of an installation are one class; who shall be apart gets an installation of their own.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.bookkeeping import course_record
from agents.learner_record import said
from agents.mastery_book import Reckoning
from agents.services import Services
from agents.syllabus import Syllabus
from agents.teaching.evidence import LedgerRow, QuestionRuling
from agents.teaching.mistakes import is_no_answer
from storage.accounts import Accounts
from storage.ledger import Dispute, Disputes, QuestionRulings

_MOST_WRONG_ANSWERS = 5
_FIRM = 2  # a question that was asked once and missed once tells less than one missed by half of a class


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One learner in one chapter."""

    mastered: int
    begun: int  # concepts with answers, mastered or not
    total: int

    @property
    def is_done(self) -> bool:
        return self.mastered == self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterRow:
    """One chapter, and how every learner stands in it."""

    chapter_id: str
    title: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassTable:
    """Chapters by learners."""

    learners: tuple[str, ...]
    rows: tuple[ChapterRow, ...]
    totals: tuple[Cell, ...]
    threshold: float  # that the class is seen by, whatever somebody chose for themselves


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReport:
    """One question, how it went, and what was decided about it."""

    question_id: str
    text: str
    concept: str
    expected_answer: str
    asked: int
    missed: int
    wrong_answers: tuple[tuple[str, int], ...]  # the most frequent first
    disputes: tuple[Dispute, ...] = ()
    rulings: tuple[QuestionRuling, ...] = ()

    @property
    def trouble(self) -> float:
        """The share that missed or disputed it, less where few were asked."""
        return (self.missed + len(self.disputes)) / (self.asked + _FIRM)


def class_table(
    syllabus: Syllabus, records: Mapping[str, Reckoning], learners: Sequence[str], *, threshold: float
) -> ClassTable:
    """How everybody stands in every chapter that teaches something."""
    concepts: dict[str, list[str]] = {}
    for concept in syllabus.concepts:
        concepts.setdefault(concept.chapter_id, []).append(concept.name)
    known = {(learner, name) for learner, record in records.items() for name in record.mastery}
    mastered = {(learner, name) for learner, record in records.items() for name in record.mastered}

    def cell(learner: str, names: Sequence[str]) -> Cell:
        return Cell(
            mastered=sum((learner, name) in mastered for name in names),
            begun=sum((learner, name) in known for name in names),
            total=len(names),
        )

    rows = tuple(
        ChapterRow(
            chapter_id=document.chapter_id,
            title=document.title,
            cells=tuple(cell(learner, concepts[document.chapter_id]) for learner in learners),
        )
        for document in syllabus.documents
        if document.chapter_id in concepts
    )
    every = [name for names in concepts.values() for name in names]
    return ClassTable(
        learners=tuple(learners),
        rows=rows,
        totals=tuple(cell(learner, every) for learner in learners),
        threshold=threshold,
    )


def question_reports(
    rows: Iterable[LedgerRow], disputes: Iterable[Dispute] = (), rulings: Iterable[QuestionRuling] = ()
) -> list[QuestionReport]:
    """The questions that were missed, disputed or ruled on, the most troublesome first; as they were first graded."""
    answers: dict[str, list[LedgerRow]] = {}
    for row in rows:
        if row.action == "answer":
            answers.setdefault(row.question_id, []).append(row)
    disputed, ruled = list(disputes), list(rulings)
    texts = {each.question_id: each.question_text for each in ruled}
    reports = [
        _report(
            question_id,
            answers.get(question_id, []),
            text=texts.get(question_id, ""),
            disputes=tuple(each for each in disputed if each.question_id == question_id),
            rulings=tuple(each for each in ruled if each.question_id == question_id),
        )
        for question_id in dict.fromkeys([*answers, *texts])
    ]
    worth = [each for each in reports if each.missed or each.disputes or each.rulings]
    return sorted(worth, key=lambda each: (-each.trouble, each.text))


def _report(
    question_id: str,
    answers: Sequence[LedgerRow],
    *,
    text: str,
    disputes: tuple[Dispute, ...],
    rulings: tuple[QuestionRuling, ...],
) -> QuestionReport:
    wrong = [answer for answer in answers if not answer.is_correct]
    told = Counter(said(answer).strip() for answer in wrong if not is_no_answer(answer.learner_answer))
    newest = answers[-1] if answers else None
    return QuestionReport(
        question_id=question_id,
        text=newest.question_text if newest else text,
        concept=newest.concept_name if newest else "",
        expected_answer=newest.expected_answer if newest else "",
        asked=len(answers),
        missed=len(wrong),
        wrong_answers=tuple(told.most_common(_MOST_WRONG_ANSWERS)),
        disputes=disputes,
        rulings=rulings,
    )


async def load_class(services: Services, course: str, *, teacher: str) -> ClassTable:
    """Everybody who has an account or has answered something, in this course, as it stands now; it writes nothing."""
    threshold = (await services.thresholds(teacher)).of_class(course)
    now, parameters = services.now(), await services.mastery_parameters()
    shelves = await services.ledger.shelves_on(course, parameters=parameters)

    def everybody() -> dict[str, Reckoning]:
        return {
            user_id: Reckoning.of(
                course_record(shelf),
                user_id=user_id,
                course=course,
                threshold=threshold,
                now=now,
                parameters=parameters,
            )
            for user_id, shelf in shelves.items()
        }

    records = await asyncio.to_thread(everybody)
    accounts = await Accounts(services.database).all()
    members = {account.name for account in accounts if not account.is_teacher}
    learners = sorted(members | {user_id for user_id, record in records.items() if record.mastery})
    return class_table(await services.syllabus(course), records, learners, threshold=threshold)


async def load_questions(services: Services, course: str) -> list[QuestionReport]:
    """The questions of a course that give trouble, or were ruled on."""
    return question_reports(
        await services.ledger.about(course),
        await Disputes(services.database).of_course(course),
        await QuestionRulings(services.database).of(course),
    )
