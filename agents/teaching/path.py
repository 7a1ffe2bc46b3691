"""What to learn next and why: the graph of concepts, the goals in it, and the order in which they are reached."""

import heapq
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Self

from rapidfuzz import fuzz, process

from agents.language.words import TermFinder, TermKey, bold, capital, joined, term_key, words_of
from agents.teaching import thresholds
from agents.teaching.values import Concept, Relationship


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
        return tuple(self._ordered(concepts, stays=False))

    def in_sections(self, concepts: Collection[str]) -> list[tuple[str, ...]]:
        """The concepts in stretches of one page each, foundations first; a page is left only for what it leans on."""
        order = self._ordered(concepts, stays=True)
        return [tuple(names) for _, names in groupby(order, key=lambda name: self.concepts[name].chapter_id)]

    def _ordered(self, concepts: Collection[str], *, stays: bool) -> Iterator[str]:
        chosen = set(concepts)
        names = [name for name in self.concepts if name in chosen]
        place = {name: number for number, name in enumerate(names)}
        missing = {name: {need for need in self.prerequisites(name) if need in place} for name in names}
        leaning: dict[str, list[str]] = {name: [] for name in names}
        for name, needs in missing.items():
            for need in needs:
                leaning[need].append(name)
        ready: list[int] = []
        on_page: dict[str, list[int]] = {}

        def is_ready(name: str) -> None:
            heapq.heappush(ready, place[name])
            heapq.heappush(on_page.setdefault(self.concepts[name].chapter_id, []), place[name])

        for name in names:
            if not missing[name]:
                is_ready(name)
        here = ""
        while missing:
            heap = next((each for each in (on_page.get(here, []) if stays else [], ready) if each), [])
            # Nothing is ready only inside a cycle.
            name = names[heapq.heappop(heap)] if heap else next(iter(missing))
            if name not in missing:  # taken from the other heap
                continue
            yield name
            here = self.concepts[name].chapter_id
            del missing[name]
            for other in leaning[name]:
                if other in missing:
                    missing[other].discard(name)
                    if not missing[other]:
                        is_ready(other)

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


_MOST_CHAPTERS = 6


Reason = Callable[[str, bool, bool], str]  # what builds on it, whether it is a goal, and whether it is a gap


def on_the_way(needs: str, is_goal: bool, is_gap: bool) -> str:
    """Why to learn something now, towards a goal or out of a gap."""
    if is_goal:
        return f"You asked for it, and {needs}." if needs else "This is what you are after."
    if is_gap:
        return f"This is one of your gaps{f', and {needs}' if needs else ''}."
    return f"{capital(needs)}." if needs else "It comes next in the course."


def on_the_way_back(needs: str, is_goal: bool, is_gap: bool) -> str:
    """Why to learn something before what would not stick."""
    if is_goal:
        return "This is what we come back to."
    return f"{capital(needs)}." if needs else "Your answers showed a gap here."


def unknown_goal(goal: str, *, similar: Sequence[str], chapters: Sequence[str]) -> str:
    """Say that the course has no such thing, and what it has."""
    start = f"I can't find “{goal}” in this course."
    if similar:
        return f"{start} Did you mean {joined(bold(similar), word='or')}?"
    if not chapters:
        return f"{start} There is nothing in it yet: add material with `tutor ingest`."
    titles = [title.split(":")[0] for title in chapters]
    return f"{start} It covers {joined(titles, most=_MOST_CHAPTERS)}. Which of these comes closest?"


def all_mastered(goals: Sequence[str], *, threshold: float) -> str:
    """Nothing is left to do."""
    if goals:
        named = joined(bold(goals))
        return f"You have already mastered {named}, and what it takes to get there ({thresholds.goal(threshold)})."
    return (
        f"You have mastered every concept of this course ({thresholds.goal(threshold)}). "
        "A short review now and then will keep it fresh."
    )


def one_step_back(*, missed: Sequence[str], foundations: Sequence[str]) -> str:
    """After many tries: it is the foundations, not the learner."""
    if not missed:
        return "There is nothing to repair here. Pick any topic and we go on."
    if not foundations:
        return (
            f"{capital(joined(missed))} {'needs' if len(missed) == 1 else 'need'} nothing that you don't have. "
            f"Let's take {'it' if len(missed) == 1 else 'them'} in smaller pieces, one question at a time."
        )
    return (
        f"When {joined(missed)} won't stick after several tries, the ground below is usually the reason. "
        f"Let's first make {joined(bold(foundations))} safe, and then come back."
    )


