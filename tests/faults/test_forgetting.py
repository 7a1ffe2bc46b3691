"""Everything of a learner can be shown, and can be deleted, wherever it is kept."""

import json
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from agents.cli import tutor
from storage.files import daily
from tests.support.talk import Learner
from tests.support.times import all_in_utc

SECRET = "Zebulon"


@pytest.fixture
async def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder in which two learners have said something, one of them a secret; there is a copy of it."""
    for name in ("ada", "bob"):
        learner = Learner(tmp_path, user_id=name)
        learner = await Learner.begin(learner)
        await learner.say("teach me ROS 2 topics")
        await learner.answer(right=True)
        await learner.say(f"remind me to call {SECRET if name == 'ada' else 'home'}")
        await learner.say(f"my goal is {SECRET if name == 'ada' else 'mapping'}")
        await learner.close()
    tomorrow = learner.services.now().date() + timedelta(days=1)  # today's was made before anything was said
    daily(tmp_path / "data" / "tutor.db", today=tomorrow)
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "sessions.db").replace(tmp_path / "data" / "sessions.db")
    return tmp_path / "data"


def run(*arguments: str, says: str = "") -> str:
    done = CliRunner().invoke(tutor, list(arguments), input=says)
    assert done.exit_code == 0, done.output
    return done.output


def mentions(folder: Path, word: str) -> list[str]:
    """Where a word stands in the rows of any database here."""
    found = []
    for file in folder.rglob("*.db"):
        with sqlite3.connect(file) as connection:
            if any(word in line for line in connection.iterdump()):
                found.append(file.name)
        connection.close()
    return found


def test_a_learner_is_forgotten_everywhere_and_nobody_with_them(told: Path) -> None:
    assert len(mentions(told, SECRET)) == 3, "the record, the sessions and the copy"
    shown = run("forget", "--user", "ada", says="y\n")
    assert "quiz results" in shown
    assert "conversations" in shown
    assert mentions(told, SECRET) == []
    kept = json.loads(run("export", "--user", "bob"))
    assert len(kept["quiz_results"]) == 1
    assert kept["conversations"]
    assert "Nothing is kept about ada" in run("forget", "--user", "ada")


def test_forgetting_asks_first(told: Path) -> None:
    CliRunner().invoke(tutor, ["forget", "--user", "ada"], input="n\n")
    assert len(mentions(told, SECRET)) == 3


def test_an_export_has_everything_and_nothing_of_others(told: Path, tmp_path: Path) -> None:
    kept = json.loads(run("export", "--user", "ada"))
    assert {"quiz_results", "tasks", "learner_goals", "session_logs", "learning_cycles", "conversations"} <= {
        name for name, rows in kept.items() if rows
    }
    assert SECRET in json.dumps(kept["conversations"])
    assert "bob" not in json.dumps(kept)
    assert {"answered_at", "created_at", "stated_at", "question_asked_at", "invoked_at"} <= all_in_utc(kept)
    assert all_in_utc(json.loads(run("progress", "--user", "ada", "--json"))) >= {"answered_at"}
    assert all_in_utc(json.loads(run("history", "--user", "ada", "--json"))) >= {"started_at", "timestamp"}
    run("export", "--user", "ada", "--file", str(tmp_path / "ada.json"))
    assert json.loads((tmp_path / "ada.json").read_text())["user_id"] == "ada"
