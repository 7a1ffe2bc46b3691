"""How often a turn calls the model."""

from evals.metrics.scoring import Turn, metric

_MOST = "3"  # feedback, the next explanation and its quiz


def judge(turn: Turn) -> list[str]:
    most = int(turn.expects("MODEL_CALLS", otherwise=_MOST))
    calls = turn.heard.model_calls
    return [f"{calls} model calls, at most {most} are right"] if calls > most else []


calls_per_turn = metric(judge)
