"""What a diagnostic concludes: gaps, level, and what to do about them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agents.diagnostic import wording
from agents.diagnostic.probe import ProbeState
from agents.state import LearnerLevel

Shortcut = Literal["new", "skip"]

_GAP_BELOW = 0.5
_ADVANCED_FROM = 0.7  # of the topic is known already
_BEGINNER_BELOW = 0.5  # of what the topic leans on is known

_NEW = re.compile(
    r"\b(?:(?:i'?m|i am|we'?re|am) (?:\w+ ){0,2}new\b|(?:complete|total|absolute)? ?beginner|"
    r"(?:know|knew) (?:nothing|none)|(?:don'?t|do not) know (?:anything|any of)|from (?:scratch|zero)|"
    r"no (?:experience|knowledge)|start (?:at|from) the beginning)",
    re.IGNORECASE,
)
# With a question on the table these speak of that question only.
_NEW_TO_IT = re.compile(
    r"\b(?:never (?:heard|seen|done|used|studied|learn\w*)|no (?:idea|clue)|first time)", re.IGNORECASE
)
_SKIP = re.compile(
    r"^\W*(?:(?:please|can we|let'?s|i(?:'d| would)? (?:want|like) to|just) )*(?:skip|no (?:test|questions|diagnostic|probe)s?|"
    r"(?:go|get) (?:straight|right) to|start (?:teaching|now|right away)|just (?:teach|start|begin))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosticResult:
    """Where a learner stands with a topic, and what to do about it."""

    gaps: tuple[str, ...]  # foundations first
    level: LearnerLevel
    recommendations: tuple[str, ...]
    foundations: tuple[str, ...] = ()  # the gaps that the topic leans on, as against the topic itself


def conclude(state: ProbeState) -> DiagnosticResult:
    """Judge every concept as it most likely is."""
    known = state.known
    gaps = tuple(concept for concept in state.concepts if known[concept] < _GAP_BELOW)
    strong = [concept for concept in state.concepts if known[concept] >= _ADVANCED_FROM]
    return _result(state, gaps=gaps, strong=strong, level=_level(state))


def conclude_new(state: ProbeState) -> DiagnosticResult:
    """'I'm new to this': believed, without a question."""
    return _result(state, gaps=state.concepts, strong=(), level="beginner")


def conclude_skipped(state: ProbeState) -> DiagnosticResult:
    """'Skip': what the answers so far say, or nothing when there are none."""
    if state.asked:
        return conclude(state)
    return DiagnosticResult(gaps=(), level="unknown", recommendations=(wording.NOTHING_ASKED,))


def shortcut(message: str, *, is_asked: bool = False) -> Shortcut | None:
    """Whether a message, perhaps one that follows a question, asks to be spared the questions, and how."""
    if _SKIP.search(message):
        return "skip"
    is_new = _NEW.search(message) or (not is_asked and _NEW_TO_IT.search(message))
    return "new" if is_new else None


def _result(
    state: ProbeState, *, gaps: tuple[str, ...], strong: Sequence[str], level: LearnerLevel
) -> DiagnosticResult:
    foundations = tuple(concept for concept in gaps if concept not in state.topic)
    own = tuple(concept for concept in gaps if concept in state.topic)
    return DiagnosticResult(
        gaps=gaps,
        level=level,
        recommendations=wording.recommendations(foundations=foundations, own=own, strong=strong),
        foundations=foundations,
    )


def _level(state: ProbeState) -> LearnerLevel:
    known = state.known
    topic = [known[concept] for concept in state.concepts if concept in state.topic]
    below = [known[concept] for concept in state.concepts if concept not in state.topic] or topic
    if topic and sum(topic) / len(topic) >= _ADVANCED_FROM:
        return "advanced"
    if not below or sum(below) / len(below) < _BEGINNER_BELOW:
        return "beginner"
    return "intermediate"
