"""Where the task tools are: in a process of our own, or on a server that several apps share."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.settings import Settings

TASK_TOOLS = frozenset({"add_task", "list_tasks", "update_task", "complete_task", "delete_task"})
UNREACHABLE = "UNREACHABLE"  # our own code for a call that never came back


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A command to start, or an address to call; and how long to wait for either."""

    seconds: float
    url: str = ""
    token: str = field(default="", repr=False)
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        """What opens the shared server."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def task_connection(settings: Settings) -> Connection:
    """The shared server that the settings name, or else a process of our own."""
    if settings.tasks_url:
        token = settings.tasks_token.get_secret_value() if settings.tasks_token else ""
        return Connection(seconds=settings.tasks_timeout, url=settings.tasks_url, token=token)
    # What makes the process import the very modules that this one runs.
    same_code = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    return Connection(
        seconds=settings.tasks_timeout,
        command=(sys.executable, "-m", "tasks_tools", "--log", str(settings.data_dir / "tasks.log")),
        # The address may hold a password, which arguments would show to everybody on this machine.
        environment={"TUTOR_DATABASE_URL": settings.database, **same_code},
    )
