"""python -m evals NAME: run one benchmark, or 'all', and print its table; 'gate' checks the floors."""

import asyncio
import importlib
import json
import subprocess
import sys
from pathlib import Path

import click

from evals.report import Report, machine
from evals.results import rewritten
from storage.errors import TutorError

BENCHMARKS = (
    "retrieval",
    "ingest",
    "index",
    "structure",
    "courses",
    "exercises",
    "lessons",
    "bank",
    "chat",
    "concepts",
    "plans",
    "practice",
    "routing",
    "answers",
    "own_words",
    "tasks",
    "items",
    "questions",
    "grading",
    "numeric",
    "mastery",
    "models",
    "learners",
    "turn",
    "walk",
    "growth",
    "load",
    "servers",
    "web",
    "seeds",
    "house",
)
_RESULTS = Path(__file__).parent / "RESULTS.md"


@click.command()
@click.argument("name", type=click.Choice([*BENCHMARKS, "all", "gate"]))
@click.option("--json", "as_json", is_flag=True, help="Print JSON for tools.")
@click.option(
    "--write", is_flag=True, help="Put the table into evals/RESULTS.md, in the place of the old one."
)
def main(name: str, as_json: bool, write: bool) -> None:
    """Run a benchmark and print one table."""
    if name == "gate":
        from evals.gate import check

        sys.exit(0 if check(as_json=as_json) else 1)
    reports = _all() if name == "all" else [_run(name)]
    if as_json:
        print(json.dumps([report.as_json() for report in reports], indent=2))
    else:
        print("\n".join([f"{machine()}\n", *(report.as_markdown() for report in reports)]))
    if write:
        before = _RESULTS.read_text(encoding="utf-8") if _RESULTS.exists() else ""
        text = rewritten(before, reports, machine=machine(), order=BENCHMARKS)
        _RESULTS.write_text(text, encoding="utf-8")
    if name == "all" and len(reports) < len(BENCHMARKS):
        sys.exit(1)


def _run(name: str) -> Report:
    try:
        report: Report = asyncio.run(importlib.import_module(f"evals.{name}").run())
    except TutorError as err:
        raise click.ClickException(str(err)) from None
    return report


def _all() -> list[Report]:
    """Each in a process of its own, so that none is measured in what another has left behind."""
    reports = []
    for name in BENCHMARKS:
        click.echo(f"{name} …", err=True)
        command = [sys.executable, "-m", "evals", name, "--json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            # It has said why; its old table stays.
            click.echo(f"{name} is left out.", err=True)
        else:
            reports += [Report.from_json(values) for values in json.loads(done.stdout)]
    return reports


if __name__ == "__main__":
    main()
