"""The HTTP server under several learners at once, beside a bare ADK app under the same load."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from evals.kept import Sent, difference, kept_answers, kept_tasks
from evals.report import Report, Row, goal
from evals.server import PROJECT, serve, write_bare_app

LEVELS = (1, 4, 16)
_FEWEST_LESSONS = 4
_QUESTIONS = 4
_AFTER_THE_QUIZ = ("what is my progress?", "remind me to read chapter 2", "what is a node?")
_TURNS_A_LESSON = 1 + _QUESTIONS + len(_AFTER_THE_QUIZ)

Event = dict[str, Any]


@dataclass(slots=True)
class Load:
    """What learners saw of one server."""

    url: str
    app: str
    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    tasks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One number of learners at once, at one server."""

    learners: int
    turns_a_second: float
    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One server, from its start to the end of the last level."""

    levels: Sequence[Level]
    load: Load
    memory: Sequence[float]  # MB: started, after the first lesson, at the end


async def run(levels: Sequence[int] = LEVELS) -> Report:
    """Both servers, one after the other, each with all the levels."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        bare = await _measure(write_bare_app(folder), folder / "bare-home", levels)
        ours = await _measure(PROJECT / "agents", folder / "our-home", levels)
        database = folder / "our-home" / "data" / "tutor.db"
        lost, doubled = difference(ours.load.sent, kept_answers(database))
        tasks = kept_tasks(database)
    rows = [row for pair in zip(ours.levels, bare.levels, strict=True) for row in _level_rows(*pair)]
    return Report(
        name="Load: learners at once at the HTTP server",
        command="python -m evals load",
        rows=[
            *rows,
            _none("requests that failed, ours", len(ours.load.errors)),
            _none("requests that failed, bare", len(bare.load.errors)),
            Row(measure="answers sent / to-dos added", value=f"{len(ours.load.sent)} / {ours.load.tasks}"),
            _none("answers sent that are not in the ledger", lost),
            _none("answers in the ledger that nobody sent, or twice", doubled),
            _none("to-dos lost or doubled", abs(ours.load.tasks - tasks)),
            _memory("ours", ours),
            _memory("bare", bare),
        ],
        notes=[*_NOTES, *_problems(ours.load), *_problems(bare.load)],
        figures={
            "answers_sent": len(ours.load.sent),
            "errors": len(ours.load.errors),
            "lost": lost,
            "doubled": doubled,
        },
    )


_NOTES = (
    f"Each learner, in a session made beforehand, asks for a topic, answers its {_QUESTIONS} questions, asks for their "
    f"progress, adds a to-do and asks a question: {_TURNS_A_LESSON} turns, each sent when the one before is answered. "
    "Both servers are `adk api_server`, one process each, with sessions in an SQLite file; the bare app is one agent "
    "with an instant model that answers 'Yes.' to the same messages. One lesson before the first level is not counted: "
    "it loads libraries and reads the course. The learners run on the same cores as the server.",
)


async def _measure(app: Path, home: Path, levels: Sequence[int]) -> Measured:
    with serve(app, home=home) as server:
        load = Load(url=server.url, app=app.name)
        memory = [server.megabytes()]
        async with httpx.AsyncClient(timeout=120) as client:
            await _begin(client, load, user="first")
            await _lesson(client, load, user="first")
            memory.append(server.megabytes())
            measured = [await _level(client, load, learners) for learners in levels]
        memory.append(server.megabytes())
    return Measured(levels=measured, load=load, memory=memory)


async def _level(client: httpx.AsyncClient, load: Load, learners: int) -> Level:
    users = [f"level-{learners}-{number}" for number in range(max(_FEWEST_LESSONS, learners))]
    for user in users:
        await _begin(client, load, user=user)
    load.seconds.clear()
    waiting = iter(users)
    started = time.perf_counter()
    await asyncio.gather(*(_desk(client, load, waiting) for _ in range(learners)))
    elapsed = time.perf_counter() - started
    spent = [seconds * 1000 for seconds in load.seconds]
    return Level(
        learners=learners,
        turns_a_second=len(spent) / elapsed,
        p50=median(spent),
        p95=quantiles(spent, n=20)[-1],
    )


