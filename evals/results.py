"""evals/RESULTS.md: one section a benchmark; what is measured anew takes the place of its old section."""

import re
from collections.abc import Sequence

from evals.report import Report

_HEAD = "# Results\n\nMade by `make bench`; each table names the command that made it.\n\nMeasured on: "
_SECTION = re.compile(r"^## ", re.MULTILINE)
_COMMAND = re.compile(r"^`python -m evals (\w+)`$\n", re.MULTILINE)
_MACHINE = re.compile(r"^Measured on: (.*)$", re.MULTILINE)


def rewritten(text: str, reports: Sequence[Report], *, machine: str, order: Sequence[str]) -> str:
    """The whole file with these reports in it; the other sections stay, each with the machine it was measured on."""
    before = _MACHINE.search(text)
    known = before.group(1) if before else machine
    new = {report.benchmark: report.as_markdown() for report in reports}
    # One table alone does not speak for the file: it says itself where it was measured.
    top = machine if len(new) > 1 else known
    sections = {name: _measured_on(known, part, top=top) for name, part in sections_of(text).items()}
    sections |= {name: _measured_on(machine, part, top=top) for name, part in new.items()}
    measured = [sections[name] for name in order if name in sections]
    return f"{_HEAD}{top}\n\n" + "\n".join([*measured, *_written_by_hand(text)])


def sections_of(text: str) -> dict[str, str]:
    """Every benchmark's section, by its name."""
    return {command.group(1): part for part in _parts(text) if (command := _COMMAND.search(part))}


def _written_by_hand(text: str) -> list[str]:
    """What no benchmark made is not a benchmark's to remove."""
    return [part for part in _parts(text) if not _COMMAND.search(part)]


def _parts(text: str) -> list[str]:
    return [f"## {part.rstrip()}\n" for part in _SECTION.split(text)[1:]]


def _measured_on(machine: str, section: str, *, top: str) -> str:
    if machine == top or _MACHINE.search(section):
        return section
    return _COMMAND.sub(lambda line: f"{line.group()}\nMeasured on: {machine}\n", section, count=1)
