"""Kill -9 at every write of an upgrade, from every earlier schema: the next start finds what was there, and upgrades it.

python -m tests.support.upgrades FOLDER --kills 30
"""

import argparse
import json
import random
import shutil
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine

from agents.bookkeeping import Bookkeeper
from storage import migrate
from storage.database import Database
from storage.files import VERSION_TABLE, damage
from storage.ledger import Ledger
from tests.support.faults import Writes, counted, kill_at
from tests.support.kills import in_fork

_ROW = {
    "action": "answer", "user_id": "ada", "session_id": "s1", "course": "ros", "topic": "URDF", "cycle_number": 1,
    "question_id": "q1", "question_text": "What?", "concept_name": "joint", "kind": "short_answer", "difficulty": "easy",
    "expected_answer": "a joint", "options": "[]", "chunk_id": "k1", "source_context": "", "learner_answer": "joints",
    "is_correct": 1, "score": 1.0, "grader": "code", "reason": "", "confident": 1, "attempt_number": 1,
    "time_taken_seconds": 1.0, "answered_at": "2026-03-02T09:00:00.000000+00:00",
}  # fmt: skip
ANSWERS = 20


def database_at(revision: str, folder: Path) -> Path:
    """A database as that version of the program left it, with some answers."""
    folder.mkdir(parents=True)
    file = folder / "tutor.db"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        migrate.upgrade(connection, to=revision)
    engine.dispose()
    names = ", ".join(_ROW)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        statement = f"INSERT INTO quiz_results ({names}) VALUES ({', '.join('?' * len(_ROW))})"
        connection.executemany(statement, [tuple(_ROW.values())] * ANSWERS)
        connection.commit()
    return file


async def _open(file: Path) -> int:
    database = await Database.open(f"sqlite:///{file}")
    kept = len(await Ledger(database, books=Bookkeeper()).of("ada"))
    await database.close()
    return kept


def writes_of(file: Path) -> int:
    async def count() -> int:
        with counted(Writes()) as writes:
            await _open(file)
            return writes.count

    done, _ = in_fork(count)
    return int(done)


def struck(original: Path, number: int, *, folder: Path) -> dict[str, int]:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(original.parent, folder)
    file = folder / "tutor.db"

    async def killed() -> int:
        with counted(kill_at(number)):
            return await _open(file)

    async def comes_back() -> int:
        return await _open(file)

    _, was_killed = in_fork(killed)
    kept, _ = in_fork(comes_back)
    with closing(sqlite3.connect(file)) as connection:
        [revision] = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()
    is_whole = revision == migrate.revisions()[-1] and not damage(file)
    return {"kills": int(was_killed), "lost": ANSWERS - kept, "broken": int(not is_whole)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    points: list[tuple[Path, int]] = []
    for revision in migrate.revisions()[:-1]:
        file = database_at(revision, options.folder / revision)
        counting = options.folder / "counting"
        shutil.copytree(file.parent, counting)
        points += [(file, number) for number in range(1, writes_of(counting / "tutor.db") + 1)]
        shutil.rmtree(counting)
    random.Random(options.seed).shuffle(points)
    totals: Counter[str] = Counter(points=len(points))
    for file, number in (points * (options.kills // len(points) + 1))[: options.kills]:
        found: dict[str, Any] = struck(file, number, folder=options.folder / "struck")
        totals.update(found)
        if found["lost"] or found["broken"]:
            sys.stderr.write(f"from {file.parent.name}, write {number}: {found}\n")
    wanted = ("points", "kills", "lost", "broken")
    sys.stdout.write(json.dumps({name: totals.get(name, 0) for name in wanted}) + "\n")


if __name__ == "__main__":
    main()
