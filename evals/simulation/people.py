"""Who comes to the simulated classroom: of every kind, with and without what their topic leans on."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.teaching.path import ConceptGraph
from evals.simulation.learners import PROFILES, Learner, Profile

_FOUNDATION_THERE = 0.5  # of those who have gaps


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One learner before the course: what they are like, what they want, and what they lack."""

    name: str
    profile: Profile
    has_gaps: bool
    target: str
    topic: tuple[str, ...]  # the concepts that the app teaches with the target

    @property
    def kind(self) -> str:
        return f"{self.profile.name}, {'with' if self.has_gaps else 'without'} gaps"


def people(
    graph: ConceptGraph, topics: Mapping[str, Sequence[str]], *, pairs_a_profile: int, seed: int
) -> list[Person]:
    """For each profile the same targets twice: for somebody with gaps, and for somebody without."""
    rng = random.Random(seed)
    leaning = [name for name, topic in topics.items() if graph.closure(topic) - set(topic)]
    targets = rng.sample(leaning, pairs_a_profile)
    return [
        Person(
            name=f"{profile.name}-{number}-{'gaps' if has_gaps else 'ready'}",
            profile=profile,
            has_gaps=has_gaps,
            target=target,
            topic=tuple(topics[target]),
        )
        for number, target in enumerate(targets)
        for profile in PROFILES
        for has_gaps in (True, False)
    ]


def arrive(person: Person, graph: ConceptGraph, *, rng: random.Random) -> Learner:
    """The learner with what they know before the course; nobody knows a concept without what it leans on."""
    foundations = graph.closure(person.topic) - set(person.topic)
    missing = rng.choice(sorted(foundations))
    known: set[str] = set()
    for name in graph.in_teaching_order(graph.concepts):
        chance = person.profile.knows
        if name in foundations:
            chance = _FOUNDATION_THERE if person.has_gaps else 1.0
        is_lacking = person.has_gaps and name == missing
        if set(graph.prerequisites(name)) <= known and rng.random() < chance and not is_lacking:
            known.add(name)
    prerequisites = {name: graph.prerequisites(name) for name in graph.concepts}
    return Learner(person.profile, rng=rng, known=known, prerequisites=prerequisites)
