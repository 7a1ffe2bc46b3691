"""One message at the coordinator, and the ways in which it can be served."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from agents.coordinator.intents import Intent
from agents.services import Services
from agents.state import Choice, SessionState
from agents.turn import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One message, and everything that is known around it."""

    services: Services
    state: SessionState
    user_id: str
    message: str
    intent: Intent


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The coordinator says it itself."""

    text: str
    changes: dict[str, Any] = field(default_factory=dict)
    shows_question: bool = True  # where one is open
    status: Status = "success"
    chart: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """Passages of the course answer it."""

    question: str
    lead: str = ""  # said before the answer
    already_said: bool = False  # what was told before should not come again
    changes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver:
    """Another agent serves it."""

    agent_name: str
    changes: dict[str, Any] = field(default_factory=dict)


Decision = Answer | LookUp | HandOver
Server = Callable[[Visit], Awaitable[Decision]]


def numbered(choices: list[Choice]) -> str:
    """Ways on as they are shown; a number picks one."""
    return "\n".join(f"{place}. {choice.label}" for place, choice in enumerate(choices, 1))


def listed(names: tuple[str, ...] | list[str], *, most: int = 4) -> str:
    """A few names in a sentence, and how many more there are."""
    shown = [f"**{name}**" for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else ", ".join(shown)
