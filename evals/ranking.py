"""The weights of a conditional logistic: among several candidates, how likely is it that a right one is chosen?"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Floats = NDArray[np.float64]
Table = tuple[
    Sequence[Mapping[str, float]], NDArray[np.bool_]
]  # the measures of each candidate, and which are right


def fit_weights(tables: Sequence[Table], *, ridge: float) -> dict[str, float]:
    """The weights under which the right candidates are likeliest, with a ridge on measures of one scale."""
    names = list(tables[0][0][0])
    spread = np.vstack([rows_of(found, names) for found, _ in tables]).std(axis=0) + 1e-9
    scaled = [(rows_of(found, names) / spread, right) for found, right in tables if right.any()]

    def loss(weights: Floats) -> tuple[float, Floats]:
        value, slope = ridge * float(weights @ weights), 2 * ridge * weights
        for rows, right in scaled:
            scores = rows @ weights
            chances = np.exp(scores - scores.max())
            all_of_them, the_right = chances / chances.sum(), chances * right / (chances * right).sum()
            value -= float(np.log((chances * right).sum() / chances.sum()))
            slope = slope - (the_right - all_of_them) @ rows
        return value, slope

    weights = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x / spread
    return {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}


def rows_of(found: Sequence[Mapping[str, float]], names: Sequence[str]) -> Floats:
    return np.array([[measures[name] for name in names] for measures in found])
