"""One task command from message to tool calls: what is meant, and what has to be asked first."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents.state import PendingTask, SessionState
from agents.task_manager import replies
from agents.task_manager.answers import choose
from agents.task_manager.intents import understand
from agents.task_manager.replies import Reply
from agents.task_manager.selection import select_tool
from agents.task_manager.shown import ShownTask
from agents.task_manager.steps import Moment, Said, Work, remembered, said
from agents.task_manager.supplying import ASKED_FOR, question_for, supplied
from agents.task_manager.understanding import (
    IntentResult,
    Problem,
    ToolName,
    ToolSelectionResult,
    WaitingFor,
)

LOOK_UP = ("list_tasks", {"status": "all"})


def begin(message: str, *, state: SessionState, moment: Moment) -> Work | Said:
    """Read the message and choose the calls; a question of ours that is still open comes first."""
    pending = state.pending_task
    titles = [str(title) for title in pending.parameters.get("titles", ())] if pending else []
    intent = understand(
        message,
        listed=bool(state.task_references),
        waiting_for=_waiting_for(pending),
        options=titles,
    )
    if pending and pending.waiting_for == "answer" and intent.intent in ("none", "confirm"):
        tool_name: ToolName = pending.tool_name  # type: ignore[assignment]
        intent = supplied(message, tool_name=tool_name, asked=pending.parameters) or intent
    if pending and intent.intent in ("confirm", "decline", "choose", "none"):
        return _continued(intent, message, pending=pending, titles=titles, state=state)
    selection = select_tool(intent, metadata=_metadata(state), now=moment.now, zone=moment.zone)
    return _next(Work(intent=intent, selection=selection), state=state, moment=moment)


def after_look_up(
    work: Work, tasks: Sequence[ShownTask], *, state: SessionState, moment: Moment
) -> Work | Said:
    """Choose again, now that the learner's tasks are known."""
    if work.selection.problem == "see_tasks":
        selection = select_tool(
            work.intent,
            metadata=_metadata(state),
            now=moment.now,
            zone=moment.zone,
            tasks=[task.known for task in tasks],
        )
        work = replace(work, selection=selection)
    return _next(work, state=state, moment=moment, tasks=tasks)


def _next(
    work: Work, *, state: SessionState, moment: Moment, tasks: Sequence[ShownTask] | None = None
) -> Work | Said:
    selection = work.selection
    needs_titles = selection.problem in ("see_tasks", "which_one") or (
        selection.requires_confirmation and selection.problem is None
    )
    if needs_titles and tasks is None:
        return replace(work, uses=(LOOK_UP,), is_look_up=True)
    if selection.problem == "which_one":
        return _ask_which(work, tasks or (), state=state, moment=moment)
    if selection.problem in ASKED_FOR and selection.tool_name is not None:
        return _ask_for_the_rest(work, selection.problem, state=state)
    if selection.problem is not None or selection.tool_name is None:
        return said(_problem(work), work, state=state)
    if selection.requires_confirmation:
        return _ask_to_confirm(work, tasks or (), state=state)
    uses = tuple((selection.tool_name, call) for call in selection.calls)
    return replace(work, uses=uses, is_look_up=False)


def _continued(
    intent: IntentResult, message: str, *, pending: PendingTask, titles: Sequence[str], state: SessionState
) -> Work | Said:
    if intent.intent in ("decline", "none") or pending.waiting_for == "answer":
        declined = _declined(intent, tool_name=pending.tool_name)
        return Said(reply=declined, intent=intent, changes=remembered(declined, intent, state=state))
    chosen = pending.options
    if intent.intent == "choose":
        chosen = tuple(pending.options[place - 1] for place in choose(message, options=titles))
    parameters = {name: value for name, value in pending.parameters.items() if name != "titles"}
    selection = ToolSelectionResult(
        tool_name=pending.tool_name,  # type: ignore[arg-type]
        confidence=intent.confidence,
        parameters=parameters,
        task_ids=chosen,
        requires_confirmation=pending.tool_name == "delete_task" and intent.intent == "choose",
    )
    work = Work(intent=intent, selection=selection)
    if pending.tool_name == "update_task" and not parameters:
        return _ask_for_the_rest(work, "no_change", state=state)
    if selection.requires_confirmation:
        return replace(work, uses=(LOOK_UP,), is_look_up=True)
    return replace(work, uses=tuple((pending.tool_name, call) for call in selection.calls), is_confirmed=True)


def _declined(intent: IntentResult, *, tool_name: str) -> Reply:
    if intent.intent != "decline":
        return replies.unanswered(tool_name)
    return replies.kept() if tool_name == "delete_task" else replies.dropped()


def _waiting_for(pending: PendingTask | None) -> WaitingFor | None:
    """An open question can be turned down like any other."""
    if pending is None:
        return None
    return "confirmation" if pending.waiting_for == "answer" else pending.waiting_for


def _ask_for_the_rest(work: Work, problem: Problem, *, state: SessionState) -> Said:
    tool, ids = work.selection.tool_name or "", work.selection.task_ids
    pending = PendingTask(waiting_for="answer", tool_name=tool, parameters=question_for(work.intent, problem))
    # "Rename it to …" then means the task that we just asked about.
    spoken_of = {"last_tool_parameters": {"task_id": ids[0]}} if ids else {}
    asked = replies.asking(problem, tool_name=tool)
    return said(asked, work, state=state, pending_task=pending, **spoken_of)


def _ask_which(work: Work, tasks: Sequence[ShownTask], *, state: SessionState, moment: Moment) -> Said:
    options = [task for task in tasks if task.id in work.selection.options]
    tool = work.selection.tool_name or ""
    pending = PendingTask(
        waiting_for="clarification",
        tool_name=tool,
        parameters={**work.selection.parameters, "titles": [task.title for task in options]},
        options=tuple(task.id for task in options),
    )
    reply = replies.which_one(options, tool_name=tool, now=moment.now, zone=moment.zone)
    return said(reply, work, state=state, pending_task=pending)


def _ask_to_confirm(work: Work, tasks: Sequence[ShownTask], *, state: SessionState) -> Said:
    chosen = [task for task in tasks if task.id in work.selection.task_ids]
    if not chosen:
        return said(_problem(work), work, state=state)
    tool = work.selection.tool_name or ""
    pending = PendingTask(
        waiting_for="confirmation",
        tool_name=tool,
        parameters=dict(work.selection.parameters),
        options=tuple(task.id for task in chosen),
    )
    asked = (
        replies.confirm_delete(chosen)
        if tool == "delete_task"
        else replies.confirm_all(chosen, tool_name=tool)
    )
    return said(asked, work, state=state, pending_task=pending)


def _problem(work: Work) -> Reply:
    selection = work.selection
    if selection.tool_name is None:
        return replies.unsure([intent for intent, _ in work.intent.alternatives])
    if selection.problem == "unsure":
        return replies.unsure([work.intent.intent, *(intent for intent, _ in work.intent.alternatives)])
    position = selection.missing[0] if selection.missing else None
    # Words that only pointed, "it", say nothing about the title.
    words = None if selection.task_ids else work.intent.entities.reference
    return replies.not_found(position=position, words=words)


def _metadata(state: SessionState) -> dict[str, Any]:
    return {
        "task_references": state.task_references,
        "last_tool_parameters": state.last_tool_parameters,
        "last_tool_used": state.last_tool_used,
    }
