"""Learners who learn, slip, guess and forget at stated rates."""

import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from agents.teaching.values import QuestionKind

# What somebody without the idea gets right, by kind of question.
TRUE_GUESS: Mapping[QuestionKind, float] = {
    "true_false": 0.5,
    "multiple_choice": 0.25,
    "cloze": 0.1,
    "short_answer": 0.1,
    "ordering": 0.1,
    "output": 0.1,
    "several": 0.1,
    "numeric": 0.02,
    "formula": 0.02,
    "recall": 0.0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The rates of one kind of learner; all are chances."""

    name: str
    knows: float  # a concept, before the course
    learns: float  # a concept from one explanation, with its prerequisites in place
    is_corrected: float  # learns a concept from the correction of a wrong answer
    slips: float  # on a concept that they know
    forgets: float  # a concept in a day


WEAK = Profile(name="weak", knows=0.1, learns=0.3, is_corrected=0.05, slips=0.15, forgets=0.03)
AVERAGE = Profile(name="average", knows=0.2, learns=0.5, is_corrected=0.1, slips=0.1, forgets=0.02)
STRONG = Profile(name="strong", knows=0.5, learns=0.75, is_corrected=0.15, slips=0.05, forgets=0.01)
PROFILES = (WEAK, AVERAGE, STRONG)

# Of the usual chance to learn.
_WITHOUT_FOUNDATIONS = 0.2
_RETOLD = 0.5


class Learner:
    """One simulated learner; what they know is known to the simulation, and only to it."""

    def __init__(
        self,
        profile: Profile,
        *,
        rng: random.Random,
        known: Iterable[str] = (),
        prerequisites: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.profile = profile
        self.known = set(known)
        self._rng = rng
        self._prerequisites = prerequisites or {}

    def chance(self, concept: str, *, guess: float) -> float:
        """The true chance that the next answer is right."""
        return 1 - self.profile.slips if concept in self.known else guess

    def answers(self, concept: str, *, guess: float) -> bool:
        return self._rng.random() < self.chance(concept, guess=guess)

    def is_taught(self, concept: str, *, again: bool = False) -> None:
        """Hear an explanation, which helps little without what it builds on, and less when it says nothing new."""
        chance = self.profile.learns * (_RETOLD if again else 1)
        if any(needed not in self.known for needed in self._prerequisites.get(concept, ())):
            chance *= _WITHOUT_FOUNDATIONS
        self._may_learn(concept, chance=chance)

    def is_corrected(self, concept: str) -> None:
        self._may_learn(concept, chance=self.profile.is_corrected)

    def sleeps(self, *, days: float) -> None:
        """Let time pass; each concept may be gone afterwards."""
        kept = (1 - self.profile.forgets) ** days
        self.known = {concept for concept in sorted(self.known) if self._rng.random() < kept}

    def _may_learn(self, concept: str, *, chance: float) -> None:
        if self._rng.random() < chance:
            self.known.add(concept)
