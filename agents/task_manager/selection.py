"""From an intent to the tool call that serves it, or to what is missing for one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Any

from agents.language.due import parse_due
from agents.task_manager.understanding import Entities, Intent, IntentResult, ToolName, ToolSelectionResult
from tasks_tools.positions import without_fillers
from tasks_tools.references import KnownTask, match_titles, read_reference, resolve_many

SURE = 0.6  # below this the task manager asks instead of guessing
_DONE_ONES = re.compile(r"\b(?:completed|done|finished) (?:ones|tasks|items|to-?dos)\b", re.IGNORECASE)
TOOLS: Mapping[Intent, ToolName] = {
    "create": "add_task",
    "list": "list_tasks",
    "update": "update_task",
    "complete": "complete_task",
    "delete": "delete_task",
}


def select_tool(
    result: IntentResult,
    *,
    metadata: Mapping[str, Any],
    now: datetime,
    zone: tzinfo,
    tasks: Sequence[KnownTask] | None = None,
) -> ToolSelectionResult:
    """Choose the tool and its parameters; `tasks` are the learner's, once list_tasks has been asked."""
    tool = TOOLS.get(result.intent)
    if tool is None:
        return ToolSelectionResult(tool_name=None, confidence=result.confidence)
    selected = ToolSelectionResult(
        tool_name=tool,
        confidence=result.confidence,
        requires_confirmation=tool == "delete_task" or result.told,
        alternatives=tuple(
            (TOOLS[intent], share) for intent, share in result.alternatives if intent in TOOLS
        ),
    )
    if result.confidence < SURE:
        selected = replace(selected, problem="unsure")
    if tool == "add_task":
        return _added(selected, result.entities, now=now, zone=zone)
    if tool == "list_tasks":
        return replace(selected, parameters={"status": result.entities.status or "pending"})
    targeted = _targeted(selected, result.entities, metadata=metadata, tasks=tasks)
    return _changed(targeted, result.entities, now=now, zone=zone) if tool == "update_task" else targeted


def _added(
    selected: ToolSelectionResult, entities: Entities, *, now: datetime, zone: tzinfo
) -> ToolSelectionResult:
    due = _due(entities, now=now, zone=zone)
    # A date that is over, or is none, was part of the title after all.
    title = entities.title if due or not entities.undated_title else entities.undated_title
    if not title:
        return replace(selected, problem="no_title")
    parameters = {"title": title, "description": entities.description, "due_at": due}
    return replace(
        selected, parameters={name: value for name, value in parameters.items() if value is not None}
    )


def _changed(
    selected: ToolSelectionResult, entities: Entities, *, now: datetime, zone: tzinfo
) -> ToolSelectionResult:
    due = _due(entities, now=now, zone=zone)
    title = entities.title if due or not entities.undated_title else entities.undated_title
    wanted = {
        "title": title,
        "description": entities.description,
        "due_at": due,
        "clear_due_at": entities.clear_due or None,
    }
    parameters = {name: value for name, value in wanted.items() if value is not None}
    if parameters or selected.problem is not None:
        return replace(selected, parameters=parameters)
    return replace(selected, problem="no_date" if entities.due else "no_change")


def _due(entities: Entities, *, now: datetime, zone: tzinfo) -> str | None:
    moment = None if entities.due is None else parse_due(entities.due, now=now, zone=zone)
    return moment.isoformat() if moment is not None and moment > now else None


def _targeted(
    selected: ToolSelectionResult,
    entities: Entities,
    *,
    metadata: Mapping[str, Any],
    tasks: Sequence[KnownTask] | None,
) -> ToolSelectionResult:
    """Find the tasks that are meant: by position, as the last one spoken of, or by their titles."""
    if entities.reference is None:
        return replace(selected, problem=selected.problem or "no_task")
    shown = metadata.get("task_references") or {}
    reference = read_reference(entities.reference, count=len(shown))
    found = tuple(resolve_many(metadata, entities.reference))
    missing = tuple(place for place in reference.positions if str(place) not in shown)
    if missing:
        return replace(selected, task_ids=found, missing=missing, problem="not_found")
    if found:
        return _for_all(selected, found, everything=reference.everything)
    if reference.last_spoken_of:
        return replace(selected, problem=selected.problem or "no_task")
    if tasks is None:
        return replace(selected, problem="see_tasks")
    several = _several(entities.reference, tasks=tasks, everything=reference.everything)
    if several:
        return _for_all(selected, several, everything=True)
    return _by_title(selected, entities.reference, tasks=tasks)


def _for_all(selected: ToolSelectionResult, ids: tuple[int, ...], *, everything: bool) -> ToolSelectionResult:
    """What touches every task is asked about first: a tick cannot be taken back."""
    asked = selected.requires_confirmation or (everything and len(ids) > 1)
    return replace(selected, task_ids=ids, requires_confirmation=asked)


def _several(words: str, *, tasks: Sequence[KnownTask], everything: bool) -> tuple[int, ...]:
    """All tasks, or all that are done, where that is what was said."""
    done_only = bool(_DONE_ONES.search(words))
    return tuple(task.id for task in tasks if task.done or everything) if everything or done_only else ()


def _by_title(
    selected: ToolSelectionResult, words: str, *, tasks: Sequence[KnownTask]
) -> ToolSelectionResult:
    match = match_titles(words, tasks)
    ids = tuple(task.id for task in match.tasks)
    if match.kind == "none":
        # "Both" of three tasks: there is no word of a title in it, so ask which.
        return replace(selected, problem="not_found" if without_fillers(words) else "no_task")
    if match.kind == "many":
        return replace(selected, problem="which_one", options=ids)
    return replace(selected, task_ids=ids)
