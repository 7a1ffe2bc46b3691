"""Whether the loop ends exactly when the evidence says so."""

from datetime import datetime

from agents.teaching.evidence import BEFORE_LESSONS, replay
from agents.teaching.mastery import course_mastery
from evals.metrics.scoring import Turn, metric
from storage.learners import LearningCycle

THRESHOLD = "0.85"
_LOOP_ENDS = {"mastered": True, "another cycle": False, "out of cycles": True}


def judge(turn: Turn) -> list[str] | None:
    """At the end of a cycle: the verdict follows from the ledger, and the loop does what the verdict says."""
    wanted = turn.expects("MASTERY")
    if "feedback" not in turn.heard.speakers:
        return [f"no cycle ended here, but the case expects: {wanted}"] if wanted else None
    problems = [problem for cycle in turn.stored.closed for problem in _cycle_problems(cycle, turn)]
    verdict = _verdict(turn)
    if wanted and verdict != wanted:
        problems.append(f"{verdict}, not {wanted}")
    taught_again = "tutor" in turn.heard.speakers
    if taught_again == _LOOP_ENDS[verdict]:
        problems.append(f"{verdict}, and the loop {'went on' if taught_again else 'ended'}")
    return problems


def _verdict(turn: Turn) -> str:
    if any(cycle.mastery_achieved for cycle in turn.stored.closed):
        return "mastered"
    return "another cycle" if turn.heard.speakers[-1] == "quiz" else "out of cycles"


def _cycle_problems(cycle: LearningCycle, turn: Turn) -> list[str]:
    """The number is compared with the threshold here once more, not by the code that is being judged."""
    threshold = float(turn.expects("THRESHOLD", otherwise=THRESHOLD))
    if cycle.completed_at is None:
        return []
    chance, answers = _chance(cycle.topic, turn, until=cycle.completed_at)
    if (chance >= threshold) == cycle.mastery_achieved:
        return []
    said = "mastered" if cycle.mastery_achieved else "not mastered"
    return [f"{cycle.topic} is {said} at {chance:.2f} after {answers} answers; the threshold is {threshold}"]


def _chance(topic: str, turn: Turn, *, until: datetime) -> tuple[float, int]:
    """The chance on the topic's weakest concept, and the answers on all."""
    rows = [row for row in turn.conversation.answers if row.answered_at <= until]
    quizzed = {row.concept_name for row in rows if row.topic == topic and row.cycle_number > BEFORE_LESSONS}
    evidence = replay(rows)
    asked = {name: answers for name, answers in evidence.items() if name in quizzed}
    if not asked:
        return 0.0, 0
    mastery = course_mastery(evidence, now=until)
    return min(mastery[name].score for name in asked), sum(map(len, asked.values()))


mastery_gate_right = metric(judge)
