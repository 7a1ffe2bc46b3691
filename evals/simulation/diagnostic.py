"""Does the diagnostic find the gaps? Learners with known gaps answer it, slipping and guessing."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.diagnostic.offline import conclude
from agents.teaching.diagnosis import GUESS, SLIP, begin, next_probe, update
from agents.teaching.path import ConceptGraph, plan_path

Population = Callable[[ConceptGraph, Sequence[str], random.Random], set[str]]


@dataclass(slots=True)
class DiagnosticFigures:
    """Gaps found, overlooked and imagined, over all learners."""

    learners: int = 0
    probes: int = 0
    found: int = 0
    overlooked: int = 0
    imagined: int = 0

    @property
    def recall(self) -> float:
        return self.found / max(1, self.found + self.overlooked)

    @property
    def precision(self) -> float:
        return self.found / max(1, self.found + self.imagined)

    @property
    def probes_a_learner(self) -> float:
        return self.probes / max(1, self.learners)


def readers(graph: ConceptGraph, concepts: Sequence[str], rng: random.Random) -> set[str]:
    """Have read the course up to some point: nine in ten concepts before it stuck, one in ten after it."""
    point = rng.uniform(-0.15, 1.15) * len(concepts)
    return _consistent(
        graph, concepts, rng, [0.9 if place < point else 0.1 for place in range(len(concepts))]
    )


def samplers(graph: ConceptGraph, concepts: Sequence[str], rng: random.Random) -> set[str]:
    """Picked things up here and there: weak, average or strong all over."""
    chance = rng.choice((0.35, 0.65, 0.9))
    return _consistent(graph, concepts, rng, [chance] * len(concepts))


def run_diagnostics(
    graph: ConceptGraph,
    topics: Sequence[Sequence[str]],
    *,
    population: Population,
    learners_a_topic: int,
    seed: int,
) -> DiagnosticFigures:
    """Let many learners of one kind take the diagnostic of each topic."""
    rng = random.Random(seed)
    figures = DiagnosticFigures()
    for topic in topics:
        fresh = begin(graph, topic)
        for _ in range(learners_a_topic):
            known = population(graph, fresh.concepts, rng)
            state = fresh
            while (concept := next_probe(state)) is not None:
                chance = 1 - SLIP if concept in known else GUESS
                state = update(state, concept, is_correct=rng.random() < chance)
            _count(figures, gaps=set(conclude(state).gaps), true=set(fresh.concepts) - known)
            figures.learners += 1
            figures.probes += len(state.asked)
    return figures


def order_violations(graph: ConceptGraph, *, plans: int, seed: int) -> int:
    """Steps that come before something they lean on, over random goals and states of mastery."""
    rng = random.Random(seed)
    names = list(graph.concepts)
    violations = 0
    for _ in range(plans):
        mastery = {name: rng.random() for name in rng.sample(names, rng.randrange(len(names)))}
        goals = rng.sample(names, rng.randrange(4))
        order = plan_path(graph, mastery, goals=goals, threshold=0.85).concepts
        place = {name: number for number, name in enumerate(order)}
        violations += sum(
            place.get(need, -1) > place[name] for name in order for need in graph.prerequisites(name)
        )
    return violations


def _count(figures: DiagnosticFigures, *, gaps: set[str], true: set[str]) -> None:
    figures.found += len(gaps & true)
    figures.overlooked += len(true - gaps)
    figures.imagined += len(gaps - true)


def _consistent(
    graph: ConceptGraph, concepts: Sequence[str], rng: random.Random, chances: Sequence[float]
) -> set[str]:
    """Know a concept only together with what it leans on."""
    known: set[str] = set()
    for concept, chance in zip(concepts, chances, strict=True):
        needs = set(graph.prerequisites(concept)) & set(concepts)
        if needs <= known and rng.random() < chance:
            known.add(concept)
    return known
