"""What the diaries of all simulated learners add up to."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from agents.teaching.mastery import fewest_right_answers
from evals.simulation.fixed_quiz import fixed_gain
from evals.simulation.learners import TRUE_GUESS
from evals.simulation.mastery import SURE_CHANCE
from evals.simulation.records import Answer, Diagnosis, Diary, Loop, Morning, order_violations

_FIXED_RUNS = 20  # of each loop, to take the luck out of the comparison
_MOST_SERIES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Gains:
    """Concepts learnt a question, with the app and with a fixed quiz of the same length."""

    app: float
    fixed: float


def fewest_questions(concepts: int) -> int:
    """The shortest series of right answers, in turns over the concepts, that the mastery model lets pass."""
    fewest = fewest_right_answers(concepts, most=_MOST_SERIES)
    assert fewest is not None, "no series of right answers is enough"
    return fewest


def true_chances(loop: Loop) -> list[float]:
    """For each concept of a topic, the true chance of the next answer after its loop."""
    slips = loop.person.profile.slips
    return [
        1 - slips if concept in loop.known_after else TRUE_GUESS["multiple_choice"]
        for concept in loop.concepts
    ]


def too_early(loops: Iterable[Loop]) -> float:
    """The share of the concepts that were declared mastered and are not."""
    early, declared = early_of_declared(loops)
    return early / max(1, declared)


def early_of_declared(loops: Iterable[Loop]) -> tuple[int, int]:
    """How many concepts were declared mastered and are not, and how many were declared."""
    chances = [chance for loop in loops if loop.ending == "mastered" for chance in true_chances(loop)]
    return sum(chance < SURE_CHANCE for chance in chances), len(chances)


def questions_a_concept(loops: Iterable[Loop]) -> tuple[float, float]:
    """The questions that a mastered concept took, and the fewest that it could have taken."""
    mastered = [loop for loop in loops if loop.ending == "mastered"]
    concepts = max(1, sum(len(loop.concepts) for loop in mastered))
    asked = sum(len(loop.answers) for loop in mastered)
    fewest = sum(fewest_questions(len(loop.concepts)) for loop in mastered)
    return asked / concepts, fewest / concepts


def never_asked(loops: Iterable[Loop]) -> float:
    """The share of the concepts of mastered topics that no question of the loop was about."""
    return _share(
        concept not in {answer.concept for answer in loop.answers}
        for loop in loops
        if loop.ending == "mastered"
        for concept in loop.concepts
    )


def off_topic(loops: Iterable[Loop]) -> float:
    """The share of the questions that are about none of the topic's concepts."""
    return _share(answer.concept not in loop.concepts for loop in loops for answer in loop.answers)


def gap_recall(diagnoses: Iterable[Diagnosis]) -> float:
    return _share(concept in each.found for each in diagnoses for concept in each.lacking)


def gap_precision(diagnoses: Iterable[Diagnosis]) -> float:
    return _share(concept in each.lacking for each in diagnoses for concept in each.found)


def mean_probes(diagnoses: Sequence[Diagnosis]) -> float:
    return fmean(len(each.answers) for each in diagnoses) if diagnoses else 0.0


def gains(loops: Sequence[Loop], prerequisites: Mapping[str, tuple[str, ...]], *, seed: int) -> Gains:
    """Over all first teachings; the fixed quiz is run several times from the same starts."""
    questions = max(1, sum(len(loop.answers) for loop in loops))
    rng = random.Random(seed)
    fixed = sum(fixed_gain(loop, prerequisites, rng=rng) for loop in loops for _ in range(_FIXED_RUNS))
    return Gains(app=sum(loop.gained for loop in loops) / questions, fixed=fixed / _FIXED_RUNS / questions)


def with_content(loops: Iterable[Loop], *, cycle: int) -> float:
    """The share of the explanations of one cycle that tell something new about a concept."""
    return _share(bool(loop.explained[cycle - 1].told) for loop in loops if len(loop.explained) >= cycle)


def with_retelling(loops: Iterable[Loop], *, cycle: int) -> float:
    """The share of the explanations of one cycle that tell something new, or the core once more."""
    heard = (loop.explained[cycle - 1] for loop in loops if len(loop.explained) >= cycle)
    return _share(bool(each.told or each.retold) for each in heard)


def asked_as_told(loops: Iterable[Loop]) -> float:
    """The share of the questions about sentences that the explanations had said."""
    return _share(answer.was_told for loop in loops for answer in loop.answers)


def marked_wrong(answers: Iterable[Answer]) -> float:
    """The share of the answers that were meant right and marked wrong."""
    return _share(not answer.is_marked_right for answer in answers if answer.is_meant_right)


def marked_right(answers: Iterable[Answer]) -> float:
    """The share of the answers that were meant wrong and marked right."""
    return _share(answer.is_marked_right for answer in answers if not answer.is_meant_right)


def caught(mornings: Iterable[Morning]) -> float:
    """The share of the forgotten concepts that the greeting brings up for review."""
    return _share(concept in each.due for each in mornings for concept in each.forgotten)


def due_and_forgotten(mornings: Iterable[Morning]) -> float:
    return _share(concept in each.forgotten for each in mornings for concept in each.due)


def violations(diaries: Iterable[Diary], prerequisites: Mapping[str, tuple[str, ...]]) -> int:
    return sum(order_violations(path, prerequisites) for diary in diaries for path in diary.paths)


def _share(outcomes: Iterable[bool]) -> float:
    found = list(outcomes)
    return sum(found) / len(found) if found else 0.0
