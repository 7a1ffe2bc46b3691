"""Calibration: how good forecasts were, and the parameters that would have made them better."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from agents.teaching.belief import log_odds
from agents.teaching.mastery import WEIGHED, ForecastSignals, Parameters, next_answer_probability

Floats = NDArray[np.float64]

_BINS = 10
_SMOOTHING = 1e-3  # a weight that a few answers speak for stays small
_MOST_STEPS = 30
_CLOSE_ENOUGH = 1e-8


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """The forecasts of one tenth: how many, what was said on average, and what came."""

    low: float
    count: int
    said: float
    came: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """How good forecasts were."""

    answers: int
    auc: float  # how often a right answer had the higher forecast than a wrong one
    calibration_error: float  # how far what was said is from what came, on average over the tenths
    log_loss: float  # the lower the better, both of the above in one


def fitted(examples: Sequence[tuple[ForecastSignals, bool]]) -> Parameters:
    """A logistic over the signals whose weights are never below zero, so that no right answer can lower a chance."""
    if not examples:
        return Parameters()
    values = np.array([[getattr(signals, name) for name in WEIGHED] for signals, _ in examples])
    came = np.array([outcome for _, outcome in examples], dtype=float)
    used = [name for place, name in enumerate(WEIGHED) if np.ptp(values[:, place]) > 0]
    while True:
        bias, *weights = _newton(values[:, [WEIGHED.index(name) for name in used]], came)
        found = {name: float(weight) for name, weight in zip(used, weights, strict=True)}
        bent = [name for name in used if name != "unasked" and found[name] < 0]
        if not bent:
            return _between(Parameters(**{**dict.fromkeys(WEIGHED, 0.0), **found}, bias=float(bias)))
        used.remove(min(bent, key=found.__getitem__))


def _between(parameters: Parameters) -> Parameters:
    """Before the first answer no more is said than after a right one, and no less than after a wrong one."""
    later = replace(parameters, unasked=0.0)
    wrong, start, right = (
        log_odds(next_answer_probability(outcomes, parameters=later)) for outcomes in ([False], [], [True])
    )
    return replace(parameters, unasked=min(max(parameters.unasked, wrong - start), right - start))


def _newton(values: Floats, came: Floats) -> Floats:
    rows = np.column_stack([np.ones(len(values)), values])
    weights = np.zeros(rows.shape[1])
    ridge = np.diag([_SMOOTHING] * len(weights))
    for _ in range(_MOST_STEPS):
        said = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (said - came) / len(rows) + ridge @ weights
        curve = (rows * (said * (1 - said))[:, None]).T @ rows / len(rows) + ridge
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < _CLOSE_ENOUGH:
            break
    return weights


def quality(said: Sequence[float], came: Sequence[bool]) -> Quality:
    """What these forecasts were worth."""
    chances, outcomes = np.array(said, dtype=float), np.array(came, dtype=float)
    if not len(chances):
        return Quality(answers=0, auc=0.5, calibration_error=0.0, log_loss=0.0)
    loss = -np.mean(np.where(outcomes == 1, np.log(chances), np.log1p(-chances)))
    off = sum(each.count * abs(each.said - each.came) for each in bins(said, came))
    return Quality(
        answers=len(chances),
        auc=_auc(chances, outcomes),
        calibration_error=off / len(chances),
        log_loss=float(loss),
    )


def bins(said: Sequence[float], came: Sequence[bool]) -> list[Bin]:
    """The forecasts by tenths, without the empty ones."""
    chances, outcomes = np.array(said, dtype=float), np.array(came, dtype=float)
    places = np.minimum((chances * _BINS).astype(int), _BINS - 1)
    return [
        Bin(
            low=place / _BINS,
            count=int((places == place).sum()),
            said=float(chances[places == place].mean()),
            came=float(outcomes[places == place].mean()),
        )
        for place in range(_BINS)
        if (places == place).any()
    ]


def _auc(chances: Floats, outcomes: Floats) -> float:
    """By ranks, where equal forecasts share theirs."""
    right = outcomes.sum()
    wrong = len(outcomes) - right
    if not right or not wrong:
        return 0.5
    _, place, count = np.unique(chances, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[place]
    return float((ranks[outcomes == 1].sum() - right * (right + 1) / 2) / (right * wrong))
