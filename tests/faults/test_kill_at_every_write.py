"""Kill -9 at every write: nothing acknowledged is lost, nothing counts twice, nobody is stuck. `make soak` does more."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.soak import times

pytestmark = [
    pytest.mark.scaled,
    pytest.mark.skipif(sys.platform == "win32", reason="processes are forked"),
]


def figures(module: str, folder: Path, *, kills: int) -> dict[str, Any]:
    """In a process of its own, which forks: what pytest has open must not be in the forks."""
    command = [sys.executable, "-m", module, str(folder), "--kills", str(kills)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert found["kills"] >= kills * 0.9, "a write that comes only now and then may not be reached"
    return found


def test_a_learning_turn_that_is_killed_loses_no_answer_and_grades_none_twice(tmp_path: Path) -> None:
    found = figures("tests.support.kills", tmp_path / "kills", kills=times(6, 2000))
    assert (found["lost"], found["twice"], found["stuck"]) == (0, 0, 0)


def test_an_upgrade_from_any_schema_that_is_killed_is_done_by_the_next_start(tmp_path: Path) -> None:
    found = figures("tests.support.upgrades", tmp_path / "upgrades", kills=times(4, 400))
    assert (found["lost"], found["broken"]) == (0, 0)
