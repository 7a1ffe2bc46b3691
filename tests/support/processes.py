"""Looking at the processes that this one started, as Linux shows them."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

_PATIENCE = 30.0


def children(word: str) -> list[int]:
    """Our living child processes with a word in their command line."""
    return [pid for pid, parent in _living(word) if parent == os.getpid()]


def living(word: str) -> list[int]:
    """Anybody's living processes with a word in their command line."""
    return [pid for pid, _ in _living(word)]


def _living(word: str) -> list[tuple[int, int]]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state != "Z" and word in command:
            found.append((int(folder.name), int(parent)))
    return found


def bytes_read(pid: int) -> int:
    """How much a process has read so far."""
    lines = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
    return int(lines["rchar"])


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that will happen; how long it takes is the machine's affair."""
    async with asyncio.timeout(_PATIENCE):
        while not condition():  # noqa: ASYNC110 (another process can set no event of ours)
            await asyncio.sleep(0.005)
