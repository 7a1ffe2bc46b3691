"""What the task manager says, for every outcome."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, Self, TypeVar

from agents.language.due import END_OF_DAY, parse_due
from agents.language.words import joined
from agents.state import TaskStatus
from agents.task_manager.reading import Intent, Problem
from tasks_tools.references import KnownTask

_MOST_CHARACTERS = 120
_MOST_NAMED = 10  # titles in one sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTask(KnownTask):
    """One task of a tool's answer, and when and where it is shown."""

    by_tutor: bool = False
    now: datetime  # in the learner's zone

    @classmethod
    def of(cls, data: Mapping[str, Any], *, now: datetime) -> Self:
        """Read a task as the tools give it."""
        due = data.get("due_at")
        return cls(
            id=data["id"],
            title=data["title"],
            done=data["status"] == "completed",
            due_at=None if due is None else datetime.fromisoformat(due),
            by_tutor=data.get("origin", "learner") != "learner",
            now=now,
        )

    @property
    def is_overdue(self) -> bool:
        return not self.done and self.due_at is not None and self.due_at < self.now

    @property
    def short(self) -> str:
        """The title on one line and not too long."""
        line = " ".join(self.title.split())
        return line if len(line) <= _MOST_CHARACTERS else line[: _MOST_CHARACTERS - 1].rstrip() + "…"

    @property
    def when(self) -> str:
        """ "due tomorrow at 17:00", "due on Friday", "due on Friday 13 March 2027"; empty for no date, no time where none was said."""
        if self.due_at is None:
            return ""
        there = self.due_at.astimezone(self.now.tzinfo)
        days = (there.date() - self.now.date()).days
        year = "" if there.year == self.now.year else f" {there.year}"
        far = f"on {there:%A}" if 1 < days < 7 else f"on {there:%A} {there.day} {there:%B}{year}"
        day = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days, far)
        no_time = (there.hour, there.minute) == (END_OF_DAY.hour, END_OF_DAY.minute)
        return f"due {day}" if no_time else f"due {day} at {there:%H:%M}"

    @property
    def line(self) -> str:
        """The task in a list."""
        when = f"overdue, was {self.when}" if self.is_overdue else self.when
        notes = ["done" if self.done else when, "from your tutor" if self.by_tutor else ""]
        said = "; ".join(note for note in notes if note)
        return f"{self.short} ({said})" if said else self.short


def in_order(tasks: Sequence[ShownTask]) -> list[ShownTask]:
    """Overdue first, then open ones as they came, then those that are done."""
    return sorted(tasks, key=lambda task: (not task.is_overdue, task.done))


Known = TypeVar("Known", bound=KnownTask)


def in_view(tasks: Sequence[Known], *, status: TaskStatus, due: str | None, now: datetime) -> list[Known]:
    """The tasks of a status, and of these the open ones that "overdue", "today" or "this week" asks for."""
    found = [task for task in tasks if status == "all" or task.done == (status == "completed")]
    dated = [(task.due_at, task) for task in found if task.due_at is not None and not task.done]
    if due == "overdue":
        return [task for due_at, task in dated if due_at < now]
    limit = parse_due(due, now=now) if due else None
    if limit is None:
        return found
    end = limit.replace(hour=END_OF_DAY.hour, minute=END_OF_DAY.minute)
    return [task for due_at, task in dated if due_at <= end]


def _numbered(tasks: Sequence[ShownTask]) -> str:
    return "\n".join(f"{place}. {task.line}" for place, task in enumerate(tasks, 1))


def _names(tasks: Sequence[ShownTask]) -> str:
    return joined([f"'{task.short}'" for task in tasks], most=_MOST_NAMED)


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
    status: Literal["success", "clarification_needed", "confirmation_required", "error"] = "success"
    options: tuple[str, ...] = ()  # of a question
    error: str | None = None


KEPT = Reply(text="All right, nothing is deleted.")
DROPPED = Reply(text="All right, I've left your tasks as they are.")
UNAVAILABLE = Reply(
    text="I can't reach your task list right now. Nothing was changed; please try again in a moment.",
    status="error",
    error="UNREACHABLE",
)
# A change was sent and nobody said whether it was made.
UNCERTAIN = replace(
    UNAVAILABLE,
    text="Your task list didn't answer, so I can't say whether that was done. Say 'show my tasks' to see.",
)


# The learner answered a question of ours, and it is still open.
WAITING = replace(
    UNAVAILABLE,
    text="I can't reach your task list right now. Nothing was changed, and I still wait for your answer: please say "
    "it again in a moment.",
)


def created(task: ShownTask) -> Reply:
    return Reply(text=f"I've added '{task.short}' to your tasks{_when(task)}.")


def listed(tasks: Sequence[ShownTask], *, status: TaskStatus = "pending", due: str | None = None) -> Reply:
    """The numbered list, in the order in which it came."""
    if not tasks:
        return _nothing_listed(status=status, due=due)
    late = sum(task.is_overdue for task in tasks)
    head = "Here is what you have finished:" if status == "completed" else "Here are your tasks:"
    if late:
        head = f"Here are your tasks, {'one is' if late == 1 else f'{late} are'} overdue:"
    return Reply(text=f"{head}\n{_numbered(tasks)}")


def _nothing_listed(*, status: TaskStatus, due: str | None) -> Reply:
    if status == "completed":
        return Reply(text="You haven't ticked off a task yet.")
    if due == "overdue":
        return Reply(text="Nothing is overdue.")
    if due is not None:
        return Reply(text="Nothing is due by then. Say 'show my tasks' to see the others.")
    return Reply(text="You have no open tasks. To add one, say 'remind me to read chapter 2 tomorrow'.")


