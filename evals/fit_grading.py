"""Fit the grader's weights on the tuning questions: python -m evals.fit_grading [--write].

A logistic model whose weights keep their sign (meeting the reference never hurts, contradicting it never helps), with an
intercept of its own for each question while fitting: teachers are strict on one question and lenient on the next, and that
must not leak into the weights. A second step sets the scale, the intercept, and what several references change.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.teaching.grading import measures
from evals.short_answers import (
    CORPORA,
    Case,
    Floats,
    best_border,
    load_cases,
    macro_f1,
)

_WEIGHTS = Path(measures.__file__).with_name("weights.json")
_UP = (
    "met_by_meaning", "point_fit", "complete", "letters", "best_letters_met", "mean_point", "meaning_new",
    "meaning_new_mean", "meaning_clauses",
)  # fmt: skip
_DOWN = ("opposed", "both_sides", "names_missing", "negation_lost")
_FREE = ("echo", "length")
_RIDGE, _LASSO, _QUESTION_SPREAD = 5.0, 12.0, 1.5
_FOLDS = 6
_STEPS = 1500
_SURE = 0.90


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The measures of all answers, one row an answer."""

    names: tuple[str, ...]
    rows: Floats
    truth: NDArray[np.bool_]
    questions: NDArray[np.int_]
    corpora: NDArray[np.str_]
    references: Floats

    def take(self, chosen: NDArray[np.bool_]) -> "Table":
        return Table(
            names=self.names,
            rows=self.rows[chosen],
            truth=self.truth[chosen],
            questions=np.unique(self.questions[chosen], return_inverse=True)[1],
            corpora=self.corpora[chosen],
            references=self.references[chosen],
        )


def main(arguments: Sequence[str] = tuple(sys.argv[1:])) -> None:
    """Fit the model, print what cross-validation says, and write it with --write."""
    cases = load_cases("tune")
    model = fit(table_of(cases), title="tuning questions")
    about = {
        "about": "p(right) = logistic(bias + sum of weight x measure); measures are defined in measures.py",
        "made_by": "python -m evals.fit_grading --write",
        "fitted_on": f"{len(cases)} answers to {len({case.question for case in cases})} questions (the tuning part of evals/short_answers.py)",
        "data": "SemEval-2013 Task 7 (Beetle, SciEntsBank), CC BY-SA 3.0",
    }
    if "--write" in arguments:
        _WEIGHTS.write_text(json.dumps({**about, "model": model}, indent=2) + "\n", encoding="utf-8")


def table_of(cases: Sequence[Case]) -> Table:
    """Measure every answer."""
    names = (*_UP, *_DOWN, *_FREE)
    found = [measures.measure(c.answer, question=c.question, references=c.references).numbers for c in cases]
    return Table(
        names=names,
        rows=np.array([[numbers[name] for name in names] for numbers in found]),
        truth=np.array([case.is_correct for case in cases]),
        questions=np.unique([case.question for case in cases], return_inverse=True)[1],
        corpora=np.array([case.corpus for case in cases]),
        references=np.array([numbers["references"] for numbers in found]),
    )


def fit(table: Table, *, title: str = "") -> dict[str, Any]:
    """The model as plain values; with a title, what cross-validation says of it is printed."""
    unseen = _out_of_fold(table)
    scale, per_reference, shift = _calibrate(table, unseen)
    p = _logistic(scale * unseen + per_reference * table.references + shift)
    border = best_border(p, table.truth, table.corpora)
    right, wrong = _sure_above(p, table.truth, border), 1 - _sure_above(1 - p, ~table.truth, 1 - border)
    if title:
        _print(title, table, p, border, right, wrong)
    weights, bias = _weights(table)
    found = {
        name: round(scale * weight, 4)
        for name, weight in zip(table.names, weights, strict=True)
        if abs(weight) > 1e-4
    }
    return {
        "bias": round(scale * bias + shift, 4),
        "weights": {**found, "references": round(per_reference, 4)},
        "border": round(border, 3),
        "surely_right": round(right, 3),
        "surely_wrong": round(wrong, 3),
    }


