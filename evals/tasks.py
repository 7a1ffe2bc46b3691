"""Does the task manager understand what learners say about their to-dos, and is the server quick?"""

import hashlib
import json
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

from agents.task_manager.intents import choose, commands_in, select_tool, understand
from agents.task_manager.reading import IntentResult, WaitingFor
from evals.baselines import nearest
from evals.report import Report, Row, goal
from tasks_tools.references import KnownTask

LABELS = Path(__file__).parent / "labels"
ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 4, 10, 30, tzinfo=ZONE)  # a Wednesday
# The tasks that the labels' references point at, and the task that was spoken of last.
TITLES = (
    "Buy groceries",
    "Call John about the meeting",
    "Review docs",
    "Prepare Monday meeting",
    "Read chapter 2 of the ROS book",
)
TASKS = tuple(KnownTask(id=41 + place, title=title) for place, title in enumerate(TITLES, 1))
LISTED = {
    "task_references": {str(place): task.id for place, task in enumerate(TASKS, 1)},
    "last_tool_parameters": {"task_id": 43},
}
OPTIONS = (TITLES[1], TITLES[3])
_WAITING: Mapping[str, WaitingFor] = {
    "pending_confirmation": "confirmation",
    "pending_clarification": "clarification",
}
NAMED = 99  # the task that a label names by its title
_CALLS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Which parts of one label were read right."""

    intent: bool
    title: bool
    due: bool
    reference: bool

    @property
    def all(self) -> bool:
        return self.intent and self.title and self.due and self.reference


async def run() -> Report:
    """Judge both sets of labels, then time the server."""
    tuned, held_out = judged("tasks_tune"), judged("tasks_heldout")
    figures = figures_of(held_out)
    strangers, intents = strangers_messages("tasks_fit"), strangers_messages("tasks_intents")
    start, round_trip = await _timed()
    return Report(
        name="Tasks: what learners say",
        command="python -m evals tasks",
        rows=[
            Row(measure="utterances tuned on / held out", value=f"{len(tuned)} / {len(held_out)}"),
            goal("baseline: the intent of the most alike label tuned on, held out", _nearest_intents()),
            goal("intent, held out", figures["intent"], at_least=0.95),
            goal("title, held out", figures["title"], at_least=0.95),
            goal("intent, title, due date and reference, held out", figures["all"]),
            goal("the same, tuned on", _share(tuned, "all")),
            Row(
                measure="strangers' task messages, kept back from the fit: with / without a title",
                value=f"{len(strangers)} / {len(intents)}",
            ),
            goal(
                "strangers: intent, as the coordinator sends them here",
                _share((*strangers, *intents), "intent"),
            ),
            goal("strangers: intent, title, due date and reference", _share(strangers, "all")),
            goal("server: process start to first answer, s", start, at_most=1.2),
            goal("server: tool round trip p50, ms", round_trip, at_most=15),
        ],
        figures=figures | {"round_trip": round_trip},
    )


def figures_of(held_out: Sequence[Judged]) -> dict[str, float]:
    """Shares that were read right."""
    return {part: _share(held_out, part) for part in ("intent", "title", "all")}


def labels(name: str) -> list[dict[str, Any]]:
    text = (LABELS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def strangers_messages(name: str) -> list[Judged]:
    """The task messages of a set that are kept back, judged as the coordinator sends them here."""
    return [
        judge(label, meant=True)
        for label in labels(name)
        if is_kept_back(label) and label["intent"] != "none"
    ]


def is_kept_back(label: Mapping[str, Any]) -> bool:
    """A fifth of what strangers wrote is never fitted."""
    is_strange = label["source"] in ("writers", "bulk")
    return is_strange and hashlib.sha256(label["text"].encode()).digest()[1] % 5 == 0


def judged(name: str) -> list[Judged]:
    """Every label of a set, judged."""
    return [judge(label) for label in labels(name)]


def judge(label: Mapping[str, Any], *, meant: bool = False) -> Judged:
    """Read an utterance as the task manager would, and compare; of several commands all must be right."""
    context, wanted = label["context"], (label, *label.get("then", ()))
    found: tuple[IntentResult, ...]
    if context in _WAITING:
        options = OPTIONS if context == "pending_clarification" else ()
        found = (understand(label["text"], waiting_for=_WAITING[context], options=options),)
    else:
        found = commands_in(label["text"], listed=context == "after_list", meant=meant)
    if len(found) != len(wanted):
        return Judged(
            intent=len(wanted) == 1 and found[0].intent == label["intent"],
            title=False,
            due=False,
            reference=False,
        )
    each = [
        _compare(one, part, said=label["text"], context=context)
        for one, part in zip(found, wanted, strict=True)
    ]
    return Judged(
        **{name: all(getattr(one, name) for one in each) for name in ("intent", "title", "due", "reference")}
    )


def _compare(result: IntentResult, wanted: Mapping[str, Any], *, said: str, context: str) -> Judged:
    tasks = (*TASKS, KnownTask(id=NAMED, title=wanted["task"])) if "task" in wanted else TASKS
    metadata = {} if context == "none" else LISTED
    selected = select_tool(result, metadata=metadata, now=NOW, tasks=tasks)
    ids = selected.task_ids or selected.options
    pointed = True
    if "task" in wanted:
        pointed = list(ids) == [NAMED]
    elif "reference" in wanted and result.intent == "choose":
        pointed = list(choose(said, options=OPTIONS)) == wanted["reference"]
    elif "reference" in wanted:
        pointed = sorted(task_id - 41 for task_id in ids) == wanted["reference"]
    return Judged(
        intent=result.intent == wanted["intent"],
        title=_plain(selected.parameters.get("title")) == _plain(wanted.get("title")),
        due=_there(selected.parameters.get("due_at")) == wanted.get("due", ""),
        reference=pointed,
    )


def _nearest_intents() -> float:
    """Labels of different contexts are kept apart."""
    known: dict[str, list[tuple[str, str]]] = {}
    for label in labels("tasks_tune"):
        known.setdefault(label["context"], []).append((label["text"], label["intent"]))
    asked = labels("tasks_heldout")
    right = [nearest(label["text"], known[label["context"]]) == str(label["intent"]) for label in asked]
    return sum(right) / len(right)


def _there(due_at: str | None) -> str:
    """A time of a call on the learner's clock."""
    return datetime.fromisoformat(due_at).astimezone(ZONE).isoformat()[:16] if due_at else ""


