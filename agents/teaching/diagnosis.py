"""Which few questions tell where a learner stands, and what their answers make likely: a crowd of imagined learners."""

import math
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from agents.teaching.path import ConceptGraph
from agents.teaching.values import MOST_PROBES

MOST_CONCEPTS = 12  # what six questions can tell apart
_LEAST_FOUNDATIONS = 4  # places that a large topic leaves to its prerequisites


def diagnostic_scope(graph: ConceptGraph, topic_concepts: Sequence[str]) -> tuple[str, ...]:
    """The concepts in teaching order: the topic, then its prerequisites, nearest and strongest first.

    Of a topic that is too large, such as a whole course, those all over it on which most else leans.
    """
    topic = [concept for concept in dict.fromkeys(topic_concepts) if concept in graph.concepts]
    foundations = _foundations(graph, topic)
    room = max(MOST_CONCEPTS - len(topic), min(_LEAST_FOUNDATIONS, len(foundations)))
    chosen = [*_spread(graph, topic, most=MOST_CONCEPTS - min(room, len(foundations))), *foundations[:room]]
    return graph.in_teaching_order(chosen)


def _spread(graph: ConceptGraph, topic: Sequence[str], *, most: int) -> list[str]:
    """So many of the concepts, from beginning to end: of each stretch the one on which most else leans."""
    leaning = Counter(edge.prerequisite for edges in graph.edges.values() for edge in edges)
    stretches = min(most, len(topic))
    bounds = [number * len(topic) // stretches for number in range(stretches + 1)] if stretches else []
    return [max(topic[start:end], key=leaning.__getitem__) for start, end in pairwise(bounds)]


def _foundations(graph: ConceptGraph, topic: Sequence[str]) -> list[str]:
    found: dict[str, None] = {}
    layer: Sequence[str] = topic
    while layer:
        weights: dict[str, float] = {}
        for concept in layer:
            for edge in graph.edges[concept]:
                if edge.prerequisite not in topic and edge.prerequisite not in found:
                    weights[edge.prerequisite] = weights.get(edge.prerequisite, 0.0) + edge.weight
        layer = sorted(weights, key=lambda name: (-weights[name], name))
        found.update(dict.fromkeys(layer))
    return list(found)


FEWEST_PROBES = 3
SLIP = 0.1
GUESS = 0.2  # where the kind of the question is not known

_CROWD = 600
_MOST_A_CONCEPT = 2
_WORTH_ASKING = 0.05  # concepts that one more question must save from a wrong judgement
_STEEPNESS = 6.0  # how sharply knowledge ends where a reader has got to


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProbeState:
    """What is believed so far; made anew from the answers, so there is nothing to store."""

    concepts: tuple[str, ...]  # in teaching order
    topic: frozenset[str]  # those of the topic; the others are its prerequisites
    crowd: NDArray[np.bool_]  # imagined learners x concepts: who knows what
    weights: NDArray[np.float64]  # how likely each of them is
    asked: tuple[str, ...] = ()

    @property
    def known(self) -> dict[str, float]:
        """How likely it is that the learner knows each concept."""
        return dict(zip(self.concepts, map(float, self.weights @ self.crowd), strict=True))


def begin(
    graph: ConceptGraph,
    topic_concepts: Sequence[str],
    *,
    mastery: Mapping[str, float] | None = None,
    seed: int = 0,
) -> ProbeState:
    """A crowd of learners over the topic and what it leans on; earlier answers already weigh in."""
    concepts = diagnostic_scope(graph, topic_concepts)
    crowd = _crowd(graph, concepts, rng=random.Random(seed))
    weights = np.full(_CROWD, 1 / _CROWD)
    for place, concept in enumerate(concepts):
        if mastery and concept in mastery:
            chance = _known_from(mastery[concept])
            weights = weights * np.where(crowd[:, place], chance, 1 - chance)
    return ProbeState(
        concepts=concepts,
        topic=frozenset(topic_concepts) & frozenset(concepts),
        crowd=crowd,
        weights=weights / weights.sum(),
    )


def next_probe(state: ProbeState, *, most: int = MOST_PROBES, without: Collection[str] = ()) -> str | None:
    """The concept to ask about next; None when another question would tell too little, or so many were asked.

    Without those that the course has no question about.
    """
    often = _MOST_A_CONCEPT if len(state.concepts) > 1 else FEWEST_PROBES
    open_concepts = [
        concept for concept in state.concepts if state.asked.count(concept) < often and concept not in without
    ]
    if len(state.asked) >= most or not open_concepts:
        return None
    expected = {concept: _errors_after_asking(state, concept) for concept in open_concepts}
    best = min(open_concepts, key=lambda concept: round(expected[concept], 9))
    saved = _errors(state.weights @ state.crowd) - expected[best]
    return best if len(state.asked) < FEWEST_PROBES or saved >= _WORTH_ASKING else None


def update(state: ProbeState, concept: str, *, is_correct: bool, guess: float = GUESS) -> ProbeState:
    """What to believe after one more answer; one about another concept changes nothing."""
    if concept not in state.concepts:
        return state
    weights = state.weights * _likelihood(state, concept, is_correct=is_correct, guess=guess)
    return replace(state, weights=weights / weights.sum(), asked=(*state.asked, concept))


def _errors_after_asking(state: ProbeState, concept: str) -> float:
    total = 0.0
    for is_correct in (True, False):
        weights = state.weights * _likelihood(state, concept, is_correct=is_correct)
        chance = float(weights.sum())
        total += chance * _errors(weights / chance @ state.crowd)
    return total


def _errors(known: NDArray[np.float64]) -> float:
    """How many concepts one would get wrong by calling each what it most likely is."""
    return float(np.minimum(known, 1 - known).sum())


def _likelihood(
    state: ProbeState, concept: str, *, is_correct: bool, guess: float = GUESS
) -> NDArray[np.float64]:
    knows = state.crowd[:, state.concepts.index(concept)]
    return np.where(knows, 1 - SLIP, guess) if is_correct else np.where(knows, SLIP, 1 - guess)


def _known_from(mastery: float) -> float:
    """How likely somebody knows a concept whose next question they get right with this chance."""
    return min(0.98, max(0.02, (mastery - GUESS) / (1 - SLIP - GUESS)))


def _crowd(graph: ConceptGraph, concepts: Sequence[str], *, rng: random.Random) -> NDArray[np.bool_]:
    needs = [
        [concepts.index(need) for need in graph.prerequisites(concept) if need in concepts]
        for concept in concepts
    ]
    crowd = [_imagined(needs, rng=rng, is_reader=number % 2 == 0) for number in range(_CROWD)]
    return np.array(crowd, dtype=np.bool_).reshape(_CROWD, len(concepts))


def _imagined(needs: Sequence[Sequence[int]], *, rng: random.Random, is_reader: bool) -> list[bool]:
    """One learner: a reader knows what comes before a point, the other kind knows by luck."""
    point, luck = rng.uniform(-0.3, 1.3), rng.uniform(0.05, 0.98)
    knows: list[bool] = []
    for place, below in enumerate(needs):
        depth = (place + 0.5) / len(needs)
        chance = 1 / (1 + math.exp(-_STEEPNESS * (point - depth))) if is_reader else luck
        # In a cycle a prerequisite may come later; then it is no condition.
        knows.append(all(knows[need] for need in below if need < place) and rng.random() < chance)
    return knows
