"""The task server that several apps share, as its own process."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).parents[2]


@contextmanager
def shared_server(folder: Path) -> Iterator[str]:
    """`tutor mcp --http` over the database of this folder, on a free port."""
    program = "from agents.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "mcp", "--http", "0"],
        env={**os.environ, "PYTHONPATH": str(PROJECT), "TUTOR_DATA_DIR": str(folder / "data")},
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