def _plain(title: str | None) -> str:
    return " ".join((title or "").casefold().split())


def _share(results: Sequence[Judged], part: str) -> float:
    return sum(bool(getattr(result, part)) for result in results) / len(results)


async def _timed() -> tuple[float, float]:
    """Seconds to the first answer of a new process, and the median milliseconds of a call after that."""
    from mcp import Client, StdioServerParameters

    with TemporaryDirectory() as folder:
        command = ["-m", "tasks_tools", "--database", f"sqlite:///{folder}/tutor.db", "--user", "ada"]
        root = {"PYTHONPATH": str(Path(__file__).parents[1])}
        started = time.perf_counter()
        async with Client(StdioServerParameters(command=sys.executable, args=command, env=root)) as client:
            answered = time.perf_counter() - started
            await client.call_tool("list_tasks", {})
            times = [await _time_of(client, call) for call in _calls()]
    return answered, statistics.median(times)


def _calls() -> Iterator[tuple[str, dict[str, Any]]]:
    for number in range(1, _CALLS // 4 + 1):
        yield "add_task", {"title": f"Task {number}"}
        yield "list_tasks", {"status": "pending"}
        yield "update_task", {"task_id": number, "title": "Renamed"}
        yield "complete_task", {"task_id": number}


async def _time_of(client: Any, call: tuple[str, dict[str, Any]]) -> float:
    started = time.perf_counter()
    result = await client.call_tool(*call)
    assert not result.is_error
    return (time.perf_counter() - started) * 1000
