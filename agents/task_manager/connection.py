"""Where the task tools are: in a process of our own, or on a server that several apps share."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A command to start, or an address to call; and how long to wait for either."""

    seconds: float
    url: str = ""
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


def task_connection(settings: Settings) -> Connection:
    """The shared server that the settings name, or else a process of our own."""
    if settings.tasks_url:
        return Connection(seconds=settings.tasks_timeout, url=settings.tasks_url)
    log = str(settings.data_dir / "tasks.log")
    return Connection(
        seconds=settings.tasks_timeout,
        command=(sys.executable, "-m", "tasks_tools", "--log", log),
        # The address may hold a password, which arguments would show to everybody on this machine.
        environment={"TUTOR_DATABASE_URL": settings.database, **_same_code()},
    )


def _same_code() -> dict[str, str]:
    """What makes the process import the very modules that this one runs."""
    return {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
