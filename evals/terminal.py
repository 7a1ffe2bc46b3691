"""`adk run` as a process of its own, and somebody who sits at it."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_PROMPT = "[user]: "


class Terminal:
    """Reads up to the prompt, types a line, reads on."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def say(self, text: str) -> str:
        """Type one line; returns what is said to it."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()
        return self.listen()

    def listen(self) -> str:
        """What is said up to the next prompt, or to the end of the process."""
        assert self._process.stdout is not None
        heard = ""
        while not heard.endswith(_PROMPT) and (piece := self._process.stdout.read(1)):
            heard += piece
        return heard


@contextmanager
def adk_run(agent: Path, *options: str, cwd: Path, environment: Mapping[str, str]) -> Iterator[Terminal]:
    """Start it at once; nothing of it is left when the block ends."""
    with subprocess.Popen(
        [sys.executable, "-m", "google.adk.cli", "run", *options, str(agent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=cwd,
        env=environment,
    ) as process:
        try:
            yield Terminal(process)
        finally:
            process.kill()
