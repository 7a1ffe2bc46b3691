"""What else a case expects of a turn: words, status, and how an answer is graded."""

from evals.metrics.scoring import Turn, metric


def judge(turn: Turn) -> list[str] | None:
    if not turn.expected.keys() & {"SAYS", "NEVER_SAYS", "STATUS", "GRADED"}:
        return None
    text = turn.heard.text.lower()
    missing = [
        f"does not say: {words}" for words in turn.expected.get("SAYS", []) if words.lower() not in text
    ]
    unwanted = [f"says: {words}" for words in turn.expected.get("NEVER_SAYS", []) if words.lower() in text]
    return [*missing, *unwanted, *_status_problems(turn), *_grade_problems(turn)]


def _status_problems(turn: Turn) -> list[str]:
    status, wanted = turn.stored.response.status, turn.expects("STATUS")
    return [f"the status is {status}, not {wanted}"] if wanted and status != wanted else []


def _grade_problems(turn: Turn) -> list[str]:
    wanted = turn.expects("GRADED")
    answers = [answer for answer in turn.stored.answers if answer.action == "answer"]
    graded = ", ".join("right" if answer.is_correct else "wrong" for answer in answers) or "not graded"
    return [f"the answer was {graded}, not {wanted}"] if wanted and graded != wanted else []


expectations_met = metric(judge)
