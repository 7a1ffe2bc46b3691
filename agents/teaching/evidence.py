"""One graded answer, as far as mastery and reviews are concerned."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from agents.state import Difficulty, QuestionKind

# The right answer is on the screen: it only has to be picked.
CHOICES: Final[frozenset[str]] = frozenset({"multiple_choice", "true_false", "ordering"})


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
    lesson: str = ""  # the explanation that it followed; another one lies between answers of two lessons

    @property
    def is_choice(self) -> bool:
        return self.kind in CHOICES
