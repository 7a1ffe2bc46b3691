"""The way to a goal: foundations first, and only what is not mastered."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from agents.pathplanner import reasons
from agents.pathplanner.goals import Goals, resolve_goals
from agents.pathplanner.graph import ConceptGraph
from storage.course import Relationship

MOST_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """One thing to learn, why it comes here, and the passage that shows why."""

    concept: str
    concepts: tuple[str, ...]  # more than one where a long plan is told by chapters
    chapter_id: str
    title: str
    reason: str
    evidence_chunk_id: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to learn, in order; a message when there is something to say about it."""

    steps: tuple[PathStep, ...]
    goals: tuple[str, ...] = ()  # as far as the course knows them, in its own words
    unknown_goals: tuple[str, ...] = ()
    message: str = ""

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


def plan_path(
    graph: ConceptGraph, mastery: Mapping[str, float], *, goals: Sequence[str], threshold: float
) -> Plan:
    """Order what the goals still need; without goals, the whole course in reading order."""
    found = resolve_goals(graph, goals)
    targets = found.concepts if goals else tuple(graph.concepts)
    needed = _needed(graph, mastery, targets=targets, threshold=threshold)
    # Who wants everything wants no part of it in particular.
    special = found.concepts if len(found.concepts) < len(graph.concepts) else ()
    return Plan(
        steps=_steps(graph, needed, goals=special, tell=reasons.reason),
        goals=found.names if special else (),
        unknown_goals=found.unknown,
        message=_message(graph, found, targets=targets, needed=needed),
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
    missed = [concept for concept in known if mastery.get(concept, 0.0) < threshold] or known
    leaned_on = {need for concept in missed for need in graph.prerequisites(concept)} | set(gaps)
    foundations = {concept for concept in leaned_on if mastery.get(concept, 0.0) < threshold} - set(missed)
    return Plan(
        steps=_steps(graph, {*foundations, *missed}, goals=missed, tell=reasons.repair),
        message=reasons.one_step_back(
            missed=missed, foundations=[name for name in graph.concepts if name in foundations]
        ),
    )


def _needed(
    graph: ConceptGraph, mastery: Mapping[str, float], *, targets: Collection[str], threshold: float
) -> set[str]:
    """Who has mastered a concept has what it leans on, unless their answers say otherwise."""
    needed: set[str] = set()
    seen: set[str] = set()
    waiting = [concept for concept in targets if concept in graph.concepts]
    while waiting:
        concept = waiting.pop()
        if concept in seen:
            continue
        below = graph.prerequisites(concept)
        if mastery.get(concept, 0.0) < threshold:
            needed.add(concept)
        else:
            below = tuple(need for need in below if need in mastery)
        seen.add(concept)
        waiting.extend(below)
    return needed


def _message(graph: ConceptGraph, found: Goals, *, targets: Collection[str], needed: Collection[str]) -> str:
    chapters = [graph.chapter_title(chapter) for chapter in graph.chapter_ids]
    said = [
        reasons.unknown_goal(goal, similar=found.suggestions[goal], chapters=chapters)
        for goal in found.unknown
    ]
    if targets and not needed:
        said.append(reasons.all_mastered(found.concepts))
    if circle := graph.cycle(needed):
        said.append(reasons.circle(circle, first=graph.in_teaching_order(circle)[0]))
    return " ".join(said)


def _steps(
    graph: ConceptGraph, needed: Collection[str], *, goals: Collection[str], tell: reasons.Reason
) -> tuple[PathStep, ...]:
    order = graph.in_teaching_order(needed)
    uses = _strongest_uses(graph, order, goals=goals)
    groups = [(name,) for name in order] if len(order) <= MOST_SHOWN else _by_chapter(graph, order)
    return tuple(_step(graph, group, uses=uses, goals=goals, tell=tell) for group in groups)


def _by_chapter(graph: ConceptGraph, order: Sequence[str]) -> list[tuple[str, ...]]:
    """Neighbours of one chapter become one step, which cannot put anything out of order."""
    groups: list[list[str]] = []
    for name in order:
        if groups and graph.concepts[groups[-1][-1]].chapter_id == graph.concepts[name].chapter_id:
            groups[-1].append(name)
        else:
            groups.append([name])
    return [tuple(group) for group in groups]


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


def _step(
    graph: ConceptGraph,
    group: tuple[str, ...],
    *,
    uses: Mapping[str, Relationship],
    goals: Collection[str],
    tell: reasons.Reason,
) -> PathStep:
    outside = [uses[name] for name in group if name in uses and uses[name].concept not in group]
    use = max(outside, key=lambda edge: _use(edge, goals), default=None)
    concept = graph.concepts[group[0]]
    return PathStep(
        concept=concept.name,
        concepts=group,
        chapter_id=concept.chapter_id,
        title=graph.chapter_title(concept.chapter_id),
        reason=tell(group, used_by=use, goals=[name for name in group if name in goals]),
        evidence_chunk_id=use.chunk_id if use else concept.chunk_id,
        evidence=use.evidence if use else concept.definition,
    )
