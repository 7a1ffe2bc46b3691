"""One message about tasks, from what was said to what is answered: what to call, what to ask first, what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any

from agents.state import AgentContext, PendingTask, SessionState
from agents.task_manager import replies
from agents.task_manager.due_words import is_due
from agents.task_manager.intents import choose, commands_in, understand
from agents.task_manager.reading import titled
from agents.task_manager.replies import Reply
from agents.task_manager.selection import select_tool
from agents.task_manager.shown import ShownTask, due_by, in_order, positions_of
from agents.task_manager.understanding import (
    Entities,
    Intent,
    IntentResult,
    Problem,
    ToolSelectionResult,
    WaitingFor,
)

ToolUse = tuple[str, Mapping[str, Any]]

UNREACHABLE = "UNREACHABLE"  # our own code for a call that never came back
_LOOK_UP: ToolUse = ("list_tasks", {"status": "all"})
_REMEMBERED = 3  # confidences of the last commands
_SUPPLIED = 0.8  # how sure an answer is to what we asked for
_ASKED_FOR: tuple[Problem, ...] = ("no_title", "no_task", "no_change", "no_date")
_INTENTS: Mapping[str, Intent] = {
    "add_task": "create",
    "update_task": "update",
    "complete_task": "complete",
    "delete_task": "delete",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When and where the learner is."""

    now: datetime
    zone: tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What was understood, and the tool that serves it."""

    intent: IntentResult
    selection: ToolSelectionResult

    @property
    def is_ready(self) -> bool:
        """Nothing is left to ask."""
        selected = self.selection
        return selected.tool_name is not None and not selected.problem and not selected.requires_confirmation

    @property
    def uses(self) -> tuple[ToolUse, ...]:
        return tuple((self.selection.tool_name or "", call) for call in self.selection.calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The commands of a message in progress; calls are out for those that are ready, or to look at the tasks."""

    commands: tuple[Command, ...]
    tasks: tuple[ShownTask, ...] | None = None  # the learner's, once they were looked up
    is_look_up: bool = False

    @property
    def uses(self) -> tuple[ToolUse, ...]:
        """The calls that are out."""
        if self.is_look_up:
            return (_LOOK_UP,)
        return tuple(use for command in self.commands if command.is_ready for use in command.uses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The end of a message's work: the reply, what was understood, and what the conversation remembers of it."""

    reply: Reply
    commands: tuple[Command, ...]
    changes: Mapping[str, Any] = field(default_factory=dict)


def begin(message: str, *, state: SessionState, moment: Moment) -> Work | Said:
    """Read the message and choose the calls; a question of ours that is still open comes first."""
    pending = state.pending_task
    found: tuple[IntentResult, ...]
    if pending is None:
        found = commands_in(message, listed=bool(state.task_references), meant=True)
    else:
        answer = _answer(message, pending=pending, state=state)
        if answer.intent in ("confirm", "decline", "choose", "none"):
            return _continued(answer, message, pending=pending, state=state)
        found = (answer,) if answer.reasoning == _ANSWERS else commands_in(message, listed=bool(state.task_references))
    commands = tuple(Command(intent=each, selection=_selected(each, state=state, moment=moment)) for each in found)
    return _next(Work(commands=commands), state=state, moment=moment)


def after_look_up(work: Work, tasks: Sequence[ShownTask], *, state: SessionState, moment: Moment) -> Work | Said:
    """Choose again, now that the learner's tasks are known."""
    commands = tuple(
        replace(each, selection=_selected(each.intent, state=state, moment=moment, tasks=tasks))
        if each.selection.problem == "see_tasks"
        else each
        for each in work.commands
    )
    return _next(Work(commands=commands, tasks=tuple(tasks)), state=state, moment=moment)


def finish(work: Work, results: Sequence[Mapping[str, Any]], *, state: SessionState, moment: Moment) -> Said:
    """Say what each call did or did not do, then ask what is still to be asked."""
    if work.is_look_up:
        return said(_failure(_LOOK_UP, results[0], state=state), work.commands, state=state)
    done, changes = [], dict[str, Any]()
    left = iter([*results, *[{}] * len(work.uses)])
    for command in (each for each in work.commands if each.is_ready):
        came = [next(left) for _ in command.uses]
        reply, remembered = _outcome(command, came, state=state, moment=moment)
        done.append(reply)
        changes |= remembered
    open_ones = tuple(each for each in work.commands if not each.is_ready)
    if open_ones:
        asked = _ask(replace(work, commands=open_ones), state=state, moment=moment)
        done.append(asked.reply)
        changes |= {"pending_task": asked.changes["pending_task"]}
    status = next((reply.status for reply in reversed(done) if reply.status != "success"), "success")
    together = Reply(text=" ".join(reply.text for reply in done), status=status)
    return said(together, work.commands, state=state, **changes)


def said(reply: Reply, commands: Sequence[Command], *, state: SessionState, **changes: Any) -> Said:
    """End the work; every message leaves behind how sure we were and how often we had to ask."""
    before = state.agent_context
    sure = [each.intent.confidence for each in commands]
    context = AgentContext(
        confidence_history=(*before.confidence_history, *sure)[-_REMEMBERED:],
        clarification_count=before.clarification_count + (reply.status == "clarification_needed"),
    )
    return Said(
        reply=reply,
        commands=tuple(commands),
        changes={"pending_task": None, "agent_context": context, **changes},
    )


def tasks_of(result: Mapping[str, Any]) -> list[ShownTask]:
    """The tasks of a list_tasks result."""
    data = result.get("data") or []
    rows = data.get("tasks", []) if isinstance(data, Mapping) else data
    return [ShownTask.of(row) for row in rows]


# Before the calls: an open question, the tasks to look up, what has to be asked first.

_ANSWERS = "answers what we asked"


def _answer(message: str, *, pending: PendingTask, state: SessionState) -> IntentResult:
    """What the message is to our open question: an answer, or else a command of its own, or nothing."""
    waiting: WaitingFor = "clarification" if pending.waiting_for == "clarification" else "confirmation"
    intent = understand(
        message, listed=bool(state.task_references), waiting_for=waiting, options=_titles(pending)
    )
    if pending.waiting_for != "answer" or (intent.intent not in ("none", "confirm") and not intent.told):
        return intent
    entities = _supplied(message, asked=pending.parameters)
    if entities is None:
        return intent
    return IntentResult(
        intent=_INTENTS[pending.tool_name], confidence=_SUPPLIED, entities=entities, reasoning=_ANSWERS
    )


def _supplied(message: str, *, asked: Mapping[str, Any]) -> Entities | None:
    """The command, complete with what the learner now says; None where that is no answer."""
    before = Entities(**asked["entities"])
    match asked["problem"]:
        case "no_title":
            return titled(message)
        case "no_task":
            return replace(before, reference=message)
        case _:
            return replace(before, reference="it", due=message) if is_due(message) else None


def _continued(intent: IntentResult, message: str, *, pending: PendingTask, state: SessionState) -> Work | Said:
    """Do what we asked about, or leave it."""
    tool = pending.tool_name
    chosen = pending.options
    if intent.intent == "choose":
        chosen = tuple(pending.options[place - 1] for place in choose(message, options=_titles(pending)))
    selection = ToolSelectionResult(
        tool_name=tool,  # type: ignore[arg-type]
        confidence=intent.confidence,
        parameters={name: value for name, value in pending.parameters.items() if name not in ("titles", "tasks")},
        task_ids=chosen,
        requires_confirmation=tool == "delete_task" and intent.intent == "choose",
    )
    command = Command(intent=intent, selection=selection)
    if intent.intent in ("decline", "none") or pending.waiting_for == "answer":
        kept = replies.kept() if tool == "delete_task" else replies.dropped()
        return said(kept if intent.intent == "decline" else replies.unanswered(tool), (command,), state=state)
    if tool == "add_task":
        return Work(commands=tuple(_offered(command, task) for task in pending.parameters["tasks"]))
    if tool == "update_task" and not selection.parameters:
        return _ask_for_the_rest(replace(command, selection=replace(selection, problem="no_change")), state=state)
    return Work(commands=(command,), is_look_up=selection.requires_confirmation)


def _offered(command: Command, task: Mapping[str, Any]) -> Command:
    return replace(command, selection=replace(command.selection, parameters=task))


def _titles(pending: PendingTask) -> list[str]:
    return [str(title) for title in pending.parameters.get("titles", ())]


def _selected(
    intent: IntentResult, *, state: SessionState, moment: Moment, tasks: Sequence[ShownTask] | None = None
) -> ToolSelectionResult:
    metadata = {
        "task_references": state.task_references,
        "last_tool_parameters": state.last_tool_parameters,
        "last_tool_used": state.last_tool_used,
    }
    known = None if tasks is None else [task.known for task in tasks]
    return select_tool(intent, metadata=metadata, now=moment.now, zone=moment.zone, tasks=known)


def _next(work: Work, *, state: SessionState, moment: Moment) -> Work | Said:
    if work.tasks is None and any(_needs_titles(each) for each in work.commands):
        return replace(work, is_look_up=True)
    return work if work.uses else _ask(work, state=state, moment=moment)


def _needs_titles(command: Command) -> bool:
    selected = command.selection
    return selected.problem in ("see_tasks", "which_one") or (
        selected.requires_confirmation and selected.problem is None and not command.intent.told
    )


def _ask(work: Work, *, state: SessionState, moment: Moment) -> Said:
    """One question at a time: what the first open command needs, with all others that need the same."""
    first, tasks = work.commands[0], work.tasks or ()
    alike = [each for each in work.commands if each.selection.problem is None and each.intent.intent == first.intent.intent]
    selected = first.selection
    if selected.problem == "which_one":
        asked = _ask_which(first, tasks, state=state, moment=moment)
    elif selected.problem in _ASKED_FOR and selected.tool_name is not None:
        asked = _ask_for_the_rest(first, state=state)
    elif selected.problem is not None or selected.tool_name is None:
        asked = said(_problem(first), (first,), state=state)
    elif selected.tool_name == "add_task":
        asked = _offer(alike, state=state, moment=moment)
    else:
        asked = _ask_to_confirm(alike, tasks, state=state)
    later = len(work.commands) - max(1, len(alike) if selected.problem is None else 1)
    return replace(asked, reply=replies.with_more_to_come(asked.reply) if later else asked.reply, commands=work.commands)


def _offer(commands: Sequence[Command], *, state: SessionState, moment: Moment) -> Said:
    """An errand told in passing: whether it belongs on the list is the learner's to say."""
    tasks = [dict(each.selection.parameters) for each in commands]
    pending = PendingTask(waiting_for="confirmation", tool_name="add_task", parameters={"tasks": tasks})
    shown = [ShownTask.of({"id": 0, "status": "pending", **task}) for task in tasks]
    reply = replies.offer(shown, now=moment.now, zone=moment.zone)
    return said(reply, commands, state=state, pending_task=pending)


def _ask_for_the_rest(command: Command, *, state: SessionState) -> Said:
    selected = command.selection
    tool, problem, ids = selected.tool_name or "", selected.problem or "no_change", selected.task_ids
    lacking = {"problem": problem, "entities": command.intent.entities.as_json()}
    pending = PendingTask(waiting_for="answer", tool_name=tool, parameters=lacking)
    # "Rename it to …" then means the task that we just asked about.
    spoken_of = {"last_tool_parameters": {"task_id": ids[0]}} if ids else {}
    asked = replies.asking(problem, tool_name=tool)
    return said(asked, (command,), state=state, pending_task=pending, **spoken_of)


def _ask_which(command: Command, tasks: Sequence[ShownTask], *, state: SessionState, moment: Moment) -> Said:
    options = [task for task in tasks if task.id in command.selection.options]
    tool = command.selection.tool_name or ""
    pending = PendingTask(
        waiting_for="clarification",
        tool_name=tool,
        parameters={**command.selection.parameters, "titles": [task.title for task in options]},
        options=tuple(task.id for task in options),
    )
    reply = replies.which_one(options, tool_name=tool, now=moment.now, zone=moment.zone)
    return said(reply, (command,), state=state, pending_task=pending)


def _ask_to_confirm(commands: Sequence[Command], tasks: Sequence[ShownTask], *, state: SessionState) -> Said:
    selected = commands[0].selection
    ids = {task_id for each in commands for task_id in each.selection.task_ids}
    chosen = [task for task in tasks if task.id in ids]
    if not chosen:
        return said(_problem(commands[0]), commands, state=state)
    tool = selected.tool_name or ""
    pending = PendingTask(
        waiting_for="confirmation",
        tool_name=tool,
        parameters=dict(selected.parameters),
        options=tuple(task.id for task in chosen),
    )
    is_delete = tool == "delete_task"
    asked = replies.confirm_delete(chosen) if is_delete else replies.confirm_all(chosen, tool_name=tool)
    return said(asked, commands, state=state, pending_task=pending)


def _problem(command: Command) -> Reply:
    selected, intent = command.selection, command.intent
    others = [other for other, _ in intent.alternatives]
    if selected.tool_name is None:
        return replies.unsure(others)
    if selected.problem == "unsure":
        return replies.unsure([intent.intent, *others])
    position = selected.missing[0] if selected.missing else None
    # Words that only pointed, "it", say nothing about the title.
    return replies.not_found(position=position, words=None if selected.task_ids else intent.entities.reference)


# After the calls.


def _outcome(
    command: Command, results: Sequence[Mapping[str, Any]], *, state: SessionState, moment: Moment
) -> tuple[Reply, dict[str, Any]]:
    """What one command came to, and what the conversation remembers of it."""
    failures = [place for place, result in enumerate(results) if not result.get("success")]
    tool, arguments = command.uses[-1]
    if tool == "list_tasks" and not failures:
        return _listed(command, results[0], moment=moment)
    tasks = [ShownTask.of(result["data"]) for result in results if result.get("success")]
    failed = _failure(command.uses[failures[0]], results[failures[0]], state=state) if failures else None
    if failed and (not tasks or tool == "list_tasks"):
        return failed, {}
    reply = _done(command, tasks, moment=moment)
    if failed:
        reply = Reply(text=f"{reply.text} {failed.text}", status=failed.status)
    return reply, {"last_tool_used": tool, "last_tool_parameters": {**arguments, "task_id": tasks[-1].id}}


def _done(command: Command, tasks: Sequence[ShownTask], *, moment: Moment) -> Reply:
    match command.selection.tool_name:
        case "add_task":
            return replies.created(tasks[0], now=moment.now, zone=moment.zone)
        case "update_task":
            changes = command.selection.parameters
            return replies.updated(tasks[0], changes=changes, now=moment.now, zone=moment.zone)
        case "complete_task":
            return replies.completed(tasks)
        case _:
            return replies.deleted(tasks)


def _failure(use: ToolUse, result: Mapping[str, Any], *, state: SessionState) -> Reply:
    tool, arguments = use
    error = result.get("error")
    code = error.get("code") if isinstance(error, Mapping) else UNREACHABLE
    if code == "NOT_FOUND":
        shown = {task_id: int(position) for position, task_id in state.task_references.items()}
        return replies.not_found(position=shown.get(arguments.get("task_id", 0)))
    if code == "INVALID_INPUT" and isinstance(error, Mapping):
        return replies.refused(str(error["message"]))
    # Whoever does not answer may still have done it.
    if code == UNREACHABLE and tool != "list_tasks":
        return replies.uncertain()
    return replies.unavailable()


def _listed(command: Command, result: Mapping[str, Any], *, moment: Moment) -> tuple[Reply, dict[str, Any]]:
    tasks, wanted = tasks_of(result), command.intent.entities
    if wanted.due:
        tasks = due_by(tasks, wanted.due, now=moment.now, zone=moment.zone)
    reply = replies.listed(
        tasks, now=moment.now, zone=moment.zone, status=wanted.status or "pending", due=wanted.due
    )
    return reply, {
        "task_references": positions_of(in_order(tasks, now=moment.now)),
        "referenced_at": moment.now,
        "last_tool_used": "list_tasks",
        "last_tool_parameters": dict(command.selection.parameters),
    }
