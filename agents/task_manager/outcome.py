"""What came of the tool calls, and what to say of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from agents.state import SessionState
from agents.task_manager import replies
from agents.task_manager.replies import Reply
from agents.task_manager.shown import ShownTask, due_by, in_order, positions_of
from agents.task_manager.steps import Moment, Said, Work, said

UNREACHABLE = "UNREACHABLE"  # our own code for a call that never came back


def finish(work: Work, results: Sequence[Mapping[str, Any]], *, state: SessionState, moment: Moment) -> Said:
    """Say what the calls did, and what they did not."""
    tool = work.uses[-1][0]
    failures = [place for place, result in enumerate(results) if not result.get("success")]
    if tool == "list_tasks" and not failures:
        return _listed(work, results[0], state=state, moment=moment)
    tasks = [ShownTask.of(result["data"]) for result in results if result.get("success")]
    if not tasks or tool == "list_tasks":
        return said(_failure(work, results, failures[0], state=state), work, state=state)
    reply = _done(work, tasks, moment=moment)
    if failures:
        failed = _failure(work, results, failures[0], state=state)
        reply = Reply(text=f"{reply.text} {failed.text}", status=failed.status)
    parameters = {**dict(work.uses[-1][1]), "task_id": tasks[-1].id}
    return said(reply, work, state=state, last_tool_used=tool, last_tool_parameters=parameters)


def tasks_of(result: Mapping[str, Any]) -> list[ShownTask]:
    """The tasks of a list_tasks result."""
    data = result.get("data") or []
    rows = data.get("tasks", []) if isinstance(data, Mapping) else data
    return [ShownTask.of(row) for row in rows]


def _done(work: Work, tasks: Sequence[ShownTask], *, moment: Moment) -> Reply:
    match work.uses[-1][0]:
        case "add_task":
            return replies.created(tasks[0], now=moment.now, zone=moment.zone)
        case "update_task":
            changes = work.selection.parameters
            return replies.updated(tasks[0], changes=changes, now=moment.now, zone=moment.zone)
        case "complete_task":
            return replies.completed(tasks)
        case _:
            return replies.deleted(tasks)


def _failure(work: Work, results: Sequence[Mapping[str, Any]], place: int, *, state: SessionState) -> Reply:
    error = results[place].get("error")
    code = error.get("code") if isinstance(error, Mapping) else UNREACHABLE
    tool, arguments = work.uses[min(place, len(work.uses) - 1)]
    if code == "NOT_FOUND":
        shown = {task_id: int(position) for position, task_id in state.task_references.items()}
        return replies.not_found(position=shown.get(arguments.get("task_id", 0)))
    if code == "INVALID_INPUT" and isinstance(error, Mapping):
        return replies.refused(str(error["message"]))
    # Whoever does not answer may still have done it.
    if code == UNREACHABLE and tool != "list_tasks":
        return replies.uncertain()
    return replies.unavailable()


def _listed(work: Work, result: Mapping[str, Any], *, state: SessionState, moment: Moment) -> Said:
    tasks = tasks_of(result)
    due = work.intent.entities.due
    if due:
        tasks = due_by(tasks, due, now=moment.now, zone=moment.zone)
    status = work.intent.entities.status or "pending"
    return said(
        replies.listed(tasks, now=moment.now, zone=moment.zone, status=status, due=due),
        work,
        state=state,
        task_references=positions_of(in_order(tasks, now=moment.now)),
        referenced_at=moment.now,
        last_tool_used="list_tasks",
        last_tool_parameters=dict(work.uses[-1][1]),
    )
