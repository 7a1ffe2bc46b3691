"""Which concepts a diagnostic is about: the topic's own, and the most important of what they lean on."""

from collections.abc import Sequence

from agents.pathplanner.graph import ConceptGraph

MOST_CONCEPTS = 12  # what six questions can tell apart
_LEAST_FOUNDATIONS = 4  # places that a large topic leaves to its prerequisites


def diagnostic_scope(graph: ConceptGraph, topic_concepts: Sequence[str]) -> tuple[str, ...]:
    """The concepts in teaching order: the topic, then its prerequisites, nearest and strongest first."""
    topic = [concept for concept in dict.fromkeys(topic_concepts) if concept in graph.concepts]
    chosen = topic[:MOST_CONCEPTS]
    foundations = _foundations(graph, chosen)
    room = max(MOST_CONCEPTS - len(chosen), min(_LEAST_FOUNDATIONS, len(foundations)))
    chosen = [*chosen[: MOST_CONCEPTS - min(room, len(foundations))], *foundations[:room]]
    return graph.in_teaching_order(chosen)


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
