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
from rag.terms import term_key

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
        topic=_topic(first, case),
        confidence=round(min(first.score, 1.0), 3),
        alternatives=tuple((idea.action, round(idea.score, 3)) for idea in others[:_ALTERNATIVES]),
        reason=first.reason,
    )


def _topic(idea: Idea, case: Case) -> str:
    if idea.action not in WITH_TOPIC:
        return ""
    wanted = idea.topic or _named_last(case)
    return (known_topic(wanted, case.context.topic_names) or wanted) if wanted else ""


def _named_last(case: Case) -> str:
    """'teach me topic', in a course with a concept of that name, asks for no topic of our choice."""
    *_, before, last = ("", "", *case.message.words)
    names = {term_key(name): name for name in case.context.topic_names}
    return names.get(term_key(last), "") if before in ("me", "on", "about") else ""