def _weights(table: Table) -> tuple[Floats, float]:
    """Signed, sparse logistic regression with an intercept for each question; returned on the measures' own scale."""
    mean, spread = table.rows.mean(axis=0), table.rows.std(axis=0) + 1e-9
    rows, truth, size = (table.rows - mean) / spread, table.truth.astype(float), len(table.names)
    own = int(table.questions.max()) + 1
    columns = np.column_stack([rows, np.ones(len(truth))])
    ridge = np.concatenate([np.full(size, _RIDGE), [0.0], np.full(own, 1 / _QUESTION_SPREAD**2)])
    lasso = np.concatenate([np.full(size, _LASSO), np.zeros(1 + own)])
    sign = np.array([-1.0 if name in _DOWN else 0.0 if name in _FREE else 1.0 for name in table.names])
    sign = np.concatenate([sign, np.zeros(1 + own)])
    w = _minimise(columns, truth, ridge=ridge, lasso=lasso, sign=sign, own=table.questions)
    on_scale: Floats = w[:size] / spread
    return on_scale, float(w[size] - on_scale @ mean)


def _minimise(
    columns: Floats,
    truth: Floats,
    *,
    ridge: Floats,
    lasso: Floats,
    sign: Floats,
    share: Floats | None = None,
    own: NDArray[np.int_] | None = None,
) -> Floats:
    """Accelerated proximal gradient; a weight with a sign stays on its side of zero.

    `own` numbers a further column for each answer, 1 for that answer and the others of its question.
    """
    each = np.ones(len(truth)) if share is None else share
    width, size = columns.shape[1], len(ridge)
    step = 1 / (0.25 * _steepest(columns, each, own) + ridge.max())
    w = ahead = np.zeros(size)
    momentum = 1.0
    for _ in range(_STEPS):
        scores = columns @ ahead[:width] + (0.0 if own is None else ahead[width:][own])
        error = each * (_logistic(scores) - truth)
        slope = np.zeros(size)
        slope[:width] = columns.T @ error
        if own is not None:
            slope[width:] = np.bincount(own, error, minlength=size - width)
        moved = ahead - step * (slope + ridge * ahead)
        moved = np.sign(moved) * np.maximum(np.abs(moved) - step * lasso, 0)
        moved = np.where(moved * sign < 0, 0.0, moved)
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = moved + (momentum - 1) / following * (moved - w)
        w, momentum = moved, following
    return w


def _steepest(columns: Floats, each: Floats, own: NDArray[np.int_] | None) -> float:
    """The largest eigenvalue of all columns' products."""
    if own is not None:
        columns = np.column_stack([columns, np.eye(int(own.max()) + 1)[own]])
    return float(np.linalg.eigvalsh((columns.T * each) @ columns)[-1])


def _out_of_fold(table: Table) -> Floats:
    """Each answer's score from weights fitted on other questions."""
    order = np.random.default_rng(0).permutation(int(table.questions.max()) + 1)
    fold = order[table.questions] % _FOLDS
    scores = np.zeros(len(fold))
    for number in range(_FOLDS):
        weights, bias = _weights(table.take(fold != number))
        scores[fold == number] = table.rows[fold == number] @ weights + bias
    return scores


def _calibrate(table: Table, scores: Floats) -> tuple[float, float, float]:
    """Scale, effect of log(number of references) and shift; every question counts by the root of its answers."""
    share = 1 / np.sqrt(np.bincount(table.questions)[table.questions])
    columns = np.column_stack([scores, table.references, np.ones(len(scores))])
    none = np.zeros(3)
    w = _minimise(
        columns,
        table.truth.astype(float),
        ridge=np.array([0.0, 1.0, 0.0]),
        lasso=none,
        sign=none,
        share=share,
    )
    return float(w[0]), float(w[1]), float(w[2])


def _sure_above(p: Floats, truth: NDArray[np.bool_], start: float) -> float:
    """The lowest probability from which on enough answers are right."""
    for at in np.arange(start, 0.99, 0.005):
        if (chosen := p >= at).sum() < 30 or truth[chosen].mean() >= _SURE:
            return float(at)
    return 0.99


def _print(title: str, table: Table, p: Floats, border: float, right: float, wrong: float) -> None:
    print(
        f"{title}: cross-validated by question on the tuning part, border {border:.2f}, sure from {right:.3f} and to {wrong:.3f}"
    )
    for corpus in CORPORA:
        here = table.corpora == corpus
        truth, said, sure = table.truth[here], p[here] >= border, (p[here] >= right) | (p[here] <= wrong)
        print(
            f"  {corpus}: n {here.sum()}, macro-F1 {macro_f1(truth, said):.3f}, accuracy {(truth == said).mean():.3f}, "
            f"confident {sure.mean():.2f}, there macro-F1 {macro_f1(truth[sure], said[sure]):.3f} "
            f"and accuracy {(truth[sure] == said[sure]).mean():.3f}"
        )


def _logistic(z: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
    return result


if __name__ == "__main__":
    main()
