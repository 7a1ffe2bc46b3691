"""From an answer to a mark: by code, by what a model makes of it, and again where the learner disagrees."""

import re
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal
from unicodedata import normalize

from google.adk.agents.invocation_context import InvocationContext
from pydantic import BaseModel, Field

from agents.language.replies import ticked, verdict_on_own_answer
from agents.mastery_book import Asked, amend, answers_to, keep_answer, refresh_mastery
from agents.services import Services
from agents.state import SessionState
from agents.teaching.evidence import CHOICES, EXACT, VOIDED, GradedAnswer, LedgerRow, Rekey
from agents.teaching.grading import Grade, grade_answer
from agents.teaching.grading.rules import grade_rival
from agents.teaching.mistakes import is_no_answer
from agents.teaching.questions.author import accepted_answers
from agents.teaching.rulings import Amendment
from agents.teaching.values import QuizQuestion, QuizResponse, right


def code_grade(
    question: QuizQuestion,
    answer: str,
    *,
    concept_names: Collection[str] = (),
    accepted: Sequence[str] = (),
) -> Grade:
    """The grade by the expected answer, or by one that a teacher accepts beside it."""
    grade = _grade(question, answer, question.expected_answer, concept_names)
    if not (grade.is_correct and grade.confident):
        also = (_grade(question, answer, each, ()) for each in accepted)
        grade = next((each for each in also if each.is_correct and each.confident), grade)
    if question.kind == "recall" and not is_no_answer(answer):
        if _same_signs(answer) == _same_signs(question.expected_answer):
            return right("That is what the author says.")
        return replace(grade, confident=False)  # only the learner can tell
    return grade


def _same_signs(text: str) -> str:
    """'1s² 2s²' and '1s^2 2s^2' say the same."""
    return re.sub(r"[\s^_*${}().,]", "", normalize("NFKC", text)).casefold()


def _grade(question: QuizQuestion, answer: str, expected: str, concept_names: Collection[str]) -> Grade:
    return grade_answer(
        answer,
        question=question.question_text,
        references=accepted_answers(expected) if question.kind == "short_answer" else [expected],
        kind=question.kind,
        options=question.options,
        others=concept_names,
    )


_ENOUGH = 0.75  # of the points: who leaves out one of four has the idea


def self_grade(message: str, *, points: Sequence[str] = ()) -> Grade | None:
    """The learner's own verdict on an answer that nobody else could judge: the share of the points, or yes or no.

    None where the message says neither.
    """
    if points:
        return _by_points(ticked(message, count=len(points)), points)
    is_correct = verdict_on_own_answer(message)
    if is_correct is None:
        return None
    return Grade(
        is_correct=is_correct,
        score=1.0 if is_correct else 0.0,
        reason="You had what the course says."
        if is_correct
        else "You saw what is missing, and that is half of it.",
        confident=False,
    )


def _by_points(had: Collection[int] | None, points: Sequence[str]) -> Grade | None:
    """The share of the points that the answer had; what was left out is what the next round teaches."""
    if had is None:
        return None
    left_out = tuple(point for number, point in enumerate(points) if number not in had)
    share = 1 - len(left_out) / len(points)
    told = f"You had {len(had)} of {len(points)} points"
    missing = f"; left out: {'; '.join(f'“{point}”' for point in left_out)}" if left_out else ""
    return Grade(
        is_correct=share >= _ENOUGH,
        score=share,
        reason=f"{told}{missing}.",
        confident=False,
        left_out=left_out,
    )


# What the ledger keeps of a question.
_KEPT = {each.name for each in fields(GradedAnswer)} & {*QuizQuestion.model_fields}
UNREAD, SKIPPED = "unread", "skipped"  # nobody could judge it, or nobody had to


async def keep(
    services: Services,
    ctx: InvocationContext,
    state: SessionState,
    asked: Asked,
    answer: str,
    grade: Grade,
    *,
    grader: str,
) -> QuizResponse:
    """The answer with its mark, kept in the ledger; what was skipped or not read is no evidence and stays out of it."""
    question, lesson, now = asked.question, asked.lesson, services.now()
    asked_at = state.question_asked_at or now
    marked = QuizResponse(
        question_id=question.question_id,
        learner_answer=answer,
        time_taken_seconds=max(0.0, (now - asked_at).total_seconds()),
        attempt_number=1 + len(await answers_to(services, ctx.user_id, question_id=question.question_id)),
        grader=grader,
        **asdict(grade),
    )
    if grader in (UNREAD, SKIPPED):
        return marked
    row = GradedAnswer(
        user_id=lesson.user_id,
        session_id=lesson.session_id,
        course=lesson.course,
        topic=lesson.topic,
        cycle_number=lesson.cycle_number,
        asking=lesson.asking,
        **question.model_dump(include=_KEPT),
        **marked.model_dump(exclude={"question_id", "evidence_id", "left_out"}),
        answered_at=now,
        hints=state.hints_given,
    )
    kept = await keep_answer(services, ctx, row, marked)
    return kept.model_copy(
        update={"left_out": marked.left_out}
    )  # for the next round only, not for the ledger


