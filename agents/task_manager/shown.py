"""Tasks as a learner sees them: numbered, with due dates in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Self

from agents.language.due import END_OF_DAY, parse_due
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
