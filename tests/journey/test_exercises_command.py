"""`tutor exercises` shows what the author of a course asks, and what of it cannot be asked."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agents.cli import tutor as commands
from tests.support.exercises import read_asked, write

PAGE = """# Knots

A **bowline** is a knot that makes a loop which does not slip.

Ask: Which knot makes a loop?
+ a bowline (it holds)
- a clove hitch

Ask (recall): Why tie knots at all?
"""
LATER = "# Splices\n\nA **splice** is a join of two ropes.\n\nAsk: What joins ropes?\nKey: a splice\n"

Tutor = Callable[..., Result]


@pytest.fixture
def tutor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tutor:
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    read_asked(monkeypatch)
    write(tmp_path / "ropes", {"1-knots": PAGE, "2-splices": LATER})

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(commands, arguments)

    assert run("ingest", "ropes").exit_code == 0
    return run


def test_the_authors_questions_come_in_the_order_of_the_course_with_their_keys(tutor: Tutor) -> None:
    loop, why, join = json.loads(tutor("exercises", "--course", "ropes", "--json").stdout)

    assert loop["options"] == ["a bowline", "a clove hitch"]
    assert (loop["kind"], loop["expected_answer"], loop["solution"]) == ("multiple_choice", "a bowline", None)
    assert (loop["chapter_id"], loop["concept_name"], loop["origin"]) == ("1-knots", "bowline", "author")
    assert loop["trouble"] is None
    assert (why["expected_answer"], why["trouble"]) == (None, "the author gives no answer")
    assert (join["chapter_id"], join["concept_name"]) == ("2-splices", "splice")


def test_people_see_them_in_a_table_and_why_one_is_not_asked(tutor: Tutor) -> None:
    shown = tutor("exercises").stdout
    assert shown.index("Which knot makes a loop?") < shown.index("What joins ropes?")
    assert shown.index("1 not asked") < shown.index("the author gives no answer")


def test_a_course_without_questions_says_so(tutor: Tutor, tmp_path: Path) -> None:
    write(tmp_path / "plain", {"page": "# Page\n\nA **page** is a side of a leaf.\n"})
    tutor("ingest", "plain")
    assert "sets no questions" in tutor("exercises", "--course", "plain").stdout
    assert json.loads(tutor("exercises", "--course", "plain", "--json").stdout) == []