async def _desk(client: httpx.AsyncClient, load: Load, users: Iterator[str]) -> None:
    """One learner after another."""
    for user in users:
        await _lesson(client, load, user=user)


async def _begin(client: httpx.AsyncClient, load: Load, *, user: str) -> None:
    begun = await client.post(f"{load.url}/apps/{load.app}/users/{user}/sessions/s1", json={})
    begun.raise_for_status()


async def _lesson(client: httpx.AsyncClient, load: Load, *, user: str) -> None:
    events = await _turn(client, load, user, "teach me ROS 2 topics")
    for number, question in enumerate(_questions(events)):
        answer = _answer(question, number=number)
        if question:
            load.sent.append(Sent(user, question["question_id"], answer))
        await _turn(client, load, user, answer)
    for message in _AFTER_THE_QUIZ:
        await _turn(client, load, user, message)
    load.tasks += 1


async def _turn(client: httpx.AsyncClient, load: Load, user: str, text: str) -> list[Event]:
    message = {"role": "user", "parts": [{"text": text}]}
    body = {"appName": load.app, "userId": user, "sessionId": "s1", "newMessage": message}
    started = time.perf_counter()
    answered = await client.post(f"{load.url}/run", json=body)
    load.seconds.append(time.perf_counter() - started)
    events: list[Event] = answered.json() if answered.status_code == 200 else []
    if problem := _problem(answered.status_code, events):
        load.errors.append(problem)
    return events


def _problem(status: int, events: Sequence[Event]) -> str:
    """What is wrong with a reply; nothing when it says something and no error is in it."""
    if status != 200:
        return f"status {status}"
    said = any(
        part.get("text") for event in events for part in (event.get("content") or {}).get("parts") or []
    )
    if not said:
        return "nothing said"
    failed = [_delta(event).get("last_response", {}).get("error") for event in events]
    return next((f"the turn's error {each}" for each in failed if each), "")


def _questions(events: Sequence[Event]) -> Sequence[Mapping[str, Any]]:
    """The quiz that a reply begins; the bare app has none, and hears as many answers."""
    found = [_delta(event).get("quiz_questions") for event in events]
    return next((each for each in found if each), [{}] * _QUESTIONS)


def _delta(event: Event) -> dict[str, Any]:
    delta: dict[str, Any] = (event.get("actions") or {}).get("stateDelta") or {}
    return delta


def _answer(question: Mapping[str, Any], *, number: int) -> str:
    """The right answer; to the second question a wrong one, where there is another option."""
    right = str(question.get("expected_answer", "yes"))
    others = [option for option in question.get("options", ()) if option != right]
    return str(others[0]) if number == 1 and others else right


def _level_rows(ours: Level, bare: Level) -> Iterator[Row]:
    learners = f"{ours.learners} learner{'s' if ours.learners > 1 else ''}"
    yield Row(
        measure=f"{learners}: turns a second, ours / bare",
        value=f"{ours.turns_a_second:.1f} / {bare.turns_a_second:.1f}",
    )
    for name, level in (("ours", ours), ("bare", bare)):
        yield Row(
            measure=f"{learners}: a turn of {name}, p50 / p95 (ms)",
            value=f"{level.p50:.0f} / {level.p95:.0f}",
        )


def _none(measure: str, count: int) -> Row:
    return goal(measure, count, at_most=0, shown=str(count))


def _memory(name: str, measured: Measured) -> Row:
    shown = " / ".join(f"{megabytes:.0f}" for megabytes in measured.memory)
    return Row(measure=f"memory of {name}: started / after the first lesson / at the end (MB)", value=shown)


def _problems(load: Load) -> list[str]:
    counted = Counter(load.errors)
    return [f"{load.app}: {count} × {problem}." for problem, count in counted.items()]
