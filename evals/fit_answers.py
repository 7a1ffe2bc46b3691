"""Fit what chooses the paragraphs of an answer: python -m evals.fit_answers [--write].

The ranker is a conditional logistic: among the paragraphs that were found for a question, how likely is it that the chosen
one is right? A paragraph is right if it holds the label's phrases and lies in one of its chapters. The second model is a
plain logistic on whether a question is answerable at all. It sees the paragraphs as a ranker orders them that was fitted
without that question, since a ranker that has seen it looks surer than it will be.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from agents.coordinator.offline import WEIGHTS, CandidateParagraph, judged, measured
from agents.coordinator.question import ParsedQuestion, resolve, understand
from evals.answers import Label, course_terms, load_labels, passages_for, says
from evals.data import sample_library
from evals.ranking import Floats, fit_weights, rows_of

_FOLDS = 6
_RIDGE = 0.3
_BORDERS = tuple(np.arange(0.3, 0.71, 0.01))
_STRENGTH = 1.0  # of the second model's fit; smaller is smoother


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One labelled question with the paragraphs that were found for it."""

    label: Label
    asked: ParsedQuestion
    found: Sequence[CandidateParagraph]
    fold: int

    @property
    def right(self) -> NDArray[np.bool_]:
        return np.array([is_right(self.label, candidate) for candidate in self.found], dtype=bool)


def main(arguments: Sequence[str] = tuple(sys.argv[1:])) -> None:
    """Fit both models, print what cross-validation says, and write them with --write."""
    cases = asyncio.run(load_cases())
    models = fit(cases)
    if "--write" in arguments:
        about = {
            "about": "score = bias + sum of weight x measure; the measures are defined in paragraphs.py and grounding.py",
            "made_by": "python -m evals.fit_answers --write",
            "fitted_on": f"{len(cases)} questions of evals/labels/answers_tune.jsonl",
        }
        WEIGHTS.write_text(json.dumps({**about, **models}, indent=2) + "\n", encoding="utf-8")


async def load_cases() -> list[Case]:
    """Ask every question tuned on of the sample course."""
    labels = load_labels("tune")
    folds = np.random.default_rng(0).permutation(len(labels)) % _FOLDS
    cases = []
    with TemporaryDirectory() as folder:
        async with sample_library(Path(folder)) as library:
            terms = await course_terms(library)
            for label, fold in zip(labels, folds, strict=True):
                query = resolve(label.question, history=label.history, topic=label.topic, terms=terms)
                asked = understand(query, terms)
                found = measured(asked, await passages_for(library, query, terms=terms))
                cases.append(Case(label=label, asked=asked, found=found, fold=int(fold)))
    return [case for case in cases if case.found]


def is_right(label: Label, candidate: CandidateParagraph) -> bool:
    return candidate.source.chapter_id in label.chapters and says(label, candidate.paragraph.text)


def fit(cases: Sequence[Case]) -> dict[str, Any]:
    """Both models as plain values; what cross-validation says of them is printed."""
    ordered: list[Case] = []
    for fold in range(_FOLDS):
        ranking = fit_ranking([case for case in cases if case.fold != fold])
        ordered += [_ordered(case, ranking) for case in cases if case.fold == fold]
    _print_ranking(ordered)
    border = fit_border(ordered)
    return {"ranking": fit_ranking(cases), "answerable": fit_answerable(ordered), "border": border}


def fit_ranking(cases: Sequence[Case]) -> dict[str, float]:
    """The weights under which the right paragraphs are likeliest."""
    tables = [([each.measures for each in case.found], case.right) for case in cases]
    return {"bias": 0.0, **fit_weights(tables, ridge=_RIDGE)}


def fit_answerable(cases: Sequence[Case]) -> dict[str, float]:
    names, rows, truth = _answerable_table(cases)
    model = _logistic().fit(rows, truth)
    scaler, found = model[0], model[1]
    weights = found.coef_[0] / scaler.scale_
    bias = float(found.intercept_[0] - weights @ scaler.mean_)
    return {
        "bias": round(bias, 4),
        **{name: round(float(w), 4) for name, w in zip(names, weights, strict=True)},
    }


def _logistic() -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression(C=_STRENGTH, max_iter=1000))


def _answerable_table(cases: Sequence[Case]) -> tuple[list[str], Floats, NDArray[np.bool_]]:
    found = [judged(case.asked, case.found) for case in cases]
    names = list(found[0])
    rows = np.array([[numbers[name] for name in names] for numbers in found])
    return names, rows, np.array([case.label.answerable for case in cases])


def _ordered(case: Case, ranking: dict[str, float]) -> Case:
    scores = rows_of([each.measures for each in case.found], list(ranking)[1:]) @ np.array(
        list(ranking.values())[1:]
    )
    return replace(case, found=[case.found[place] for place in np.argsort(-scores, kind="stable")])


def _print_ranking(cases: Sequence[Case]) -> None:
    answerable = [case for case in cases if case.label.answerable]
    shares = [np.mean([case.right[:most].any() for case in answerable]) for most in (1, 2, 3, 5)]
    print(
        f"ranking, {len(answerable)} questions, cross-validated: a right paragraph among the first 1, 2, 3, 5:"
    )
    print("  " + "  ".join(f"{share:.3f}" for share in shares))


def fit_border(cases: Sequence[Case]) -> float:
    """From which chance on questions are answered: where most are judged rightly that the model has not seen."""
    _, rows, truth = _answerable_table(cases)
    folds = np.array([case.fold for case in cases])
    chances = np.zeros(len(cases))
    for fold in range(_FOLDS):
        model = _logistic().fit(rows[folds != fold], truth[folds != fold])
        chances[folds == fold] = model.predict_proba(rows[folds == fold])[:, 1]
    right = {border: float(np.mean((chances >= border) == truth)) for border in _BORDERS}
    # A border that is best by one question is best by chance.
    best = [border for border in _BORDERS if right[border] >= max(right.values()) - 2 / len(cases)]
    border = float(np.median(best))
    _print_answerable(cases, chances >= border, truth)
    return round(border, 2)


def _print_answerable(cases: Sequence[Case], said: NDArray[np.bool_], truth: NDArray[np.bool_]) -> None:
    print(
        f"answerable, {len(cases)} questions, cross-validated: right {np.mean(said == truth):.3f}, ", end=""
    )
    print(f"answered {np.mean(said[truth]):.3f}, said so {np.mean(~said[~truth]):.3f}")
    kinds = np.array([case.label.kind for case in cases])
    print(
        "  "
        + ", ".join(f"{kind} {np.mean((said == truth)[kinds == kind]):.2f}" for kind in sorted(set(kinds)))
    )


if __name__ == "__main__":
    main()
