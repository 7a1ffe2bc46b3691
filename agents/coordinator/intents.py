"""What a message asks for, and which agent serves it: by rules over readable tables, without a model."""

from agents.coordinator.intent_rules import RULES, Case, Idea
from agents.coordinator.intent_types import (
    ACTIONS,
    ROUTES,
    WITH_TOPIC,
    Action,
    Awaiting,
    Intent,
    Route,
    RoutingContext,
)
from agents.coordinator.language.messages import Message
from agents.coordinator.language.topics import known_topic

__all__ = ["ACTIONS", "ROUTES", "Action", "Awaiting", "Intent", "Route", "RoutingContext", "classify"]

_ALTERNATIVES = 3


def classify(
    message: str, *, question_pending: bool = False, context: RoutingContext | None = None
) -> Intent:
    """Read one message; while a question is pending, whatever reads as an answer is one."""
    case = Case(message=Message.read(message), pending=question_pending, context=context or RoutingContext())
    best: dict[Action, Idea] = {}
    for rule in RULES:
        for idea in rule(case):
            if idea.action not in best or idea.score > best[idea.action].score:
                best[idea.action] = idea
    # Sorting is stable: among equals the earlier rule wins.
    first, *others = sorted(best.values(), key=lambda idea: -idea.score)
    return Intent(
        route=first.route or ROUTES.get(first.action, "coordinator"),
        action=first.action,
        topic=_topic(first, case.context),
        confidence=round(min(first.score, 1.0), 3),
        alternatives=tuple((idea.action, round(idea.score, 3)) for idea in others[:_ALTERNATIVES]),
        reason=first.reason,
    )


def _topic(idea: Idea, context: RoutingContext) -> str:
    if idea.action not in WITH_TOPIC or not idea.topic:
        return ""
    return known_topic(idea.topic, context.topic_names) or idea.topic
