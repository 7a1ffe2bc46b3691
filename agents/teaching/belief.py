"""The belief that a learner has an idea, moved by every answer; agents.teaching.mastery says what it means."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from agents.state import Difficulty, QuestionKind
from agents.teaching.evidence import Evidence

PRIOR = 0.5  # has the idea, before any answer
LEARN = 0.08  # of the ignorant, who get it from one question and its correction
LESSON = 0.2  # of the ignorant, who get it from one more explanation
DOUBT = 0.02  # taken off after each answer, so that no history is beyond correction
SLIPS_ONE_IN = 8.0
HALF_LIFE = timedelta(days=365)  # of what was learnt, without any further answer

# A slip costs more than it should by the simulated rates (.05 to .15): better asked once too often.
SLIP: Mapping[Difficulty, float] = {"easy": 0.05, "medium": 0.06, "hard": 0.09}
GUESS: Mapping[QuestionKind, float] = {
    "true_false": 0.5,
    "multiple_choice": 0.25,
    "cloze": 0.2,
    "short_answer": 0.15,
    "ordering": 0.15,
    "recall": 0.3,  # nobody checks what the learner says of their own answer
}
ANY_GUESS = 0.25  # of the next question, whose kind nobody knows yet
# Easy questions are sometimes got right without the idea, hard ones hardly ever.
EASE: Mapping[Difficulty, float] = {"easy": 0.05, "medium": 0.0, "hard": -0.05}


@dataclass(frozen=True, slots=True)
class Belief:
    """How likely the idea is there, and how rarely who has it slips."""

    known: float
    care: float = 0.0  # right answers of somebody who knows, halved by each wrong one

    def chance(self, *, more_care: float = 0.0) -> float:
        slip = 1 / (SLIPS_ONE_IN + self.care + more_care)
        return ANY_GUESS + self.known * (1 - slip - ANY_GUESS)


def believe(evidence: Sequence[Evidence], *, now: datetime, start: float = PRIOR) -> Belief:
    """What a concept's answers, in any order, amount to now."""
    belief, since, lesson = Belief(start), None, ""
    for answer in sorted(evidence, key=lambda answer: answer.answered_at):
        belief = _faded(belief, answer.answered_at - since if since else timedelta(), floor=start)
        if since and answer.lesson != lesson:
            belief = _taught(belief)
        belief, since, lesson = after(belief, answer), answer.answered_at, answer.lesson
    return _faded(belief, now - since if since else timedelta(), floor=start)


def after(belief: Belief, answer: Evidence) -> Belief:
    """What to believe after one more answer."""
    slip, luck = SLIP[answer.difficulty], guess(answer)
    before = belief.known
    if answer.is_correct:
        known = max(before, _settled(_bayes(before, ratio=(1 - slip) / luck, weight=answer.weight)))
        return Belief(known, belief.care + answer.weight * known)
    # A near miss costs half as much as an answer that is wholly beside the point.
    weight = answer.weight * (1 - answer.score / 2)
    known = min(before, _settled(_bayes(before, ratio=slip / (1 - luck), weight=weight)))
    return Belief(known, belief.care * math.exp2(-weight))


def _taught(belief: Belief) -> Belief:
    """What was missed was explained again, so what was answered before says less about now."""
    return Belief(belief.known + (1 - belief.known) * LESSON, belief.care)


def _bayes(known: float, *, ratio: float, weight: float) -> float:
    odds = known / (1 - known) * math.pow(ratio, weight)
    return odds / (1 + odds)


def _settled(known: float) -> float:
    """A question and its correction teach a little, and nothing is certain."""
    return (known + (1 - known) * LEARN) * (1 - DOUBT)


def guess(answer: Evidence) -> float:
    """The chance of a right answer without the idea."""
    return (GUESS[answer.kind] if answer.kind else ANY_GUESS) + EASE[answer.difficulty]


def _faded(belief: Belief, elapsed: timedelta, *, floor: float) -> Belief:
    if belief.known <= floor or elapsed <= timedelta():
        return belief
    kept = math.exp2(-(elapsed / HALF_LIFE))
    return Belief(floor + (belief.known - floor) * kept, belief.care)


def log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def from_log_odds(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))
