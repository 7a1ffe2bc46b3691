"""Answers to what a command lacked: the title, the task, or the date that we asked for."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agents.task_manager.creating import titled
from agents.task_manager.due_words import is_due
from agents.task_manager.understanding import Entities, Intent, IntentResult, Problem, ToolName

ASKED_FOR: tuple[Problem, ...] = ("no_title", "no_task", "no_change", "no_date")

_SURE = 0.8
_INTENTS: Mapping[ToolName, Intent] = {
    "add_task": "create",
    "update_task": "update",
    "complete_task": "complete",
    "delete_task": "delete",
}


def question_for(intent: IntentResult, problem: Problem) -> dict[str, Any]:
    """What to remember of a command while we wait for the rest of it."""
    return {"problem": problem, "entities": intent.entities.as_json()}


def supplied(message: str, *, tool_name: ToolName, asked: Mapping[str, Any]) -> IntentResult | None:
    """The command, complete with what the learner now says; None where that is no answer."""
    before = Entities(**asked["entities"])
    entities: Entities | None
    match asked["problem"]:
        case "no_title":
            entities = titled(message)
        case "no_task":
            entities = replace(before, reference=message)
        case _:
            entities = replace(before, reference="it", due=message) if is_due(message) else None
    if entities is None:
        return None
    return IntentResult(
        intent=_INTENTS[tool_name], confidence=_SURE, entities=entities, reasoning="answers what we asked"
    )