_MISSPELT = 80
_SIMILAR = 60
_MOST_SUGGESTIONS = 3
_MOST_NAMED = 2
_EVERYTHING = {
    ("everything",),
    ("all",),
    ("course",),
    ("whole", "course"),
    ("entire", "course"),
    ("it", "all"),
}
_FILLER = frozenset(
    words_of(
        "i a an the to of in on for with and or my me we us you it this that is are be being how what why when "
        "where want would like need wish hope plan try trying get able can could will learn learning understand "
        "understanding know study studying master mastering teach explain help please about more better properly "
        "really good some something start begin goal do use using work working"
    )
)
_MOST_CHARACTERS = 500
_PARTS = frozenset({"module", "chapter", "lesson", "unit", "part", "section"})
_NUMBERED = re.compile(r"\b(module|chapter|lesson|unit|part|ch)\s*(\d+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goals:
    """The concepts that the goals name, and the goals that the course does not know."""

    concepts: tuple[str, ...]
    names: tuple[str, ...]  # what to call them: the concept, or the learner's own words for several
    unknown: Mapping[str, Sequence[str]]  # to each the concepts of the course that look like it


def resolve_goals(graph: ConceptGraph, goals: Iterable[str]) -> Goals:
    """Find each goal among the course's concepts, chapters and modules."""
    found: dict[str, None] = {}
    names: dict[str, None] = {}
    unknown: dict[str, Sequence[str]] = {}
    keys = {term_key(name): name for name in reversed(list(graph.concepts))}
    for goal in goals:
        words = tuple(word for word in words_of(goal[:_MOST_CHARACTERS]) if word not in _FILLER)
        concepts = _resolve(graph, goal[:_MOST_CHARACTERS], words, keys)
        found.update(dict.fromkeys(concepts))
        if concepts:
            names.update(dict.fromkeys(concepts if len(concepts) <= _MOST_NAMED else [goal.strip()]))
        else:
            unknown[goal] = _close(keys, words, most=_MOST_SUGGESTIONS, alike=_SIMILAR)
    return Goals(concepts=tuple(found), names=tuple(names), unknown=unknown)


def _resolve(graph: ConceptGraph, goal: str, words: TermKey, names: Mapping[TermKey, str]) -> Sequence[str]:
    words = words or term_key(goal)
    if not words:
        return ()
    if words in _EVERYTHING:
        return list(graph.concepts)
    exact = names.get(term_key(goal)) or names.get(words)
    return (
        _named_part(graph, goal, words)
        or ([exact] if exact else [])
        or _called(graph, words)
        or [names[key] for key in dict.fromkeys(TermFinder(names).find(goal))]
        or [name for key, name in reversed(list(names.items())) if _is_most_of(words, key)]
        or _titled(graph, words)
        or _close(names, words, most=1, alike=_MISSPELT)
    )


def _named_part(graph: ConceptGraph, goal: str, words: Sequence[str]) -> list[str]:
    """'Module 2' or 'the URDF chapter': the learner says that a part of the course is meant."""
    if not _PARTS & set(words):
        return []
    bare = tuple(word for word in words if word not in _PARTS and not word.isdigit())
    return _numbered(graph, goal) or (_called(graph, bare) or _titled(graph, bare) if bare else [])


def _is_most_of(words: Sequence[str], key: Sequence[str]) -> bool:
    """'odometry' means visual odometry, but 'robot' says too little to mean robot state publisher."""
    return set(words) <= set(key) and len(key) <= 2 * len(words)


def _numbered(graph: ConceptGraph, goal: str) -> list[str]:
    """'Module 2' by the number in its id; a chapter number that several modules share says too little."""
    mentions = _NUMBERED.findall(goal)
    chapters = list(graph.chapter_ids) if mentions else []
    for kind, number in mentions:
        start = re.compile(rf"(?:^|/){kind[:2]}[a-z]*[-_ ]?0*{number}(?!\d)", re.IGNORECASE)
        chapters = [chapter for chapter in chapters if start.search(chapter)]
    parts = {chapter.split("/")[0] for chapter in chapters}
    return [name for chapter in chapters for name in graph.chapter(chapter)] if len(parts) == 1 else []


def _called(graph: ConceptGraph, words: tuple[str, ...]) -> list[str]:
    """A chapter or module that is called just this."""
    return [
        name
        for chapter in graph.chapter_ids
        if words in {term_key(title) for title in _titles(graph, chapter)}
        for name in graph.chapter(chapter)
    ]


def _titles(graph: ConceptGraph, chapter_id: str) -> list[str]:
    parts = chapter_id.split("/")
    return [graph.chapter_title(chapter_id), *(readable(part) for part in parts)]


def _titled(graph: ConceptGraph, words: tuple[str, ...]) -> list[str]:
    """Chapters whose titles have all the words."""
    return [
        name
        for chapter in graph.chapter_ids
        if set(words) <= set(words_of(" ".join(_titles(graph, chapter))))
        for name in graph.chapter(chapter)
    ]


def _close(names: Mapping[TermKey, str], words: Sequence[str], *, most: int, alike: float) -> list[str]:
    """Names that are spelt nearly so."""
    written = {" ".join(key): name for key, name in names.items()}
    near = process.extract(" ".join(words), written.keys(), scorer=fuzz.ratio, limit=most, score_cutoff=alike)
    return [written[key] for key, _, _ in near]


MOST_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """One section to learn, why it comes here, and the words that show why."""

    concept: str  # the first one
    concepts: tuple[str, ...]  # what of the section is still to be learnt
    chapter_id: str
    title: str
    reason: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to learn, in order; a message when there is something to say about it."""

    steps: tuple[PathStep, ...]
    goals: tuple[str, ...] = ()  # as far as the course knows them, in its own words
    message: str = ""
    way: int = 0  # the concepts on the way to the goals, with what is known of them

    @property
    def share_done(self) -> float:
        """How much of the way is behind the learner."""
        return 1 - min(len(self.concepts), self.way) / self.way if self.way else 0.0

    @property
    def shown(self) -> tuple[PathStep, ...]:
        """As many steps as a person reads."""
        return self.steps[:MOST_SHOWN]

    @property
    def concepts(self) -> tuple[str, ...]:
        return tuple(concept for step in self.steps for concept in step.concepts)

    @property
    def next_topic(self) -> str:
        """Where to begin; empty when nothing is left."""
        return self.steps[0].concept if self.steps else ""

    @property
    def keys(self) -> dict[str, Any]:
        """What a session knows of it: all three of these keys, or none of them, are from one plan."""
        return {
            "learning_path": list(self.concepts),
            "next_topic": self.next_topic,
            "path_reasoning": self._reasoning,
        }

    @property
    def _reasoning(self) -> str:
        """Why the next topic is next, in one line."""
        return f"{self.steps[0].concept} first. {self.steps[0].reason}" if self.steps else self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosed:
    """What diagnostics have found out and no lesson has settled yet."""

    gaps: tuple[str, ...] = ()  # of the last one, foundations first
    shown: frozenset[str] = frozenset()  # asked about before any lesson, and always answered right


NOT_DIAGNOSED = Diagnosed()


def plan_path(
    graph: ConceptGraph,
    mastery: Mapping[str, float],
    *,
    goals: Sequence[str],
    threshold: float,
    diagnosed: Diagnosed = NOT_DIAGNOSED,
    taught_with: Callable[[str], Iterable[str]] = lambda name: (),
) -> Plan:
    """Order what the goals still need, section by section; without goals, the whole course in reading order.

    A goal that is open comes with what the same lesson teaches: nobody has learnt a thing with the one word for it.

    What a diagnostic put first comes first. What it found in place is passed over as long as anything else is left.
    """
    found = resolve_goals(graph, goals)
    targets = found.concepts if goals else tuple(graph.concepts)
    lacks = _lacks(mastery, threshold=threshold)
    if goals:
        beside = (other for name in filter(lacks, targets) for other in taught_with(name))
        targets = tuple(dict.fromkeys([*targets, *beside]))
    gaps = [name for name in diagnosed.gaps if name in graph.concepts and lacks(name)]
    # What the gaps lean on was looked at with them, and is none.
    in_place = {*diagnosed.shown, *graph.closure(gaps)} - {*gaps}
    assumed = {**mastery, **dict.fromkeys(in_place, 1.0)}
    needed = _needed(graph, assumed, targets=targets, threshold=threshold) - {*gaps}
    if not gaps and not needed:
        needed = _needed(graph, mastery, targets=targets, threshold=threshold)
    sections = [*graph.in_sections(gaps), *graph.in_sections(needed)]
    needed = {*gaps, *needed}
    # Who wants everything wants no part of it in particular.
    special = found.concepts if len(found.concepts) < len(graph.concepts) else ()
    return Plan(
        steps=_steps(graph, sections, goals=special, gaps=gaps, tell=on_the_way),
        goals=found.names if special else (),
        message=_message(graph, found, targets=targets, needed=needed, threshold=threshold),
        way=len(graph.closure(targets)),
    )


def remediation(
    graph: ConceptGraph,
    mastery: Mapping[str, float],
    *,
    topic_concepts: Sequence[str],
    gaps: Sequence[str],
    threshold: float,
) -> Plan:
    """After cycles without success: what the missed concepts lean on first, then those again."""
    known = [concept for concept in topic_concepts if concept in graph.concepts]
    lacks = _lacks(mastery, threshold=threshold)
    missed = list(filter(lacks, known)) or known
    leaned_on = {need for concept in missed for need in graph.prerequisites(concept)} | set(gaps)
    foundations = set(filter(lacks, leaned_on)) - set(missed)
    return Plan(
        steps=_steps(
            graph,
            [(name,) for name in graph.in_teaching_order({*foundations, *missed})],
            goals=missed,
            gaps=gaps,
            tell=on_the_way_back,
        ),
        message=one_step_back(
            missed=missed, foundations=[name for name in graph.concepts if name in foundations]
        ),
    )


def _lacks(mastery: Mapping[str, float], *, threshold: float) -> Callable[[str], bool]:
    """Whether a concept is still to be learnt; one that was never asked about is, whatever the threshold."""
    return lambda name: name not in mastery or not thresholds.is_enough(mastery[name], threshold=threshold)


def _needed(
    graph: ConceptGraph, mastery: Mapping[str, float], *, targets: Collection[str], threshold: float
) -> set[str]:
    """Who has mastered a concept has what it leans on, unless their answers say otherwise."""
    needed: set[str] = set()
    seen: set[str] = set()
    lacks = _lacks(mastery, threshold=threshold)
    waiting = [concept for concept in targets if concept in graph.concepts]
    while waiting:
        concept = waiting.pop()
        if concept in seen:
            continue
        below = graph.prerequisites(concept)
        if lacks(concept):
            needed.add(concept)
        else:
            below = tuple(need for need in below if need in mastery)
        seen.add(concept)
        waiting.extend(below)
    return needed


def _message(
    graph: ConceptGraph,
    found: Goals,
    *,
    targets: Collection[str],
    needed: Collection[str],
    threshold: float,
) -> str:
    chapters = [graph.chapter_title(chapter) for chapter in graph.chapter_ids]
    said = [unknown_goal(goal, similar=similar, chapters=chapters) for goal, similar in found.unknown.items()]
    if targets and not needed:
        said.append(all_mastered(found.concepts, threshold=threshold))
    return " ".join(said)


def _steps(
    graph: ConceptGraph,
    sections: Sequence[tuple[str, ...]],
    *,
    goals: Collection[str],
    gaps: Collection[str],
    tell: Reason,
) -> tuple[PathStep, ...]:
    uses = _strongest_uses(graph, [name for section in sections for name in section], goals=goals)
    steps = []
    for section in sections:
        outside = [uses[name] for name in section if name in uses and uses[name].concept not in section]
        use = max(outside, key=lambda edge: _use(edge, goals), default=None)
        needs = f"{use.concept} builds on {'it' if len(section) == 1 else use.prerequisite}" if use else ""
        concept = graph.concepts[section[0]]
        step = PathStep(
            concept=concept.name,
            concepts=section,
            chapter_id=concept.chapter_id,
            title=graph.chapter_title(concept.chapter_id),
            reason=tell(needs, not set(section).isdisjoint(goals), not set(section).isdisjoint(gaps)),
            evidence=use.evidence if use else concept.definition,
        )
        steps.append(step)
    return tuple(steps)


def _strongest_uses(
    graph: ConceptGraph, order: Sequence[str], *, goals: Collection[str]
) -> dict[str, Relationship]:
    """For each step, the edge that best shows what it is needed for: a goal before anything else."""
    uses: dict[str, Relationship] = {}
    for name in order:
        for edge in graph.edges[name]:
            best = uses.get(edge.prerequisite)
            if best is None or _use(edge, goals) > _use(best, goals):
                uses[edge.prerequisite] = edge
    return uses


def _use(edge: Relationship, goals: Collection[str]) -> tuple[bool, float]:
    return edge.concept in goals, edge.weight
