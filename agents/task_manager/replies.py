"""What the task manager says, for every outcome."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Any, Literal, Self

from agents.language.due import END_OF_DAY, parse_due
from agents.task_manager.reading import Intent, Problem, Status
from tasks_tools.references import KnownTask

_MOST_CHARACTERS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTask:
    """One task of a tool's answer."""

    id: int
    title: str
    done: bool = False
    due_at: datetime | None = None
    by_tutor: bool = False

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Read a task as the tools give it."""
        due = data.get("due_at")
        return cls(
            id=data["id"],
            title=data["title"],
            done=data["status"] == "completed",
            due_at=None if due is None else datetime.fromisoformat(due),
            by_tutor=data.get("origin", "learner") != "learner",
        )

    @property
    def known(self) -> KnownTask:
        """What references are resolved against."""
        return KnownTask(id=self.id, title=self.title, done=self.done)

    def is_overdue(self, now: datetime) -> bool:
        return not self.done and self.due_at is not None and self.due_at < now


def in_order(tasks: Sequence[ShownTask], *, now: datetime) -> list[ShownTask]:
    """Overdue first, then open ones as they came, then those that are done."""
    return sorted(tasks, key=lambda task: (not task.is_overdue(now), task.done))


def positions_of(tasks: Sequence[ShownTask]) -> dict[str, int]:
    """Position to id, for the conversation to remember."""
    return {str(place): task.id for place, task in enumerate(tasks, 1)}


def due_by(tasks: Sequence[ShownTask], words: str, *, now: datetime, zone: tzinfo) -> list[ShownTask]:
    """The open tasks that "overdue", "today" or "this week" asks for; all of them when it means no date."""
    if words == "overdue":
        return [task for task in tasks if task.is_overdue(now)]
    limit = parse_due(words, now=now, zone=zone)
    if limit is None:
        return list(tasks)
    end = limit.replace(hour=END_OF_DAY.hour, minute=END_OF_DAY.minute)
    return [task for task in tasks if not task.done and task.due_at is not None and task.due_at <= end]


def numbered(tasks: Sequence[ShownTask], *, now: datetime, zone: tzinfo) -> str:
    """One line a task."""
    return "\n".join(f"{place}. {_line(task, now=now, zone=zone)}" for place, task in enumerate(tasks, 1))


def name_of(task: ShownTask) -> str:
    """The title in quotes, on one line and not too long."""
    return f"'{_short(task.title)}'"


def names_of(tasks: Sequence[ShownTask]) -> str:
    names = [name_of(task) for task in tasks]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def due_in_words(due: datetime, *, now: datetime, zone: tzinfo) -> str:
    """ "tomorrow at 17:00", "on Friday", "on Friday 13 March 2027"; no time where none was said."""
    there, here = due.astimezone(zone), now.astimezone(zone)
    days = (there.date() - here.date()).days
    near = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days)
    if near is not None:
        day = near
    elif 1 < days < 7:
        day = f"on {there:%A}"
    else:
        day = f"on {there:%A} {there.day} {there:%B}" + ("" if there.year == here.year else f" {there.year}")
    no_time = (there.hour, there.minute) == (END_OF_DAY.hour, END_OF_DAY.minute)
    return day if no_time else f"{day} at {there:%H:%M}"


def _line(task: ShownTask, *, now: datetime, zone: tzinfo) -> str:
    notes = []
    if task.done:
        notes.append("done")
    elif task.due_at is not None:
        when = due_in_words(task.due_at, now=now, zone=zone)
        notes.append(f"overdue, was due {when}" if task.is_overdue(now) else f"due {when}")
    if task.by_tutor:
        notes.append("from your tutor")
    return _short(task.title) + (f" ({'; '.join(notes)})" if notes else "")


def _short(title: str) -> str:
    line = " ".join(title.split())
    return line if len(line) <= _MOST_CHARACTERS else line[: _MOST_CHARACTERS - 1].rstrip() + "…"


ReplyStatus = Literal["success", "clarification_needed", "confirmation_required", "error"]

_SHOW = "Try 'show my tasks' to see what's current."
_DOING: Mapping[Intent, str] = {
    "create": "add a task",
    "list": "see your tasks",
    "update": "change a task",
    "complete": "tick a task off",
    "delete": "delete a task",
}
_YES_OR_NO = ("yes", "no")
_VERBS: Mapping[str, str] = {"update_task": "change", "complete_task": "tick off", "delete_task": "delete"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer, and what the learner is expected to do next."""

    text: str
    status: ReplyStatus = "success"
    options: tuple[str, ...] = ()  # of a question
    error: str | None = None


