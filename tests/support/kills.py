"""Kill -9 at every write of a learning turn, and look at what is left.

    python -m tests.support.kills FOLDER --kills 50 [--seed 0]

Runs as a process of its own, which imports everything once and forks: each turn that is killed is a fork's. Prints one
JSON line with the figures. Fork and kill are Linux's and macOS's.
"""

import argparse
import asyncio
import importlib
import json
import logging
import os
import random
import shutil
import sqlite3
import sys
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.teaching.evidence import LedgerRow
from tests.support.faults import Writes, counted, kill_at
from tests.support.folders import copy_folder
from tests.support.talk import Learner

_STUCK_SECONDS = 60

# The turns that write: what was said before them, and what is said in them. "right" and "wrong" answer the open question.
SCENES: dict[str, tuple[tuple[str, ...], str]] = {
    "a lesson begins": ((), "teach me ROS 2 topics"),
    "a right answer": (("teach me ROS 2 topics",), "right"),
    "a wrong answer": (("teach me ROS 2 topics", "right"), "wrong"),
    "the last answer, and the next round": (("teach me ROS 2 topics", "wrong", "wrong", "wrong"), "wrong"),
    "the answer that masters": (("teach me ROS 2 topics", *["right"] * 7), "right"),
    "a skipped question": (("teach me URDF",), "skip"),
    "a disputed mark": (("teach me URDF", "wrong"), "I disagree"),
    "a diagnostic begins": ((), "find my gaps in URDF"),
    "an answer to a diagnostic": (("find my gaps in URDF",), "right"),
    "the end of a diagnostic": (("find my gaps in URDF", "wrong", "wrong"), "skip"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A scene up to its turn, and how many writes that turn does."""

    name: str
    folder: Path
    said: str
    writes: int


async def speak(learner: Learner, line: str) -> str:
    if line in ("right", "wrong"):
        return (await learner.answer(right=line == "right")).text
    return (await learner.say(line)).text


def in_fork(work: Callable[[], Awaitable[Any]]) -> tuple[Any, bool]:
    """What a forked process returned, and whether it was killed before it could."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        code = 1
        try:
            result = json.dumps(asyncio.run(_bounded(work)), default=str)
            os.write(writing, result.encode())
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return (json.loads(said) if said else None), True
    if os.waitstatus_to_exitcode(status):
        raise RuntimeError("the forked turn failed; its traceback is above")
    return json.loads(said), False


async def _bounded(work: Callable[[], Awaitable[Any]]) -> Any:
    async with asyncio.timeout(_STUCK_SECONDS):
        return await work()


def prepare(folder: Path) -> list[Stage]:
    """Play every scene up to its turn, once, and count that turn's writes."""

    (folder / "course").mkdir(parents=True)

    async def first_visit() -> list[str]:
        learner = await Learner(folder / "course").begin()
        await learner.say("hello")
        copy_folder(folder / "course", folder / "rehearsal")
        await learner.say("teach me ROS 2 topics")
        await learner.answer(right=True)
        await learner.close()
        return list(sys.modules)

    used, _ = in_fork(first_visit)
    shutil.rmtree(folder / "course")
    (folder / "rehearsal").rename(folder / "course")
    for name in used:  # imported once, for all forks: half of their work otherwise
        with suppress(ImportError):
            importlib.import_module(name)
    logging.getLogger().handlers.clear()  # wordllama sets up some at its import
    stages = []
    for number, (name, (before, said)) in enumerate(SCENES.items()):
        stage = folder / f"scene-{number}"

        async def play(stage: Path = stage, before: tuple[str, ...] = before) -> None:
            learner = await Learner(stage, session_id="s2").begin()
            for line in before:
                await speak(learner, line)
            await learner.close()

        async def count(said: str = said) -> int:
            with counted(Writes()) as writes:
                learner = Learner(folder / "counting", session_id="s2")
                await learner.services.ready()
                writes.count = 0
                await speak(learner, said)
                done = writes.count
            await learner.close()
            return done

        copy_folder(folder / "course", stage)
        in_fork(play)
        copy_folder(stage, folder / "counting")
        done, _ = in_fork(count)
        shutil.rmtree(folder / "counting")
        stages.append(Stage(name=name, folder=stage, said=said, writes=done))
    return stages


def struck(stage: Stage, number: int, *, folder: Path) -> dict[str, int]:
    """Kill the turn at one write; the learner comes back, says it again, and goes on. What went wrong."""
    shutil.rmtree(folder, ignore_errors=True)
    copy_folder(stage.folder, folder)

    async def killed() -> str:
        learner = Learner(folder, session_id="s2")
        await learner.services.ready()
        with counted(kill_at(number)):
            # Connections that are open already are not counted: close them, and their likes are opened anew.
            await learner.services.database.close()
            return await speak(learner, stage.said)

    async def comes_back() -> dict[str, Any]:
        learner = Learner(folder, session_id="s2")
        await learner.services.ready()
        written = [row.id for row in await learner.evidence()]
        for line in (stage.said, "continue"):
            pending = (await learner.state()).pending_question
            if line not in ("right", "wrong") or pending:
                assert await speak(learner, line), f"no answer to {line!r}"
        await learner.say("start over")
        assert "Question 1" in await speak(learner, "teach me ROS 2 services"), "the session is stuck"
        await speak(learner, "right")
        rows = [_told(row) for row in await learner.evidence()]
        await learner.close()
        return {"written": written, "rows": rows}

    acknowledged = _answers(folder / "data" / "tutor.db")
    _, was_killed = in_fork(killed)
    try:
        found, _ = in_fork(comes_back)
    except RuntimeError:
        return {"kills": int(was_killed), "stuck": 1}
    rows = found["rows"]
    askings = Counter((row["question_id"], row["asking"]) for row in rows if row["action"] == "answer")
    kept = {row["id"] for row in rows}
    return {
        "kills": int(was_killed),
        "lost": len({*acknowledged, *found["written"]} - kept),
        "twice": sum(count - 1 for count in askings.values()),
    }


def _told(row: LedgerRow) -> dict[str, Any]:
    return {"id": row.id, "question_id": row.question_id, "asking": row.asking, "action": row.action}


def _answers(file: Path) -> list[int]:
    """The answers that are in the ledger of a tutor that has stopped."""
    with closing(sqlite3.connect(file)) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM quiz_results")]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    from agents.language.understanding import language_of, read
    from rag.embedders import WordLlamaEmbedder

    # Read once, for all forks.
    language_of("hello")
    read("hello")
    WordLlamaEmbedder()
    stages = prepare(options.folder)
    points = [(stage, number) for stage in stages for number in range(1, stage.writes + 1)]
    chosen = random.Random(options.seed)
    # Every point once where there are enough kills for that, and evenly many of each scene where there are not.
    order = (
        sorted(points, key=lambda point: (point[1], point[0].name)) if options.kills >= len(points) else []
    )
    while len(order) < options.kills:
        order += chosen.sample(points, min(len(points), options.kills - len(order)))
    totals: Counter[str] = Counter(points=len(points), scenes=len(stages))
    for place, (stage, number) in enumerate(order[: options.kills], 1):
        found = struck(stage, number, folder=options.folder / "struck")
        totals.update(found)
        if place % 25 == 0:
            sys.stderr.write(f"{place}: {dict(totals)}\n")
        if any(found.get(name) for name in ("stuck", "lost", "twice")):
            sys.stderr.write(f"{stage.name}, write {number}: {found}\n")
    wanted = ("points", "scenes", "kills", "lost", "twice", "stuck")
    sys.stdout.write(json.dumps({name: totals.get(name, 0) for name in wanted}) + "\n")


if __name__ == "__main__":
    main()
