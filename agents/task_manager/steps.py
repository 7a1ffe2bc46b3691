"""The steps of one task command: calls that are out, or the end of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any

from agents.state import AgentContext, SessionState
from agents.task_manager.replies import Reply
from agents.task_manager.understanding import IntentResult, ToolSelectionResult

ToolUse = tuple[str, Mapping[str, Any]]

_REMEMBERED = 3  # confidences of the last commands


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When and where the learner is."""

    now: datetime
    zone: tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A command in progress: what was understood, and the calls that are out."""

    intent: IntentResult
    selection: ToolSelectionResult
    uses: tuple[ToolUse, ...] = ()
    is_look_up: bool = False
    is_confirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The end of a command: the reply, what was understood, and what the conversation remembers of it."""

    reply: Reply
    intent: IntentResult
    selection: ToolSelectionResult | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)


def said(reply: Reply, work: Work, *, state: SessionState, **changes: Any) -> Said:
    """End a command whose tool was chosen."""
    return Said(
        reply=reply,
        intent=work.intent,
        selection=work.selection,
        changes={**remembered(reply, work.intent, state=state), **changes},
    )


def remembered(reply: Reply, intent: IntentResult, *, state: SessionState) -> dict[str, Any]:
    """What every command leaves behind: nothing pending, how sure we were, how often we had to ask."""
    before = state.agent_context
    context = AgentContext(
        confidence_history=(*before.confidence_history, intent.confidence)[-_REMEMBERED:],
        clarification_count=before.clarification_count + (reply.status == "clarification_needed"),
    )
    return {"pending_task": None, "agent_context": context}
