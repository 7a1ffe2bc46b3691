"""What grading gives back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """A judgement on one answer."""

    is_correct: bool
    score: float  # 0..1, how much of the expected answer is there
    reason: str  # one sentence the learner can read
    confident: bool  # False: ask the model, or say that we are unsure


def right(reason: str, *, score: float = 1.0, confident: bool = True) -> Grade:
    return Grade(is_correct=True, score=score, reason=reason, confident=confident)


def wrong(reason: str, *, score: float = 0.0, confident: bool = True) -> Grade:
    return Grade(is_correct=False, score=score, reason=reason, confident=confident)
