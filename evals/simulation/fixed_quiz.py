"""The same learner with a fixed course instead of the app: as much explanation and as many questions, in rotation."""

import random
from collections.abc import Mapping, Sequence
from itertools import cycle, islice

from evals.simulation.learners import TRUE_GUESS, Learner
from evals.simulation.records import Heard, Loop


def fixed_gain(loop: Loop, prerequisites: Mapping[str, Sequence[str]], *, rng: random.Random) -> int:
    """The concepts that the learner of a loop gains when nothing adapts to their answers.

    Round for round, as many concepts are explained and as many questions asked as the app did, of the same
    kinds, and wrong answers are corrected; but concepts take turns in teaching order, whatever was answered.
    """
    learner = Learner(loop.person.profile, rng=rng, known=loop.known_before, prerequisites=prerequisites)
    taught, asked = cycle(loop.concepts), cycle(loop.concepts)
    rounds = max(1, loop.cycles)
    for number in range(rounds):
        heard = loop.explained[number] if number < len(loop.explained) else Heard()
        for concept in islice(taught, len(heard.told)):
            learner.is_taught(concept)
        for concept in islice(taught, len(heard.retold)):
            learner.is_taught(concept, again=True)
        for answer in loop.answers[number::rounds]:
            concept = next(asked)
            if not learner.answers(concept, guess=TRUE_GUESS[answer.kind]):
                learner.is_corrected(concept)
    return len(learner.known & set(loop.concepts)) - len(loop.known_before & set(loop.concepts))
