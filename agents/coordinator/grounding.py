"""Which paragraphs speak to a question, best first, and whether they answer it: two small models, fitted on labels.

Both are weighted sums of a few measures. The first orders the paragraphs that were found; the second is a logistic that
tells from the best of them whether the course answers the question at all. Their weights are in answer_weights.json, made by
`python -m evals.fit_answers --write` from evals/labels/answers_tune.jsonl.
"""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from agents.coordinator.meaning import likeness
from agents.coordinator.paragraphs import Candidate, headings, measured
from agents.coordinator.question import Question, understand
from rag.results import RetrievalResult

WEIGHTS = Path(__file__).with_name("answer_weights.json")
# Of the question's words; two may stand together by chance, and more than five are no surer sign.
_MOST_FOUND = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """Whether the passages answer the question, and their paragraphs, best first."""

    asked: Question
    answerable: bool
    confidence: float  # 0..1
    candidates: tuple[Candidate, ...] = ()

    @property
    def supporting(self) -> tuple[RetrievalResult, ...]:
        return tuple({each.source.chunk_id: each.source for each in self.candidates}.values())


def is_answerable(
    question: str, results: Sequence[RetrievalResult], *, terms: Collection[str] = ()
) -> Grounding:
    """Rank what was found and judge it; terms are the names of the course's concepts."""
    asked = understand(question, terms)
    weights = _weights()
    scored = [
        replace(each, score=_sum(each.measures, weights["ranking"])) for each in measured(asked, results)
    ]
    found = sorted(scored, key=lambda each: (-each.score, each.source.rank, each.place))
    if not found:
        return Grounding(asked=asked, answerable=False, confidence=0.0)
    chance = _sum(judged(asked, found), weights["answerable"])
    confidence = 1 / (1 + math.exp(-max(-30.0, min(30.0, chance))))
    return Grounding(
        asked=asked,
        answerable=confidence >= weights["border"],
        confidence=round(confidence, 3),
        candidates=tuple(found),
    )


def judged(asked: Question, found: Sequence[Candidate]) -> dict[str, float]:
    """What tells whether the question is answered; the best candidate comes first."""
    best = found[0].source
    here = found[0].said | headings(best)
    chapter = here.union(*(each.said for each in found if each.source.chapter_id == best.chapter_id))
    mates = [each for each in found if each.source.chunk_id == best.chunk_id]
    passage = here.union(*(each.said for each in mates))
    words = list(dict.fromkeys(word for each in mates for word in each.paragraph.content))
    found_here = sum(weight for root, weight in asked.weights.items() if root in here)
    missing = [root for root in asked.weights if root not in passage]
    return {
        "in_chapter": asked.share(chapter),
        "anywhere": asked.share(here.union(*(each.said for each in found))),
        "beyond_two": max(0.0, min(_MOST_FOUND, found_here) - 2.0),
        "pairs": found[0].measures["pairs"],
        "closest": max(each.measures["closeness"] for each in found),
        "missing": max(
            (asked.weights[root] * (1 - likeness(asked.words[root], words)) for root in missing),
            default=0.0,
        ),
    }


def _sum(numbers: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return weights["bias"] + sum(weights.get(name, 0.0) * number for name, number in numbers.items())


@cache
def _weights() -> Any:
    return json.loads(WEIGHTS.read_text(encoding="utf-8"))
