"""Who judges what code cannot: a large model, and the learner who disagrees. An answer is kept, corrected or voided."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from google.adk.agents.invocation_context import InvocationContext
from pydantic import BaseModel, Field

from agents.briefing import CHARS_A_TOKEN, fenced, learner_block, prompt
from agents.mastery_book import refresh_mastery
from agents.models.consultation import Consultation
from agents.quiz.marking import WORD_VECTORS
from agents.services import Services
from agents.state import SessionState
from agents.teaching.evidence import CHOICES, VOIDED
from agents.teaching.grading import Grade, grade_answer
from agents.teaching.grading.rules import grade_rival
from agents.teaching.values import QuizQuestion, QuizResponse
from storage.ledger import Evidence, Rekey

_PASSAGE_TOKENS = 300  # of the 800 of a judge's brief
_ANSWER_CHARS = 1200
_PARTLY = 0.5


class Judgement(BaseModel):
    """What a model makes of an answer."""

    verdict: Literal["right", "partly", "wrong", "not_an_answer"]
    missing: str = ""
    misconception: str = ""
    to_learner: str = Field(min_length=1)


async def judges_block(services: Services, state: SessionState, ctx: InvocationContext) -> str:
    """The learner without what they said before: an answer stands in its fence, and nowhere else."""
    return await learner_block(
        services, state, ctx.session, user_id=ctx.user_id, with_talk=False, with_mistakes=False
    )


def judge_request(
    question: QuizQuestion | Evidence,
    answer: str,
    *,
    passage: str,
    learner: str,
    argument: str = "",
    decided: str = "",
) -> Consultation:
    """Ask for a verdict; what the learner wrote is in the fence, and nowhere else."""
    options = f"\nOptions: {' | '.join(question.options)}" if question.options else ""
    source = (passage or question.source_context)[: _PASSAGE_TOKENS * CHARS_A_TOKEN]
    parts = [
        f"The course says:\n{fenced(source)}",
        f"The question: {question.question_text}{options}\nExpected: {question.expected_answer}",
        learner,
        f"The learner's answer:\n{fenced(answer[:_ANSWER_CHARS])}",
    ]
    if argument:
        parts.append(f"They dispute an earlier verdict, and say:\n{fenced(argument[:_ANSWER_CHARS])}")
    if decided:
        parts.append(f"The verdict is decided: {decided}. Explain it.")
    return Consultation(
        task="judge",
        system=prompt("quiz/judge.md"),
        brief="\n\n".join(parts),
        schema=Judgement,
        max_tokens=1000,
    )


def grade_of(judgement: Judgement) -> Grade:
    score = {"right": 1.0, "partly": _PARTLY}.get(judgement.verdict, 0.0)
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


def rule(answer: Evidence, *, argument: str, concept_names: Collection[str] = ()) -> Ruling:
    """Judge again, with doubt in the learner's favour; what is added now, with the key on the screen, makes nothing right."""
    if answer.is_correct:
        return Ruling(outcome="kept", reason=_ALREADY_RIGHT)
    if answer.kind in CHOICES and answer.confident:
        # Another option stays another option, whatever is said about it.
        return _kept(answer)
    if grade_rival(answer.learner_answer, [answer.expected_answer], concept_names):
        return _kept(answer)
    again = grade_answer(
        f"{answer.learner_answer}. {argument}",
        question=answer.question_text,
        references=[answer.expected_answer],
        kind="short_answer" if answer.kind in CHOICES else answer.kind,
        similarity=WORD_VECTORS,
    )
    if not answer.confident or not again.confident or again.is_correct:
        return Ruling(outcome="voided", reason="I can't be sure enough to hold it against you")
    return _kept(answer)


def _kept(answer: Evidence) -> Ruling:
    said = (answer.source_context or answer.expected_answer).rstrip(".")
    return Ruling(outcome="kept", reason=f"the course says: “{said}”")


def model_ruling(answer: Evidence, judgement: Judgement | None) -> Ruling:
    """A large model's second look, with the passage and the learner's argument in view; in doubt it does not count."""
    if answer.is_correct:
        return Ruling(outcome="kept", reason=_ALREADY_RIGHT)
    if judgement is None:
        return Ruling(
            outcome="voided", reason="my language model did not answer, and I won't hold a doubt against you"
        )
    if judgement.verdict == "not_an_answer":
        return Ruling(outcome="voided", reason="it may not have been meant as an answer")
    outcome: Outcome = "corrected" if judgement.verdict == "right" else "kept"
    return Ruling(outcome=outcome, reason=judgement.to_learner.strip().rstrip("."))


def last_answer(rows: Sequence[Evidence]) -> Evidence | str:
    """The answer that a learner can mean, or why there is none to look at again."""
    answers = [row for row in rows if row.action == "answer"]
    if not answers:
        return "There is no graded answer to look at again yet."
    if answers[-1].id in {row.amends_id for row in rows}:
        return "I have looked at that answer again already, and the ruling stands."
    return answers[-1]


def ruling_text(answer: Evidence, ruling: Ruling) -> str:
    said = {
        "corrected": "You're right, I take that back: it counts as correct, because ",
        "voided": "Fair point. That answer no longer counts either way, because ",
        "kept": "I looked again and would keep it: ",
    }[ruling.outcome]
    return f"On “{answer.question_text}”: {said}{ruling.reason}."


def amended(responses: Sequence[QuizResponse], answer: Evidence, ruling: Ruling) -> list[QuizResponse]:
    """The quiz's responses as the ruling leaves them."""
    if ruling.outcome == "kept":
        return list(responses)
    news: dict[str, object] = {"grader": VOIDED, "reason": ruling.reason}
    if ruling.outcome == "corrected":
        news |= {"is_correct": True, "score": 1.0, "grader": "dispute"}
    return [each.model_copy(update=news) if each.evidence_id == answer.id else each for each in responses]


async def apply_ruling(services: Services, answer: Evidence, ruling: Ruling, *, threshold: float) -> Ruling:
    """Write the ruling to the ledger, and everything that follows from it."""
    now = services.now()
    if ruling.outcome == "voided":
        await services.ledger.void(
            answer.id, user_id=answer.user_id, grader="dispute", reason=ruling.reason, now=now
        )
    elif ruling.outcome == "corrected":
        key = Rekey(expected_answer=answer.expected_answer, is_correct=True, score=1.0)
        await services.ledger.rekey(
            answer.id, user_id=answer.user_id, rekey=key, grader="dispute", reason=ruling.reason, now=now
        )
    if ruling.outcome != "kept":
        await refresh_mastery(services, user_id=answer.user_id, course=answer.course, threshold=threshold)
    return ruling
