"""The app starts light: what a turn needs is imported with the first message."""

import subprocess
import sys
from pathlib import Path

import pytest

import agents

_HEAVY = (
    "sqlalchemy",
    "numpy",
    "mcp",
    "wordllama",
    "qdrant_edge",
    "snowballstemmer",
    "dateparser",
    "fsrs",
    "opentelemetry",
)


def test_importing_the_app_loads_no_library_that_only_a_turn_needs(tmp_path: Path) -> None:
    """`adk run` shows its prompt before any of them is wanted."""
    program = f"import sys, agents.agent; print([name for name in {_HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_the_package_has_the_attribute_that_adk_eval_reads() -> None:
    assert agents.agent.root_agent.name == "coordinator"
    with pytest.raises(AttributeError):
        _ = agents.nothing
