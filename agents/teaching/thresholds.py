"""From when on something is mastered: whose word counts, the one comparison, and how both are told.

The learner's own choice counts before the one of the course's teacher, and that before the installation's. A session
(an API client) may ask for more than that, never for less. Teachers see their class by the course's, whatever
somebody chose for themselves.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

HIGHEST = 0.99  # of a score: nothing is ever certain
MOST_COUNTED = 2000  # right answers that are still to come
_ROUNDING = 1e-9

Whose = Literal["own", "course", "installation", "session"]


def is_enough(score: float, *, threshold: float) -> bool:
    """Whether a score is mastery: this comparison, and nothing else."""
    return score >= threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """What was chosen for a learner, in every course."""

    installation: float
    by_course: Mapping[str, float] = field(default_factory=dict)  # by its teachers
    own: float | None = None  # by the learner

    def of_class(self, course: str) -> float:
        """What counts where nobody chose anything for themselves."""
        return self.by_course.get(course, self.installation)

    def of(self, course: str, *, asked: float | None = None) -> float:
        """What counts for the learner; a session may ask for more."""
        usual = self.of_class(course) if self.own is None else self.own
        return usual if asked is None else max(usual, asked)

    def whose(self, course: str, *, asked: float | None = None) -> Whose:
        """Who chose what counts."""
        if self.of(course, asked=asked) > self.of(course):
            return "session"
        if self.own is not None:
            return "own"
        return "course" if course in self.by_course else "installation"


def percent(share: float, *, digits: int = 0) -> str:
    """A share in words, rounded down: what looks reached is."""
    whole = math.floor(share * 100 * 10**digits + _ROUNDING) / 10**digits
    return f"{whole:.{digits}f}%"


def in_words(score: float, *, threshold: float) -> str:
    """A score beside its threshold, both as exact as the threshold."""
    return f"{percent(score, digits=_digits(threshold))}, {goal(threshold)}"


def exactly(threshold: float) -> str:
    """A threshold by itself: '85%' or '85.5%'."""
    return percent(threshold, digits=_digits(threshold))


def goal(threshold: float) -> str:
    """What stands beside what is mastered."""
    return f"the goal is {exactly(threshold)}"


def to_go(right_answers: int | None, *, threshold: float) -> str:
    """How many more right answers it takes; empty where it takes none."""
    if threshold > HIGHEST:
        return f"{exactly(threshold)} can't be reached; the highest that can be is {exactly(HIGHEST)}"
    if right_answers is None:
        return f"more than {MOST_COUNTED:,} more right answers"
    return f"{right_answers} more right answer{'s' if right_answers != 1 else ''}" if right_answers else ""


def _digits(threshold: float) -> int:
    return 0 if abs(threshold * 100 - round(threshold * 100)) < _ROUNDING else 1