def created(task: ShownTask, *, now: datetime, zone: tzinfo) -> Reply:
    when = f", due {due_in_words(task.due_at, now=now, zone=zone)}" if task.due_at else ""
    return Reply(text=f"I've added {name_of(task)} to your tasks{when}.")


def listed(
    tasks: Sequence[ShownTask],
    *,
    now: datetime,
    zone: tzinfo,
    status: Status = "pending",
    due: str | None = None,
) -> Reply:
    """The numbered list; remember positions_of(in_order(tasks)) with it."""
    if not tasks:
        return nothing_listed(status=status, due=due)
    ordered = in_order(tasks, now=now)
    late = sum(task.is_overdue(now) for task in ordered)
    head = "Here is what you have finished:" if status == "completed" else "Here are your tasks:"
    if late:
        head = f"Here are your tasks, {'one is' if late == 1 else f'{late} are'} overdue:"
    return Reply(text=f"{head}\n{numbered(ordered, now=now, zone=zone)}")


def nothing_listed(*, status: Status = "pending", due: str | None = None) -> Reply:
    if status == "completed":
        return Reply(text="You haven't ticked off a task yet.")
    if due == "overdue":
        return Reply(text="Nothing is overdue.")
    if due is not None:
        return Reply(text="Nothing is due by then. Say 'show my tasks' to see the others.")
    return Reply(text="You have no open tasks. To add one, say 'remind me to read chapter 2 tomorrow'.")


def completed(tasks: Sequence[ShownTask]) -> Reply:
    return Reply(text=f"I've ticked off {names_of(tasks)}.")


def updated(task: ShownTask, *, changes: Mapping[str, Any], now: datetime, zone: tzinfo) -> Reply:
    """Say what is different now."""
    parts = []
    if "title" in changes:
        parts.append(f"is now called {name_of(task)}")
    if "due_at" in changes and task.due_at is not None:
        parts.append(f"is due {due_in_words(task.due_at, now=now, zone=zone)}")
    if changes.get("clear_due_at"):
        parts.append("has no due date any more")
    if "description" in changes:
        parts.append("has your note" if changes["description"] else "has no note any more")
    subject = "The task" if "title" in changes else name_of(task)
    return Reply(text=f"{subject} {' and '.join(parts)}.")


def deleted(tasks: Sequence[ShownTask]) -> Reply:
    return Reply(text=f"I've deleted {names_of(tasks)}.")


def confirm_delete(tasks: Sequence[ShownTask]) -> Reply:
    it = "it" if len(tasks) == 1 else "them"
    what = names_of(tasks) if len(tasks) <= 5 else f"all {len(tasks)} tasks"
    return Reply(
        text=f"Shall I delete {what}? Say yes to delete {it} for good, or no to keep {it}.",
        status="confirmation_required",
        options=_YES_OR_NO,
    )


def confirm_all(tasks: Sequence[ShownTask], *, tool_name: str) -> Reply:
    """Before something is done to every task."""
    verb = _VERBS.get(tool_name, "change")
    which = "both tasks" if len(tasks) == 2 else f"all {len(tasks)} tasks"
    return Reply(
        text=f"Shall I {verb} {which}? Say yes or no.", status="confirmation_required", options=_YES_OR_NO
    )


