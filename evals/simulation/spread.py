"""A figure over several seeds: the value over all of them, and from the lowest seed to the highest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Generic, TypeVar

from evals.report import Row, goal

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)  # slots and Generic do not go together
class Measure(Generic[T]):
    """Something that each seed's run has a value of."""

    name: str
    of: Callable[[Sequence[T]], float]
    at_least: float | None = None
    at_most: float | None = None
    digits: int = 3

    def row(self, runs: Mapping[int, Sequence[T]]) -> Row:
        """All runs taken together, and the spread of the single ones."""
        whole = self.of([each for run in runs.values() for each in run])
        return goal(
            self.name,
            whole,
            at_least=self.at_least,
            at_most=self.at_most,
            shown=spread([self.of(run) for run in runs.values()], middle=whole, digits=self.digits),
        )


def spread(values: Sequence[float], *, middle: float | None = None, digits: int = 3) -> str:
    """'0.021 (0.000 to 0.043)'; the mean, where no other value is the middle."""
    shown = fmean(values) if middle is None else middle
    if len(values) < 2:
        return f"{shown:.{digits}f}"
    return f"{shown:.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"
