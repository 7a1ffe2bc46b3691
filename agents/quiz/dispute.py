"""'I disagree': an answer is judged again with the learner's argument; it is kept, corrected or voided."""

from dataclasses import dataclass
from typing import Literal

from agents.coordinator.desk import Served
from agents.feedback.book import refresh_mastery
from agents.quiz.grading import grade_answer
from agents.services import Services
from agents.state import SessionState
from storage.ledger import Evidence, Rekey

_OPTIONS = ("multiple_choice", "true_false", "ordering")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What becomes of a disputed answer."""

    outcome: Literal["kept", "corrected", "voided"]
    reason: str


def rule(answer: Evidence, *, argument: str) -> Ruling:
    """Judge again: with the argument added, and with doubt in the learner's favour."""
    if answer.is_correct:
        return Ruling(outcome="kept", reason="it was already counted as right")
    if answer.kind in _OPTIONS and answer.confident:
        # Another option stays another option, whatever is said about it.
        return _kept(answer)
    again = grade_answer(
        f"{answer.learner_answer}. {argument}",
        question=answer.question_text,
        references=[answer.expected_answer],
        kind="short_answer" if answer.kind in _OPTIONS else answer.kind,
    )
    if answer.kind not in _OPTIONS and again.is_correct and again.confident:
        return Ruling(outcome="corrected", reason="with what you add, it says what the course says")
    if not answer.confident or not again.confident:
        return Ruling(outcome="voided", reason="I can't be sure enough to hold it against you")
    return _kept(answer)


def _kept(answer: Evidence) -> Ruling:
    said = (answer.source_context or answer.expected_answer).rstrip(".")
    return Ruling(outcome="kept", reason=f"the course says: “{said}”")


async def dispute(services: Services, state: SessionState, *, user_id: str, argument: str) -> Served:
    """Reopen the last answer of this learner."""
    rows = await services.ledger.of(user_id, course=state.course)
    amended = {row.amends_id for row in rows if row.amends_id is not None}
    answers = [row for row in rows if row.action == "answer"]
    if not answers:
        return Served(text="There is no graded answer to look at again yet.")
    answer = answers[-1]
    if answer.id in amended:
        return Served(text="I have looked at that answer again already, and the ruling stands.")
    ruling = await apply_ruling(
        services, answer, rule(answer, argument=argument), threshold=state.mastery_threshold
    )
    said = {
        "corrected": "You're right, I take that back: it counts as correct, because ",
        "voided": "Fair point. That answer no longer counts either way, because ",
        "kept": "I looked again and would keep it: ",
    }[ruling.outcome]
    return Served(text=f"On “{answer.question_text}”: {said}{ruling.reason}.")


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
