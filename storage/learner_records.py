"""Records of a learner and of sessions, as they are stored; and who a learner is."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

MOST_CHARACTERS = 255


def is_learner_id(text: str) -> bool:
    """Characters that can be seen, and not so many that they are no name."""
    return 0 < len(text) <= MOST_CHARACTERS and text == text.strip() and text.isprintable()


LearnerLevel = Literal["unknown", "beginner", "intermediate", "advanced"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningCycle:
    """One round of explanation, quiz and feedback; open until it has a completed_at."""

    id: int
    user_id: str
    session_id: str
    topic: str
    cycle_number: int
    quiz_score: float | None
    mastery_achieved: bool | None
    started_at: datetime
    completed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosticResult:
    """What a diagnostic found out."""

    user_id: str
    session_id: str
    topic: str
    prerequisite_gaps: tuple[str, ...]
    learner_level: LearnerLevel
    recommendations: tuple[str, ...]
    timestamp: datetime
    asking: str | None = None  # one asking has one result


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptMastery:
    """What the ledger says about one concept: derived, and kept only to be read quickly."""

    user_id: str
    course: str
    concept_name: str
    mastery_score: float
    evidence_count: int
    mastered: bool
    review_due_at: datetime | None
    review_card: Mapping[str, Any] | None
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeGap:
    """A concept that a learner lacks; open until it has a resolved_at."""

    id: int
    user_id: str
    course: str
    concept_name: str
    topic: str
    origin: str
    detected_at: datetime
    resolved_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTransition:
    """One hand-over between agents, and the beginning of the message that caused it."""

    session_id: str
    from_agent: str
    to_agent: str
    reason: str | None = None
    message_excerpt: str | None = None
    timestamp: datetime
    user_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLog:
    """One turn of a conversation, with its response as JSON."""

    turn_id: str
    user_id: str
    session_id: str
    turn_number: int
    user_query: str
    status: str
    agent_response: Mapping[str, Any]
    retrieval_results: tuple[Mapping[str, Any], ...]
    timestamp: datetime
    duration_seconds: float
