"""Eval sets without ADK's eval extra: the same files, the same metrics, the real Runner.

    python -m evals.runner                       all offline sets
    python -m evals.runner evals/tasks.evalset.json:add-and-list

Beside `adk eval` because that cannot look at the session's state, cannot let a learner come back in a second
session, and needs 660 MB of packages.
"""

import asyncio
import importlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.adk.evaluation.eval_case import EvalCase, Invocation
from google.adk.evaluation.eval_config import EvalConfig, get_eval_metrics_from_config
from google.adk.evaluation.eval_metrics import EvalMetric, EvalStatus
from google.adk.evaluation.eval_set import EvalSet
from google.adk.evaluation.evaluator import EvaluationResult
from google.adk.evaluation.trajectory_evaluator import TrajectoryEvaluator

from agents.services import Services
from agents.settings import load_settings
from evals.metrics.heard import text_of
from evals.metrics.scoring import Metric
from evals.stage import Stage

HERE = Path(__file__).parent
CONFIG = HERE / "test_config.json"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """How one case went: the score of every metric that had something to judge, and those that failed."""

    eval_set: str
    eval_id: str
    scores: dict[str, float]
    failed: tuple[str, ...]


def offline_sets() -> list[Path]:
    """The sets that the embedded model is judged by; those in sessions/ only this runner can play."""
    return [*sorted(HERE.glob("*.evalset.json")), *sorted((HERE / "sessions").glob("*.evalset.json"))]


def load_set(file: Path) -> EvalSet:
    return EvalSet.model_validate_json(file.read_text(encoding="utf-8"))


async def run_cases(stage: Stage, eval_set: EvalSet, *, only: Sequence[str] = ()) -> list[CaseResult]:
    """Play and judge the cases of a set, one after the other."""
    metrics = list(configured_metrics())
    chosen = [case for case in eval_set.eval_cases if not only or case.eval_id in only]
    return [await run_case(stage, case, eval_set=eval_set.eval_set_id, metrics=metrics) for case in chosen]


async def run_case(
    stage: Stage, case: EvalCase, *, eval_set: str, metrics: Sequence[EvalMetric]
) -> CaseResult:
    actual, state = await stage.play(case)
    expected = case.conversation or []
    results = {metric.metric_name: await _evaluate(metric, actual, expected) for metric in metrics}
    failed = [name for name, result in results.items() if result.overall_eval_status == EvalStatus.FAILED]
    wrong = [f"final_session_state: {name}" for name in _wrong_state(case, state)]
    scores = {name: result.overall_score for name, result in results.items()}
    return CaseResult(
        eval_set=eval_set,
        eval_id=case.eval_id,
        scores={name: score for name, score in scores.items() if score is not None},
        failed=(*failed, *wrong),
    )


def configured_metrics() -> Iterator[EvalMetric]:
    """The metrics of test_config.json; ADK's remarks on effort never pass or fail."""
    config = EvalConfig.model_validate_json(CONFIG.read_text(encoding="utf-8"))
    return (
        metric for metric in get_eval_metrics_from_config(config) if metric.metric_name in config.criteria
    )


async def _evaluate(
    metric: EvalMetric, actual: list[Invocation], expected: list[Invocation]
) -> EvaluationResult:
    if metric.custom_function_path:
        return await _function(metric.custom_function_path)(metric, actual, expected, None)
    if metric.metric_name == "tool_trajectory_avg_score":
        return TrajectoryEvaluator(eval_metric=metric).evaluate_invocations(actual, expected)
    return _response_match(metric, actual, expected)


def _function(path: str) -> Metric:
    module, _, name = path.rpartition(".")
    function: Metric = getattr(importlib.import_module(module), name)
    return function


def _response_match(
    metric: EvalMetric, actual: list[Invocation], expected: list[Invocation]
) -> EvaluationResult:
    """ADK's ROUGE-1 but for its stemming, which needs the extra."""
    pairs = zip(actual, expected, strict=True)
    scores = [word_overlap(text_of(a.final_response), text_of(e.final_response)) for a, e in pairs]
    score = sum(scores) / len(scores)
    passed = metric.criterion is not None and score >= metric.criterion.threshold
    return EvaluationResult(
        overall_score=score, overall_eval_status=EvalStatus.PASSED if passed else EvalStatus.FAILED
    )


def word_overlap(text: str, reference: str) -> float:
    """The F-measure of the words that two texts share."""
    said, wanted = (Counter(_WORD.findall(each.lower())) for each in (text, reference))
    shared = (said & wanted).total()
    return 2 * shared / (said.total() + wanted.total()) if shared else float(said == wanted)


def _wrong_state(case: EvalCase, state: dict[str, Any]) -> list[str]:
    """The keys of the session's state that are not what the case says."""
    return [key for key, wanted in (case.final_session_state or {}).items() if state.get(key) != wanted]


def main(arguments: Sequence[str]) -> int:
    results = asyncio.run(
        _run([_chosen(argument) for argument in arguments] or [(f, []) for f in offline_sets()])
    )
    for result in results:
        if result.failed:
            print(f"FAILED {result.eval_set}: {result.eval_id}: {', '.join(result.failed)}")
    failed = sum(bool(result.failed) for result in results)
    print(json.dumps({"cases": len(results), "failed": failed}))
    return 1 if failed or not results else 0


async def _run(chosen: Sequence[tuple[Path, list[str]]]) -> list[CaseResult]:
    stage = Stage(Services(load_settings()))
    try:
        return [
            result for file, only in chosen for result in await run_cases(stage, load_set(file), only=only)
        ]
    finally:
        await stage.close()


def _chosen(argument: str) -> tuple[Path, list[str]]:
    file, _, only = argument.partition(":")
    return Path(file), [each for each in only.split(",") if each]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
