"""What the task manager makes of a message: an intent, and the tool call that serves it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Intent = Literal["create", "list", "update", "complete", "delete", "none", "confirm", "decline", "choose"]
Status = Literal["pending", "completed", "all"]
WaitingFor = Literal["confirmation", "clarification"]
ToolName = Literal["add_task", "list_tasks", "update_task", "complete_task", "delete_task"]
Problem = Literal[
    "no_title", "no_task", "no_change", "no_date", "which_one", "not_found", "see_tasks", "unsure"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entities:
    """What a message names; None where it names nothing."""

    title: str | None = None  # of the new task, or the new title of one that is there
    description: str | None = None
    due: str | None = None  # in the learner's words
    clear_due: bool = False
    status: Status | None = None
    reference: str | None = None  # the words that point at a task
    undated_title: str | None = None  # the title with its date in it, should that be no due date

    def as_json(self) -> dict[str, Any]:
        """Only what was named."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) not in (None, False)}


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentResult:
    """What a message asks for, how sure that is, and what else it could be."""

    intent: Intent
    confidence: float
    entities: Entities = field(default_factory=Entities)
    told: bool = False  # an errand told in passing, to be offered, not added
    alternatives: tuple[tuple[Intent, float], ...] = ()
    reasoning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSelectionResult:
    """The tool call that serves an intent, or what is missing before there can be one."""

    tool_name: ToolName | None
    confidence: float
    parameters: Mapping[str, Any] = field(default_factory=dict)
    requires_confirmation: bool = False
    alternatives: tuple[tuple[str, float], ...] = ()
    task_ids: tuple[int, ...] = ()  # one call for each, when there are several
    problem: Problem | None = None
    options: tuple[int, ...] = ()  # the tasks to choose from, when the problem is which one
    missing: tuple[int, ...] = ()  # positions that the last list did not have

    @property
    def calls(self) -> tuple[Mapping[str, Any], ...]:
        """The parameters of each call to make."""
        if self.problem is not None or self.tool_name is None:
            return ()
        if self.tool_name in {"add_task", "list_tasks"}:
            return (self.parameters,)
        return tuple({"task_id": task_id, **self.parameters} for task_id in self.task_ids)
