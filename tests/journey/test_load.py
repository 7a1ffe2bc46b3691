"""The load benchmark tells the truth: what was sent is held against what was kept."""

from pathlib import Path

from evals.kept import Sent, difference, kept_answers
from evals.load import run
from storage.database import Database


def test_a_lost_answer_and_a_doubled_one_are_both_seen() -> None:
    first, second, third = (Sent("ada", question, "topic") for question in ("q1", "q2", "q3"))
    assert difference([first, second], [first, second]) == (0, 0)
    assert difference([first, second], [first]) == (1, 0)
    assert difference([first], [first, first]) == (0, 1)
    assert difference([first, second], [second, third]) == (1, 1)


async def test_an_empty_ledger_has_kept_nothing(tmp_path: Path) -> None:
    await (await Database.open(f"sqlite:///{tmp_path}/tutor.db")).close()
    assert kept_answers(tmp_path / "tutor.db") == []


async def test_learners_at_once_lose_no_answer_and_get_no_error() -> None:
    """The whole benchmark, with one small level: two servers, real requests."""
    report = await run(levels=[4])
    assert [row.measure for row in report.rows if row.reached is False] == []
    assert report.figures == {"answers_sent": 20, "errors": 0, "lost": 0, "doubled": 0}
