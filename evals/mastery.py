"""Does the chance of the next answer come true? Real answers of a public log, and simulated learners over ten seeds."""

import json
from collections.abc import Sequence
from hashlib import sha256
from itertools import islice
from statistics import fmean

from agents.teaching.calibration import Quality, quality
from agents.teaching.mastery import UNFITTED, Parameters, fit, walk
from evals.data import bench_data
from evals.report import Report, Row, goal
from evals.simulation.mastery import by_the_model, run_topics
from evals.simulation.spread import spread

_LOG = "assist2009_train.jsonl"
_SEEDS = range(10)
_TOPICS = 400  # a seed and size
_SIZES = (1, 2, 3, 4)

Series = Sequence[bool]


async def run() -> Report:
    """Fit on the learners of one half, by a hash, and forecast every answer of the other half."""
    learnt, held_back = _halves()
    fitted = fit(learnt)
    return Report(
        name="Mastery: does the chance of the next answer come true?",
        command="python -m evals mastery",
        rows=[
            Row(
                measure="public log: series / answers, to fit and held back",
                value=f"{_size(learnt)} and {_size(held_back)}",
            ),
            *_log_rows(held_back, UNFITTED, "before any fit", has_goals=False),
            *_log_rows(held_back, fitted, "fitted on the other half", has_goals=True),
            *(row for size in _SIZES for row in _simulated_rows(size)),
        ],
        notes=_NOTES,
    )


def _halves() -> tuple[list[Series], list[Series]]:
    halves: tuple[list[Series], list[Series]] = ([], [])
    with (bench_data("answer_logs") / _LOG).open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            half = sha256(str(row["learner"]).encode()).digest()[0] % 2
            halves[half].append([bool(outcome) for outcome in row["outcomes"]])
    return halves


def _size(series: Sequence[Series]) -> str:
    return f"{len(series):,} / {sum(map(len, series)):,}"


def forecast_quality(series: Sequence[Series], parameters: Parameters, *, after: int = 0) -> Quality:
    """Every answer forecast from those before it, of which there are at least so many."""
    forecasts = [each for outcomes in series for each in islice(walk(outcomes), after, None)]
    return quality([seen.chance(parameters) for seen, _ in forecasts], [came for _, came in forecasts])


def _log_rows(series: Sequence[Series], parameters: Parameters, name: str, *, has_goals: bool) -> list[Row]:
    everything = forecast_quality(series, parameters)
    later = forecast_quality(series, parameters, after=1)
    auc, error = f"{name}: AUC", f"{name}: calibration error"
    from_the_second = Row(
        measure=f"{name}, from a concept's second answer on: AUC / calibration error",
        value=f"{later.auc:.3f} / {later.calibration_error:.3f}",
    )
    if not has_goals:
        plain = f"{everything.auc:.3f} / {everything.calibration_error:.3f}"
        return [Row(measure=f"{name}: AUC / calibration error", value=plain), from_the_second]
    return [
        goal(auc, everything.auc, at_least=0.70),
        goal(error, everything.calibration_error, at_most=0.03),
        from_the_second,
    ]


def _simulated_rows(concepts: int) -> list[Row]:
    runs = [run_topics(_TOPICS, concepts=concepts, seed=seed, judge=by_the_model()) for seed in _SEEDS]
    name = f"simulated, topics of {concepts}"
    early = [each.mastered_too_early for each in runs]
    return [
        goal(f"{name}: mastered too early", fmean(early), at_most=0.03, shown=spread(early)),
        Row(
            measure=f"{name}: topics mastered in five rounds",
            value=spread([each.topics_mastered / each.topics for each in runs]),
        ),
        Row(
            measure=f"{name}: questions a mastered concept",
            value=spread([each.questions_a_mastered_concept for each in runs]),
        ),
        Row(
            measure=f"{name}: calibration error",
            value=spread([each.calibration_error() for each in runs]),
        ),
    ]


_NOTES = (
    "The log: school students in an online mathematics tutor (ASSISTments 2009-2010), one series a learner and skill. "
    "Learners are split by a hash; every answer of the held-back half is forecast from those before it, the first one "
    "from nothing. The calibration error is the mean distance between said and come over tenths. Before any fit the "
    "model says too much of these learners: it assumes that who knows an idea slips once in eight answers and less.",
    "",
    f"Simulated: seeds {_SEEDS[0]} to {_SEEDS[-1]}, {_TOPICS} topics each, as in the learners' table, without the app; "
    "the mean, and from the lowest seed to the highest. Too early: a true chance below .75.",
)
