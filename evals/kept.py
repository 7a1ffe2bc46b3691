"""What a run has left in the tutor's database, read past the app, against what was sent to it."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Sent:
    """One answer that a learner gave."""

    user: str
    question_id: str
    answer: str


def kept_answers(database: Path) -> list[Sent]:
    """The ledger, read past the app."""
    rows = _read(
        database, "SELECT user_id, question_id, learner_answer FROM quiz_results WHERE action = 'answer'"
    )
    return [Sent(*row) for row in rows]


def kept_tasks(database: Path) -> int:
    [[count]] = _read(database, "SELECT count(*) FROM tasks")
    return int(count)


def _read(database: Path, statement: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(database)
    try:
        return connection.execute(statement).fetchall()
    finally:
        connection.close()


def difference(sent: Sequence[Sent], kept: Sequence[Sent]) -> tuple[int, int]:
    """How many answers were lost, and how many are there that nobody sent or that are there twice."""
    given, found = Counter(sent), Counter(kept)
    return (given - found).total(), (found - given).total()