def completed(tasks: Sequence[ShownTask]) -> Reply:
    return Reply(text=f"Great! I've marked {_names(tasks)} as completed ✓")


def updated(tasks: Sequence[ShownTask], *, changes: Mapping[str, Any]) -> Reply:
    """Say what is different now."""
    first, is_one = tasks[0], len(tasks) == 1
    are, have = ("is", "has") if is_one else ("are", "have")
    parts = {
        "title": f"{are} now called '{first.short}'",
        "due_at": f"{are} {first.when}",
        "clear_due_at": f"{have} no due date any more",
        "description": f"{have} your note",
    }
    renamed = "The task" if is_one else "The tasks"
    subject = renamed if "title" in changes else _names(tasks)
    return Reply(text=f"{subject} {' and '.join(said for name, said in parts.items() if name in changes)}.")


def deleted(tasks: Sequence[ShownTask]) -> Reply:
    return Reply(text=f"I've deleted {_names(tasks)}.")


def confirm(tasks: Sequence[ShownTask], *, tool_name: str, is_all: bool = False) -> Reply:
    """Before something is deleted, or done to every task: how many they are, and which."""
    it = "it" if len(tasks) == 1 else "them"
    titles = [f"'{task.short}' (done)" if task.done else f"'{task.short}'" for task in tasks]
    what = joined(titles, most=_MOST_NAMED)
    if len(tasks) > _MOST_NAMED or (is_all and len(tasks) > 1):
        what = f"{'both' if len(tasks) == 2 else f'all {len(tasks)}'} tasks: {what}"
    ask = (
        f"Say yes to delete {it} for good, or no to keep {it}."
        if tool_name == "delete_task"
        else "Say yes or no."
    )
    text = f"Shall I {_VERBS[tool_name]} {what}? {ask}"
    return Reply(text=text, status="confirmation_required", options=_YES_OR_NO)


def offer(tasks: Sequence[ShownTask]) -> Reply:
    """An errand was told, and nobody asked for a note."""
    when = _when(tasks[0]) if len(tasks) == 1 else ""
    text = f"Shall I put {_names(tasks)} on your list{when}?"
    return Reply(text=text, status="confirmation_required", options=_YES_OR_NO)


def offer_title(title: str) -> Reply:
    """What may be a new title, and may be something else that was wanted."""
    text = f"Shall I change the task's title to '{title}'? Say yes or no."
    return Reply(text=text, status="confirmation_required", options=_YES_OR_NO)


def with_more_to_come(reply: Reply) -> Reply:
    """Only one question is asked at a time."""
    return replace(reply, text=f"{reply.text} Then tell me the rest again, please.")


def unanswered(tool_name: str) -> Reply:
    """Our question got no answer that we could read, so nothing happens."""
    if tool_name == "delete_task":
        return Reply(text="I didn't get a clear yes, so nothing is deleted.")
    return Reply(text="I didn't get that, so I've left your tasks as they are.")


def which_one(tasks: Sequence[ShownTask], *, tool_name: str) -> Reply:
    """The options are numbered as they are given."""
    return Reply(
        text=f"I found {len(tasks)} tasks that fit. Which one shall I {_VERBS[tool_name]}?\n"
        f"{_numbered(tasks)}\nSay its number, or 'never mind'.",
        status="clarification_needed",
        options=tuple(task.title for task in tasks),
    )


def not_found(names: Sequence[str]) -> Reply:
    """Tasks that went stale or never were, as the learner called them."""
    pronoun = "It" if len(names) == 1 else "They"
    text = f"I couldn't find {joined(names)}. {pronoun} may have been deleted. Try 'show my tasks' to see what's current."
    return Reply(text=text, status="error", error="NOT_FOUND")


def none_there(*, tool_name: str) -> Reply:
    """All of none."""
    return Reply(text=f"There is nothing to {_VERBS[tool_name]}: no task of yours is like that.")


def added_since(tasks: Sequence[ShownTask]) -> str:
    """What came after we asked about all tasks, and was not named then."""
    were, are = ("was", "it is") if len(tasks) == 1 else ("were", "they are")
    return f"{_names(tasks)} {were} added after I asked, so {are} still on your list."


def asking(problem: Problem, *, tool_name: str) -> Reply:
    """Ask for what is missing."""
    questions: Mapping[Problem, str] = {
        "no_title": "What should the task say? For example: 'read chapter 2 by Friday'.",
        "no_note": "What should the note on it say?",
        "no_task": f"Which task shall I {_VERBS.get(tool_name)}? Say its number or a word from its title.",
        "no_change": "What shall I change? Say the new title, or 'move it to Friday'.",
        "no_date": "When shall it be due? I understand 'tomorrow', 'next Friday at 5' or '20 March'.",
    }
    return Reply(text=questions[problem], status="clarification_needed")


def unsure(intents: Sequence[Intent]) -> Reply:
    """Ask rather than guess."""
    doing = tuple(_DOING[intent] for intent in intents if intent in _DOING)
    question = f"Would you like to {joined(doing, word='or')}?" if doing else "Is this about your tasks?"
    return Reply(text=f"I'm not sure I got that. {question}", status="clarification_needed", options=doing)


def refused(message: str) -> Reply:
    """What the tools said about an input that they cannot take, such as a title that is too long."""
    return Reply(text=message, status="error", error="INVALID_INPUT")


def _when(task: ShownTask) -> str:
    return f", {task.when}" if task.when else ""
