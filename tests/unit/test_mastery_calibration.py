"""Mastery against simulated learners whose true state is known."""

import random
from statistics import fmean

import pytest

from evals.simulation.learners import AVERAGE, STRONG, Learner
from evals.simulation.mastery import MasteryFigures, plain_share, run_topics

TOPICS = 300


@pytest.mark.parametrize("concepts", [1, 2, 4])
def test_masters_are_what_they_are_said_to_be(concepts: int) -> None:
    figures = run_topics(TOPICS, concepts=concepts, seed=8)

    assert figures.topics_mastered > TOPICS / 2
    assert fmean(figures.master_true) == pytest.approx(fmean(figures.master_said), abs=0.03)
    assert figures.mastered_too_early <= 0.05


def test_it_is_better_calibrated_than_the_share_of_right_answers() -> None:
    ours = run_topics(TOPICS, concepts=2, seed=8)
    plain = run_topics(TOPICS, concepts=2, seed=8, judge=plain_share)

    assert ours.calibration_error() < 0.5 * plain.calibration_error()


def test_the_calibration_error_is_the_mean_distance_between_said_and_true() -> None:
    figures = MasteryFigures(said=[0.9, 0.9, 0.2], true=[1.0, 0.6, 0.2])

    assert figures.calibration_error() == pytest.approx(0.2 / 3)


def test_a_simulated_learner_slips_guesses_learns_and_forgets_at_the_stated_rates() -> None:
    rng = random.Random(1)
    knows, lacks = Learner(AVERAGE, rng=rng, known=["node"]), Learner(AVERAGE, rng=rng)

    assert knows.chance("node", guess=0.25) == 0.9
    assert lacks.chance("node", guess=0.25) == 0.25
    assert sum(knows.answers("node", guess=0.25) for _ in range(1000)) == pytest.approx(900, abs=30)

    classroom = [Learner(STRONG, rng=rng) for _ in range(1000)]
    for learner in classroom:
        learner.is_taught("node")
    assert sum("node" in learner.known for learner in classroom) == pytest.approx(750, abs=45)
    for learner in classroom:
        learner.sleeps(days=69)  # half of them, at one percent a day
    assert sum("node" in learner.known for learner in classroom) == pytest.approx(375, abs=45)


def test_an_explanation_helps_little_without_its_foundations() -> None:
    rng = random.Random(2)
    classroom = [Learner(STRONG, rng=rng, prerequisites={"pose": ["frame"]}) for _ in range(1000)]
    for learner in classroom:
        learner.is_taught("pose")

    assert sum("pose" in learner.known for learner in classroom) == pytest.approx(150, abs=40)
