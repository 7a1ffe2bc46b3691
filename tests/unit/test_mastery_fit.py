"""Mastery calibrates itself: parameters fitted to series of answers forecast new ones better."""

import random
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agents.settings import load_settings
from agents.teaching.calibration import bins, quality
from agents.teaching.evidence import Evidence
from agents.teaching.mastery import (
    UNFITTED,
    Parameters,
    fit,
    is_mastered,
    next_answer_probability,
    right_answers_to_go,
    walk,
)
from agents.teaching.thresholds import HIGHEST
from evals.mastery import _halves, forecast_quality

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
outcomes = st.lists(st.booleans(), max_size=25)


def careless(count: int, *, seed: int) -> list[list[bool]]:
    """Learners who know it or not from the start, and slip in every fourth answer: far more than we assume."""
    rng = random.Random(seed)
    chances = [rng.choice((0.75, 0.3)) for _ in range(count)]
    return [[rng.random() < chance for _ in range(rng.randrange(3, 15))] for chance in chances]


@cache
def fitted() -> Parameters:
    return fit(careless(300, seed=1))


def test_a_fit_forecasts_learners_it_has_not_seen_better() -> None:
    others = careless(300, seed=2)
    before, after = forecast_quality(others, UNFITTED), forecast_quality(others, fitted())

    assert after.log_loss < before.log_loss
    assert after.calibration_error < before.calibration_error / 2


def test_without_parameters_the_belief_stands_as_it_is() -> None:
    for past in ([], [True], [True, False, True]):
        assert next_answer_probability(past) == next_answer_probability(past, parameters=Parameters())


def test_nothing_to_fit_on_changes_nothing() -> None:
    assert fit([]) == fit([[]]) == Parameters()


@pytest.mark.parametrize("series", [[[True]], [[True] * 9], [[False, False]], [[True], [False]]])
def test_a_fit_on_next_to_nothing_still_forecasts(series: list[list[bool]]) -> None:
    parameters = fit(series)

    assert 0 < next_answer_probability([True, False], parameters=parameters) < 1
    assert not is_mastered([True], parameters=parameters)


@given(outcomes)
def test_fitted_too_one_more_right_answer_never_lowers_it_and_a_wrong_one_never_raises_it(
    past: list[bool],
) -> None:
    now, right, wrong = (
        next_answer_probability(each, parameters=fitted()) for each in (past, [*past, True], [*past, False])
    )

    assert wrong - 1e-12 <= now <= right + 1e-12


@given(outcomes, st.floats(0.05, 0.99))
def test_fitted_too_mastery_is_never_lost_by_a_right_answer(past: list[bool], threshold: float) -> None:
    if is_mastered(past, threshold=threshold, parameters=fitted()):
        assert is_mastered([*past, True], threshold=threshold, parameters=fitted())


@pytest.mark.parametrize("past", [[True], [False]])
def test_one_answer_is_never_mastery_whatever_was_fitted(past: list[bool]) -> None:
    assert not is_mastered(past, parameters=Parameters(bias=9.0))


@settings(max_examples=25, deadline=None)
@given(outcomes, st.floats(0, HIGHEST))
@example([False] * 25, HIGHEST)
def test_fitted_too_every_threshold_is_reached_by_as_many_right_answers_as_are_told(
    past: list[bool], threshold: float
) -> None:
    """However carelessly the others answered: so many right answers of one's own outvote them."""
    evidence = {"node": [Evidence(is_correct=each, answered_at=NOW) for each in past]}

    told = right_answers_to_go(evidence, ["node"], now=NOW, threshold=threshold, parameters=fitted())

    assert told is not None
    if past:
        mastered = [
            is_mastered([*past, *[True] * count], threshold=threshold, parameters=fitted())
            for count in (max(0, told - 1), told)
        ]
        assert mastered == [told == 0, True]


@given(outcomes)
def test_a_walk_through_a_series_forecasts_as_each_of_its_beginnings(past: list[bool]) -> None:
    walked = [seen.chance(fitted()) for seen, _ in walk(past)]

    assert walked == pytest.approx(
        [next_answer_probability(past[:place], parameters=fitted()) for place in range(len(past))]
    )


def test_no_weight_is_below_zero() -> None:
    weights = asdict(fitted())

    assert all(weight >= 0 for name, weight in weights.items() if name not in {"bias", "unasked"})


def test_the_quality_of_forecasts_by_hand() -> None:
    found = quality([0.9, 0.9, 0.2, 0.2], [True, False, True, False])

    assert found.auc == 0.5
    assert found.calibration_error == pytest.approx(0.35)
    assert [(each.count, each.came) for each in bins([0.9, 0.95, 0.2], [True, False, False])] == [
        (1, 0.0),
        (2, 0.5),
    ]
    assert quality([0.9, 0.1], [True, False]).auc == 1


def test_half_of_a_public_log_forecasts_the_other_half() -> None:
    if not (load_settings().bench_data / "answer_logs").exists():
        pytest.skip("the public answer log is not here")
    learnt, held_back = _halves()

    found = forecast_quality(held_back, fit(learnt))

    assert found.auc >= 0.70
    assert found.calibration_error <= 0.03
    assert (
        forecast_quality(held_back, UNFITTED).calibration_error <= 0.077
    )  # as before scores knew their evidence
