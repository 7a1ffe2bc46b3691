"""The fitted judgement: a weighted sum of the measures, and how sure it may be."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Is it right, how far up the scale (0.5 is the border), and is that beyond doubt?"""

    is_correct: bool
    score: float
    confident: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Weights by measure, and the probabilities at which an answer passes or is beyond doubt."""

    bias: float
    weights: Mapping[str, float]
    border: float
    surely_right: float
    surely_wrong: float

    def probability(self, numbers: Mapping[str, float]) -> float:
        total = self.bias + sum(weight * numbers[name] for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))

    def judge(self, numbers: Mapping[str, float]) -> Judgement:
        p = self.probability(numbers)
        passed = p >= self.border
        score = 0.5 + 0.5 * (p - self.border) / (1 - self.border) if passed else 0.5 * p / self.border
        return Judgement(
            is_correct=passed, score=score, confident=p >= self.surely_right or p <= self.surely_wrong
        )


@cache
def fitted(*, with_vectors: bool) -> Model:
    """The model that evals/fit_grading.py wrote; without word vectors it uses its own, slightly weaker one."""
    text = files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    return Model(**json.loads(text)["with_vectors" if with_vectors else "without_vectors"])
