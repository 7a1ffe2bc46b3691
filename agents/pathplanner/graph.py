"""A course's concepts and what each leans on."""

import heapq
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from storage.course import Concept, Relationship


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptGraph:
    """The concepts in reading order, with the edges to what each builds on, the strongest first."""

    concepts: Mapping[str, Concept]
    edges: Mapping[str, tuple[Relationship, ...]]  # by the concept that leans on others
    chapter_titles: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        concepts: Iterable[Concept],
        relationships: Iterable[Relationship],
        *,
        chapter_titles: Mapping[str, str] | None = None,
    ) -> Self:
        """Build the graph; edges from or to concepts that are not there are left out."""
        known = {concept.name: concept for concept in sorted(concepts, key=lambda each: each.position)}
        edges: dict[str, list[Relationship]] = {name: [] for name in known}
        for edge in sorted(relationships, key=lambda edge: (-edge.weight, edge.prerequisite)):
            if edge.concept in known and edge.prerequisite in known and edge.concept != edge.prerequisite:
                edges[edge.concept].append(edge)
        return cls(
            concepts=known,
            edges={name: tuple(found) for name, found in edges.items()},
            chapter_titles=chapter_titles or {},
        )

    def prerequisites(self, concept: str) -> tuple[str, ...]:
        """What a concept leans on directly, the most important first."""
        return tuple(edge.prerequisite for edge in self.edges.get(concept, ()))

    def closure(self, concepts: Iterable[str]) -> set[str]:
        """The concepts and everything they lean on, directly or not."""
        found: set[str] = set()
        waiting = [concept for concept in concepts if concept in self.concepts]
        while waiting:
            concept = waiting.pop()
            if concept not in found:
                found.add(concept)
                waiting.extend(self.prerequisites(concept))
        return found

    def in_teaching_order(self, concepts: Collection[str]) -> tuple[str, ...]:
        """Foundations first, otherwise as the course has them; a cycle is entered where the course does."""
        chosen = set(concepts)
        names = [name for name in self.concepts if name in chosen]
        place = {name: number for number, name in enumerate(names)}
        missing = {name: {need for need in self.prerequisites(name) if need in place} for name in names}
        leaning: dict[str, list[str]] = {name: [] for name in names}
        for name, needs in missing.items():
            for need in needs:
                leaning[need].append(name)
        ready = [place[name] for name in names if not missing[name]]
        order: list[str] = []
        while missing:
            # Nothing is ready only inside a cycle.
            name = names[heapq.heappop(ready)] if ready else next(iter(missing))
            order.append(name)
            del missing[name]
            for other in leaning[name]:
                if other in missing:
                    missing[other].discard(name)
                    if not missing[other]:
                        heapq.heappush(ready, place[other])
        return tuple(order)

    def cycle(self, concepts: Collection[str]) -> tuple[str, ...]:
        """Concepts that each lean on the next, and the last on the first; empty when there are none."""
        order = self.in_teaching_order(concepts)
        place = {name: number for number, name in enumerate(order)}
        if all(place.get(need, -1) < place[name] for name in order for need in self.prerequisites(name)):
            return ()
        left = dict.fromkeys(order)
        while free := [name for name in left if not any(need in left for need in self.prerequisites(name))]:
            for name in free:
                del left[name]
        trail: list[str] = []
        here = next(iter(left))
        while here not in trail:
            trail.append(here)
            here = next(need for need in self.prerequisites(here) if need in left)
        return tuple(trail[trail.index(here) :])

    def chapter_title(self, chapter_id: str) -> str:
        """What people call a chapter: its title, or its id made readable."""
        return self.chapter_titles.get(chapter_id) or readable(chapter_id.rsplit("/", 1)[-1])

    def chapter(self, chapter_id: str) -> tuple[str, ...]:
        """The concepts that a chapter introduces."""
        return tuple(name for name, concept in self.concepts.items() if concept.chapter_id == chapter_id)

    @property
    def chapter_ids(self) -> Sequence[str]:
        return list(dict.fromkeys(concept.chapter_id for concept in self.concepts.values()))


_NUMBERING = re.compile(r"^(?:(?:module|chapter|ch|lesson|unit|part)[ _-]*)?\d*[ _-]+", re.IGNORECASE)


def readable(identifier: str) -> str:
    """'ch2-frames-tf' as 'Frames tf'."""
    name = _NUMBERING.sub("", identifier) or identifier
    return re.sub(r"[-_]+", " ", name).strip().capitalize()
