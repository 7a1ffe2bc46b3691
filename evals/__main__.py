"""python -m evals NAME: run one benchmark, or 'all', and print its table."""

import asyncio
import importlib
import json
import sys
from pathlib import Path

import click

from evals.report import Report, machine
from storage.errors import TutorError

BENCHMARKS = (
    "retrieval",
    "ingest",
    "index",
    "concepts",
    "routing",
    "answers",
    "tasks",
    "items",
    "grading",
    "turn",
    "load",
)
_RESULTS = Path(__file__).parent / "RESULTS.md"
_HEAD = "# Results\n\nMade by `make bench`; each table names the command that made it.\n\nMeasured on: "


@click.command()
@click.argument("name", type=click.Choice([*BENCHMARKS, "all"]))
@click.option("--json", "as_json", is_flag=True, help="Print JSON for tools.")
@click.option("--write", is_flag=True, help="Rewrite evals/RESULTS.md (with 'all').")
def main(name: str, as_json: bool, write: bool) -> None:
    """Run a benchmark and print one table."""
    names = BENCHMARKS if name == "all" else (name,)
    try:
        reports = [_run(each) for each in names]
    except TutorError as err:
        raise click.ClickException(str(err)) from None
    if as_json:
        print(json.dumps([report.as_json() for report in reports], indent=2))
        return
    text = "\n".join(report.as_markdown() for report in reports)
    print(f"{machine()}\n\n{text}")
    if write:
        _RESULTS.write_text(f"{_HEAD}{machine()}\n\n{text}", encoding="utf-8")


def _run(name: str) -> Report:
    report: Report = asyncio.run(importlib.import_module(f"evals.{name}").run())
    return report


if __name__ == "__main__":
    sys.exit(main())