PARTLY = 0.5


class Judgement(BaseModel):
    """What a model makes of an answer."""

    verdict: Literal["right", "partly", "wrong", "not_an_answer"]
    missing: str = ""
    misconception: str = ""
    to_learner: str = Field(min_length=1)

    @property
    def passes(self) -> bool:
        return self.verdict in ("right", "partly")


def grade_of(judgement: Judgement) -> Grade:
    score = {"right": 1.0, "partly": PARTLY}.get(judgement.verdict, 0.0)
    return Grade(
        is_correct=judgement.verdict == "right",
        score=score,
        reason=judgement.to_learner.strip(),
        confident=True,
    )


Outcome = Literal["kept", "corrected", "voided"]
_ALREADY_RIGHT = "it was already counted as right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What becomes of a disputed answer."""

    outcome: Outcome
    reason: str


def rule(answer: LedgerRow, *, argument: str, concept_names: Collection[str] = ()) -> Ruling:
    """Judge again, with doubt in the learner's favour; what is added now, with the key on the screen, makes nothing right."""
    if answer.is_correct:
        return Ruling(outcome="kept", reason=_ALREADY_RIGHT)
    if answer.grader == "model":
        # Code could not tell then, and cannot now.
        return Ruling(
            outcome="voided", reason="nobody could judge it again, and I won't hold a doubt against you"
        )
    if answer.kind in (CHOICES | EXACT) and answer.confident:
        # Another option or number stays another one, whatever is said about it.
        return _kept(answer)
    if grade_rival(answer.learner_answer, [answer.expected_answer], concept_names):
        return _kept(answer)
    again = grade_answer(
        f"{answer.learner_answer}. {argument}",
        question=answer.question_text,
        references=[answer.expected_answer],
        kind="short_answer" if answer.kind in CHOICES else answer.kind,
    )
    if not answer.confident or not again.confident or again.is_correct:
        return Ruling(outcome="voided", reason="I can't be sure enough to hold it against you")
    return _kept(answer)


def _kept(answer: LedgerRow) -> Ruling:
    said = (answer.source_context or answer.expected_answer).rstrip(".")
    return Ruling(outcome="kept", reason=f"the course says: “{said}”")


def model_ruling(answer: LedgerRow, judgement: Judgement) -> Ruling:
    """A large model's second look, with the passage and the learner's argument in view; in doubt it does not count."""
    if judgement.verdict == "not_an_answer":
        return Ruling(outcome="voided", reason="it may not have been meant as an answer")
    outcome: Outcome = "corrected" if judgement.verdict == "right" else "kept"
    return Ruling(outcome=outcome, reason=judgement.to_learner.strip().rstrip("."))


def last_answer(rows: Sequence[LedgerRow]) -> LedgerRow | str:
    """The answer that a learner can mean, or why there is none to look at again."""
    answers = [row for row in rows if row.action == "answer"]
    if not answers:
        return "There is no graded answer to look at again yet."
    if answers[-1].id in {row.amends_id for row in rows}:
        return "I have looked at that answer again already, and the ruling stands."
    return answers[-1]


def amended(responses: Sequence[QuizResponse], answer: LedgerRow, ruling: Ruling) -> list[QuizResponse]:
    """The quiz's responses as the ruling leaves them."""
    if ruling.outcome == "kept":
        return list(responses)
    news: dict[str, object] = {"grader": VOIDED, "reason": ruling.reason}
    if ruling.outcome == "corrected":
        news |= {"is_correct": True, "score": 1.0, "grader": "dispute"}
    return [each.model_copy(update=news) if each.evidence_id == answer.id else each for each in responses]


async def apply_ruling(
    services: Services, answer: LedgerRow, ruling: Ruling, *, state: SessionState | None = None
) -> None:
    """Write the ruling to the ledger, and everything that follows from it."""
    if ruling.outcome == "kept":
        return
    is_right = ruling.outcome == "corrected"
    key = Rekey(expected_answer=answer.expected_answer, is_correct=True, score=1.0) if is_right else None
    await amend(services, Amendment(answer=answer, reason=ruling.reason, rekey=key, grader="dispute"))
    await refresh_mastery(services, user_id=answer.user_id, course=answer.course, state=state)