def offer(tasks: Sequence[ShownTask], *, now: datetime, zone: tzinfo) -> Reply:
    """An errand was told, and nobody asked for a note."""
    due = tasks[0].due_at if len(tasks) == 1 else None
    when = f", due {due_in_words(due, now=now, zone=zone)}" if due else ""
    return Reply(
        text=f"Shall I put {names_of(tasks)} on your list{when}?",
        status="confirmation_required",
        options=_YES_OR_NO,
    )


def with_more_to_come(reply: Reply) -> Reply:
    """Only one question is asked at a time."""
    return replace(reply, text=f"{reply.text} Then tell me the rest again, please.")


def kept() -> Reply:
    return Reply(text="All right, nothing is deleted.")


def dropped() -> Reply:
    return Reply(text="All right, I've left your tasks as they are.")


def unanswered(tool_name: str) -> Reply:
    """Our question got no answer that we could read, so nothing happens."""
    if tool_name == "delete_task":
        return Reply(text="I didn't get a clear yes, so nothing is deleted.")
    return Reply(text="I didn't get that, so I've left your tasks as they are.")


def which_one(tasks: Sequence[ShownTask], *, tool_name: str, now: datetime, zone: tzinfo) -> Reply:
    """The options are numbered as they are given."""
    return Reply(
        text=f"I found {len(tasks)} tasks that fit. Which one shall I {_VERBS.get(tool_name, 'take')}?\n"
        f"{numbered(tasks, now=now, zone=zone)}\nSay its number, or 'never mind'.",
        status="clarification_needed",
        options=tuple(task.title for task in tasks),
    )


def not_found(*, position: int | None = None, words: str | None = None) -> Reply:
    """A position that is stale or never was, or words that fit no title."""
    what = f"task {position}" if position is not None else f"a task like '{words}'" if words else "that task"
    return Reply(
        text=f"I couldn't find {what}. It may have been deleted. {_SHOW}", status="error", error="NOT_FOUND"
    )


def asking(problem: Problem, *, tool_name: str = "") -> Reply:
    """Ask for what is missing."""
    verb = _VERBS.get(tool_name, "take")
    questions: Mapping[str, str] = {
        "no_title": "What should the task say? For example: 'read chapter 2 by Friday'.",
        "no_task": f"Which task shall I {verb}? Say its number or a word from its title.",
        "no_change": "What shall I change? You can say 'rename it to …' or 'move it to Friday'.",
        "no_date": "I didn't understand the date. Try 'tomorrow', 'next Friday at 5' or '20 March'.",
    }
    return Reply(
        text=questions.get(problem, "Could you say that in other words?"), status="clarification_needed"
    )


def unsure(intents: Sequence[Intent]) -> Reply:
    """Ask rather than guess."""
    doing = [_DOING[intent] for intent in intents if intent in _DOING]
    choices = f"{', '.join(doing[:-1])} or {doing[-1]}" if len(doing) > 1 else "".join(doing)
    question = f"Would you like to {choices}?" if choices else "Is this about your tasks?"
    return Reply(
        text=f"I'm not sure I got that. {question}", status="clarification_needed", options=tuple(doing)
    )


def refused(message: str) -> Reply:
    """What the tools said about an input that they cannot take, such as a title that is too long."""
    return Reply(text=message, status="error", error="INVALID_INPUT")


def unavailable() -> Reply:
    return Reply(
        text="I can't reach your task list right now. Nothing was changed; please try again in a moment.",
        status="error",
        error="UNREACHABLE",
    )


def uncertain() -> Reply:
    """A change was sent and nobody said whether it was made."""
    return Reply(
        text="Your task list didn't answer, so I can't say whether that was done. Say 'show my tasks' to see.",
        status="error",
        error="UNREACHABLE",
    )
