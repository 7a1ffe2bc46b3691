"""`tutor ...` in a process of its own, forked from one that has imported everything: a command starts in no time."""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import click


@dataclass(frozen=True)
class Done:
    """A finished command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        import json

        return json.loads(self.out)


def tutor(arguments: Sequence[str], *, environment: Mapping[str, str], folder: Path) -> Done:
    """Run a command in a folder, with these variables and no others."""
    with tempfile.TemporaryDirectory() as kept:
        out, err = Path(kept) / "out", Path(kept) / "err"
        process = _server().Process(
            target=_command, args=(list(arguments), dict(environment), folder, out, err)
        )
        process.start()
        process.join()
        return Done(process.exitcode or 0, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8"))


@cache
def _server() -> ForkServerContext:
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["tests.support.warm"])
    return server


def _command(arguments: list[str], environment: dict[str, str], folder: Path, out: Path, err: Path) -> None:
    """In the fork: as a shell would start it."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for stream, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), stream)
    sys.stdout, sys.stderr = open(1, "w", encoding="utf-8"), open(2, "w", encoding="utf-8")  # noqa: SIM115
    sys.argv = ["tutor", *arguments]
    from agents.cli import main

    try:
        main()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def parsed(command: click.Command, arguments: list[str]) -> None:
    """Read by the program's own parser, which raises where it takes them otherwise; nothing is run."""
    context = command.make_context(command.name or "", list(arguments))
    if isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        found = command.resolve_command(context, rest)
        assert found[1] is not None
        parsed(found[1], found[2])
