"""From a verdict on each turn to the result that ADK wants."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from google.adk.evaluation.eval_case import ConversationScenario, Invocation
from google.adk.evaluation.eval_metrics import EvalMetric, EvalStatus
from google.adk.evaluation.evaluator import EvaluationResult, PerInvocationResult

from evals.metrics.heard import Heard, expectations, heard
from evals.metrics.stored import Conversation, StoredTurn, stored_conversation

logger = logging.getLogger(__name__)

Metric = Callable[
    [EvalMetric, list[Invocation], list[Invocation] | None, ConversationScenario | None],
    Awaitable[EvaluationResult],
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Everything there is to judge one turn by."""

    index: int
    heard: Heard
    expected: dict[str, list[str]]
    stored: StoredTurn
    conversation: Conversation
    before: tuple[Heard, ...]

    def expects(self, what: str, *, otherwise: str = "") -> str:
        return self.expected.get(what, [otherwise])[0]


# Problems in words; none: the turn is right. None: there is nothing here for this metric to judge.
Judge = Callable[[Turn], Sequence[str] | None]


def metric(judge: Judge) -> Metric:
    """An ADK metric from a judge of single turns: 1 for a turn that is right, 0 for one that is not."""

    async def evaluate(
        eval_metric: EvalMetric,
        actual_invocations: list[Invocation],
        expected_invocations: list[Invocation] | None = None,
        conversation_scenario: ConversationScenario | None = None,
    ) -> EvaluationResult:
        try:
            turns = await _turns(actual_invocations, expected_invocations)
            verdicts = [judge(turn) for turn in turns]
        except Exception:
            # ADK counts a metric that raises as not evaluated, and the case would pass.
            logger.exception("%s failed", eval_metric.metric_name)
            verdicts = [["the metric itself failed"] for _ in actual_invocations]
        for number, problems in enumerate(verdicts, 1):
            for problem in problems or ():
                logger.warning("%s, turn %d: %s", eval_metric.metric_name, number, problem)
        return _result(eval_metric, actual_invocations, expected_invocations, verdicts)

    return evaluate


async def _turns(actual: list[Invocation], expected: list[Invocation] | None) -> list[Turn]:
    spoken = [heard(invocation) for invocation in actual]
    key = tuple(invocation.invocation_id for invocation in actual)
    conversation = await stored_conversation(spoken, key=key)
    if conversation is None:
        raise LookupError("the tutor's database does not have this conversation: is TUTOR_DATA_DIR the same?")
    wanted = expected or actual
    return [
        Turn(
            index=index,
            heard=spoken[index],
            expected=expectations(wanted[index]),
            stored=conversation.turns[index],
            conversation=conversation,
            before=tuple(spoken[:index]),
        )
        for index in range(len(spoken))
    ]


def _result(
    eval_metric: EvalMetric,
    actual: list[Invocation],
    expected: list[Invocation] | None,
    verdicts: Sequence[Sequence[str] | None],
) -> EvaluationResult:
    threshold = eval_metric.criterion.threshold if eval_metric.criterion else 1.0
    scores = [None if problems is None else float(not problems) for problems in verdicts]
    results = [
        PerInvocationResult(
            actual_invocation=invocation,
            expected_invocation=expected[index] if expected else None,
            score=scores[index],
            eval_status=_status(scores[index], threshold),
        )
        for index, invocation in enumerate(actual)
    ]
    judged = [score for score in scores if score is not None]
    overall = fmean(judged) if judged else None
    return EvaluationResult(
        overall_score=overall,
        overall_eval_status=_status(overall, threshold),
        per_invocation_results=results,
    )


def _status(score: float | None, threshold: float) -> EvalStatus:
    if score is None:
        return EvalStatus.NOT_EVALUATED
    return EvalStatus.PASSED if score >= threshold else EvalStatus.FAILED
