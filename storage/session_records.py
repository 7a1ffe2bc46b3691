"""What a conversation leaves behind."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


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
