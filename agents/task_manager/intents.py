"""What a message asks the task manager to do."""

import re
from collections.abc import Iterator, Sequence

from agents.task_manager.answers import read_choice, read_yes_or_no
from agents.task_manager.asking import read_list
from agents.task_manager.changing import read_change
from agents.task_manager.creating import read_create
from agents.task_manager.selection import select_tool
from agents.task_manager.understanding import (
    Entities,
    Intent,
    IntentResult,
    Reading,
    ToolSelectionResult,
    WaitingFor,
)
from agents.task_manager.words import tidy

__all__ = ["Entities", "IntentResult", "ToolSelectionResult", "select_tool", "understand"]

_MOST_CHARACTERS = 2000  # a command, with the longest title and description there can be
_POLITE = re.compile(
    r"^\W*(?:\w+\W+){0,8}?(?:can|could|would|will) you\b|^\W*(?:can|could|may) i\b|\bwould you mind\b",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^\W*(?:what|how|why|when|where|who|whose|which|is|are|was|were|does|do|did(?! it\W*$)|has|explain|define|describe|"
    r"tell me (?:about|what|how|why)|difference)\b",
    re.IGNORECASE,
)


def understand(
    message: str,
    *,
    listed: bool = False,
    waiting_for: WaitingFor | None = None,
    options: Sequence[str] = (),
) -> IntentResult:
    """Read one message; `options` are the titles that a clarification offered."""
    readings = sorted(
        _readings(message[:_MOST_CHARACTERS], listed=listed, waiting_for=waiting_for, options=options),
        key=lambda reading: reading.confidence,
        reverse=True,
    )
    if not readings:
        return IntentResult(intent="none", confidence=0.9, reasoning="no rule of the task manager fits")
    best = readings[0]
    return IntentResult(
        intent=best.intent,
        confidence=best.confidence,
        entities=best.entities,
        alternatives=_alternatives(readings),
        reasoning=f"rule: {best.rule}",
    )


def _readings(
    message: str, *, listed: bool, waiting_for: WaitingFor | None, options: Sequence[str]
) -> Iterator[Reading]:
    if waiting_for == "confirmation":
        yield from read_yes_or_no(message.strip())
    elif waiting_for == "clarification":
        yield from read_choice(message.strip(), options=options)
    text = tidy(message)
    yield from read_list(text, listed=listed)
    if not _is_question(message):
        yield from read_create(text)
        yield from read_change(text)


def _is_question(message: str) -> bool:
    """A question about the material is never a command, however it is worded; a polite request is one."""
    if _POLITE.search(message):
        return False
    return bool(_ASKING.match(message)) or message.rstrip().endswith("?")


def _alternatives(readings: Sequence[Reading]) -> tuple[tuple[Intent, float], ...]:
    """The other intents, each with its best confidence."""
    best: dict[Intent, float] = {}
    for reading in readings:
        best.setdefault(reading.intent, reading.confidence)
    return tuple((intent, confidence) for intent, confidence in best.items() if intent != readings[0].intent)
