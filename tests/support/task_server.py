"""The task server that several apps share, as its own process."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

PROJECT = Path(__file__).parents[2]
TOKEN = "open-sesame"


def shared_server(folder: Path) -> AbstractContextManager[str]:
    """`tutor mcp --http` over the database of this folder, on a free port; yields the address."""
    program = "from agents.cli import main; main()"
    return listening("-c", program, "mcp", folder=folder, TUTOR_DATA_DIR=str(folder / "data"))


def server_arguments(database: Path, *more: str) -> tuple[str, ...]:
    """What follows `python` to start the bare task server over a database file."""
    return ("-m", "tasks_tools", "--database", f"sqlite:///{database}", *more)


@contextmanager
def listening(*arguments: str, folder: Path, **environment: str) -> Iterator[str]:
    """The address of a Python process that serves on a free port until the block ends, and then ends quietly."""
    process = subprocess.Popen(
        [sys.executable, *arguments, "--http", "0"],
        env={**os.environ, "PYTHONPATH": str(PROJECT), "TUTOR_TASKS_TOKEN": TOKEN, **environment},
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        yield process.stderr.readline().split(" at ")[1].split(". ")[0]
    finally:
        process.terminate()
        said = process.communicate(timeout=30)[1]
    assert (process.returncode, said) == (0, "")
