"""One table a benchmark: the machine on top, what was measured, and what it was meant to reach."""

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any, Self

_PACKAGES = ("google-adk", "qdrant-edge-py", "wordllama", "sqlalchemy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure, with its goal where there is one, and whether it reached it."""

    measure: str
    value: str
    goal: str = ""
    reached: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one benchmark found."""

    name: str
    command: str
    rows: Sequence[Row]
    notes: Sequence[str] = field(default_factory=tuple)
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def benchmark(self) -> str:
        """What the command calls it."""
        return self.command.split()[-1]

    def as_markdown(self) -> str:
        lines = [
            f"## {self.name}",
            "",
            f"`{self.command}`",
            "",
            "| measure | value | goal | |",
            "|---|---|---|---|",
            *(f"| {row.measure} | {row.value} | {row.goal} | {_mark(row.reached)} |" for row in self.rows),
        ]
        if self.notes:
            lines += ["", *self.notes]
        return "\n".join(lines) + "\n"

    def as_json(self) -> dict[str, Any]:
        return {"machine": machine(), **asdict(self)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The report that another process printed."""
        fields = {key: value for key, value in values.items() if key not in {"machine", "rows"}}
        return cls(**fields, rows=[Row(**row) for row in values["rows"]])


def goal(
    measure: str,
    value: float,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    shown: str = "",
) -> Row:
    """A row with a goal: the value must be at least, or at most, so much."""
    text = shown or f"{value:.3f}"
    if at_least is not None:
        return Row(measure=measure, value=text, goal=f"≥ {at_least:g}", reached=value >= at_least)
    if at_most is not None:
        return Row(measure=measure, value=text, goal=f"≤ {at_most:g}", reached=value <= at_most)
    return Row(measure=measure, value=text)


def machine() -> str:
    """Where this was measured, without naming the machine."""
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {sys.version.split()[0]}; {packages}"


def _mark(reached: bool | None) -> str:
    return {None: "", True: "✓", False: "missed"}[reached]
