"""What operators watch: turns, how long they take, failures, model calls and the queue, in Prometheus' text form.

A worker writes to a row of its own, and whoever is asked adds up the rows of all: one answer for one server, however
many processes it has, and a worker that was killed and started again goes on counting where it was.
"""

from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager

from agents.turn import TurnDraft

_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds
_STATUSES = ("success", "clarification_needed", "confirmation_required", "error")
_SLOTS = (
    *(f"status {each}" for each in _STATUSES),
    *(f"within {each}" for each in _BUCKETS),
    "seconds",
    "model calls",
    "model failures",
    "tokens",
    "under way",
)
WIDTH = len(_SLOTS)
_PLACES = {name: place for place, name in enumerate(_SLOTS)}


class Meter:
    """One worker's row among those of all."""

    def __init__(self, rows: MutableSequence[float] | None = None, *, row: int = 0) -> None:
        self._rows: MutableSequence[float] = [0.0] * WIDTH if rows is None else rows
        self._first = row * WIDTH
        # Of a worker that was killed, nothing is under way any more.
        self._rows[self._first + _PLACES["under way"]] = 0.0

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """A turn that runs, or waits for the one before it."""
        self._add("under way", 1)
        try:
            yield
        finally:
            self._add("under way", -1)

    def turn(self, turn: TurnDraft, *, seconds: float) -> None:
        """One that is over."""
        self._add(f"status {turn.outcome.status}", 1)
        self._add("seconds", seconds)
        for most in _BUCKETS:
            if seconds <= most:
                self._add(f"within {most}", 1)
        self._add("model calls", turn.model.requests)
        self._add("model failures", 1 if turn.model.failure else 0)
        self._add("tokens", turn.tokens_used)

    def text(self) -> str:
        """All workers' numbers, as Prometheus reads them."""
        turns = sum(self._sum(f"status {each}") for each in _STATUSES)
        lines = [
            "# TYPE tutor_turns_total counter",
            *(
                f'tutor_turns_total{{status="{each}"}} {self._sum(f"status {each}"):.0f}'
                for each in _STATUSES
            ),
            "# TYPE tutor_turn_seconds histogram",
            *(
                f'tutor_turn_seconds_bucket{{le="{each}"}} {self._sum(f"within {each}"):.0f}'
                for each in _BUCKETS
            ),
            f'tutor_turn_seconds_bucket{{le="+Inf"}} {turns:.0f}',
            f"tutor_turn_seconds_sum {self._sum('seconds'):.3f}",
            f"tutor_turn_seconds_count {turns:.0f}",
            "# TYPE tutor_model_calls_total counter",
            f"tutor_model_calls_total {self._sum('model calls'):.0f}",
            "# TYPE tutor_model_failures_total counter",
            f"tutor_model_failures_total {self._sum('model failures'):.0f}",
            "# TYPE tutor_tokens_total counter",
            f"tutor_tokens_total {self._sum('tokens'):.0f}",
            "# TYPE tutor_turns_under_way gauge",
            f"tutor_turns_under_way {self._sum('under way'):.0f}",
        ]
        return "\n".join(lines) + "\n"

    def _add(self, name: str, amount: float) -> None:
        self._rows[self._first + _PLACES[name]] += amount

    def _sum(self, name: str) -> float:
        return sum(self._rows[place] for place in range(_PLACES[name], len(self._rows), WIDTH))
