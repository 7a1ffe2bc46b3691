"""What a learner's answers on one concept amount to: how likely the idea is there, and how they slip and guess."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from agents.teaching.evidence import Evidence
from agents.teaching.values import Difficulty, QuestionKind

PRIOR = 0.5  # has the idea, before any answer
LEARN = 0.28  # of the ignorant, who get it from one question and its correction
LESSON = 0.6  # of the ignorant, who get it from one more explanation
DOUBT = 0.038  # taken off after each answer, so that no history is beyond correction
SLIPS, SLIPS_WORTH = 0.203, 5.0  # how often somebody new slips, and how many answers that is worth
LUCK, LUCK_WORTH = 0.38, 2.7  # how often somebody new is right without the idea, the same
MENDS = 3.0  # misses are forgotten by a right answer as by so many halvings
NO_GUESS = 2.0  # wrong answers that an "I don't know" is worth
MOST_BY_CHOICE = 0.75  # known, of what was only picked
HALF_LIFE = timedelta(days=365)  # of what was learnt, without any further answer

# A slip costs more than it should by the simulated rates (.05 to .15): better asked once too often.
SLIP: Mapping[Difficulty, float] = {"easy": 0.02, "medium": 0.03, "hard": 0.06}
GUESS: Mapping[QuestionKind, float] = {
    "true_false": 0.5,
    "multiple_choice": 0.25,
    "cloze": 0.2,
    "short_answer": 0.15,
    "ordering": 0.15,
    "output": 0.15,
    "several": 0.1,
    "numeric": 0.1,
    "formula": 0.1,
    "recall": 0.3,  # nobody checks what the learner says of their own answer
}
ANY_GUESS = 0.25  # of the next question, whose kind nobody knows yet
# Easy questions are sometimes got right without the idea, hard ones hardly ever.
EASE: Mapping[Difficulty, float] = {"easy": 0.05, "medium": 0.0, "hard": -0.05}


@dataclass(frozen=True, slots=True)
class Belief:
    """How likely the idea is there, and how rarely this learner slips with it and is lucky without it."""

    known: float
    care: float = 0.0  # right answers of somebody who knows, halved by each wrong one
    misses: float = 0.0  # wrong answers of somebody who does not, halved by each right one

    def slip(self, *, more_care: float = 0.0) -> float:
        """How often who has the idea misses; care on other concepts vouches for no more than that on this one."""
        return SLIPS * SLIPS_WORTH / (SLIPS_WORTH + self.care + min(self.care, more_care))

    @property
    def is_of_use(self) -> float:
        """How much of what they usually learn they learn here, where so much went by."""
        return LUCK_WORTH / (LUCK_WORTH + self.misses)

    def chance(self, *, more_care: float = 0.0) -> float:
        """Of a right answer to the next question."""
        luck = LUCK * self.is_of_use
        return luck + self.known * (1 - self.slip(more_care=more_care) - luck)


def after(belief: Belief, answer: Evidence, *, is_taught: bool = False, start: float = PRIOR) -> Belief:
    """What to believe after one more answer, and the explanation before it where it is the first one to it."""
    slip, luck = SLIP[answer.difficulty], guess(answer)
    before = _taught(belief, answer.round, start=start) if is_taught else belief.known
    if answer.is_correct:
        known = _settled(belief, _bayes(before, ratio=(1 - slip) / luck, weight=answer.weight))
        if answer.is_choice:
            known = min(known, MOST_BY_CHOICE)
        known = max(before, known)
        care = belief.care + answer.weight * known
        return Belief(known, care, belief.misses * math.exp2(-MENDS * answer.weight))
    # A near miss costs half as much as an answer that is wholly beside the point.
    weight = answer.weight * (NO_GUESS if answer.gave_up else 1 - answer.score / 2)
    known = _settled(belief, _bayes(before, ratio=slip / (1 - luck), weight=weight))
    known = min(belief.known, known)
    return Belief(known, belief.care * math.exp2(-weight), belief.misses + weight * (1 - known))


def _taught(belief: Belief, number: int, *, start: float) -> float:
    """What was missed was explained again, so what was answered before says less about now.

    The first explanation is in the belief that everybody starts with: it makes up for what was missed before it.
    """
    taught = belief.known + (1 - belief.known) * LESSON * belief.is_of_use
    return taught if number > 1 else max(belief.known, min(start, taught))


def _bayes(known: float, *, ratio: float, weight: float) -> float:
    odds = known / (1 - known) * math.pow(ratio, weight)
    return odds / (1 + odds)


def _settled(belief: Belief, known: float) -> float:
    """A question and its correction teach a little, and nothing is certain."""
    doubt = DOUBT * belief.slip() / SLIPS
    return (known + (1 - known) * LEARN * belief.is_of_use) * (1 - doubt)


def guess(answer: Evidence) -> float:
    """The chance of a right answer without the idea."""
    return (GUESS[answer.kind] if answer.kind else ANY_GUESS) + EASE[answer.difficulty]


def faded(belief: Belief, elapsed: timedelta, *, floor: float) -> Belief:
    """What was learnt goes with time, down to where it began."""
    if belief.known <= floor or elapsed <= timedelta():
        return belief
    kept = math.exp2(-(elapsed / HALF_LIFE))
    return replace(belief, known=floor + (belief.known - floor) * kept)


def log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def from_log_odds(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))
