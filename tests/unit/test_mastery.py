"""Mastery of one concept: the chance that the next answer is right."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from operator import attrgetter
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agents.teaching.evidence import Evidence
from agents.teaching.mastery import (
    UNFITTED,
    CourseStanding,
    concept_mastery,
    is_mastered,
    next_answer_probability,
    right_answers_to_go,
)
from agents.teaching.thresholds import HIGHEST, is_enough
from agents.teaching.values import Difficulty, QuestionKind

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
THRESHOLD = 0.85
ROUNDING = 1e-12

# The model's golden series, oldest answer first. A change here changes what learners are told.
GOLDEN = {
    "": 0.5885,
    "T": 0.7454,
    "TT": 0.8168,
    "TTT": 0.8481,
    "TTTT": 0.8667,
    "TTTTTTTT": 0.9082,
    "T" * 20: 0.9526,
    "F": 0.4481,
    "FFFF": 0.2706,
    "TTTF": 0.6424,
    "FTTT": 0.8404,
    "FTTTT": 0.8629,
    "TTFTT": 0.8352,
    "FFFFTTTT": 0.8556,
    "T" * 10 + "F": 0.7693,
    "T" * 10 + "FT": 0.8670,
    "F" * 28: 0.0569,
}

outcomes = st.lists(st.booleans(), max_size=30)


def series(text: str) -> list[bool]:
    return [letter == "T" for letter in text]


def answers(text: str, **details: Any) -> list[Evidence]:
    """Answers a minute apart, the last one now."""
    first = NOW - timedelta(minutes=len(text) - 1)
    return [
        Evidence(is_correct=right, answered_at=first + timedelta(minutes=number), **details)
        for number, right in enumerate(series(text))
    ]


def chance(evidence: list[Evidence], *, now: datetime = NOW) -> float:
    return CourseStanding.of({"": evidence}, now=now).signals("").chance(UNFITTED)


def explained(answer: Evidence) -> Evidence:
    """With another explanation every hundred days."""
    number = 5 - (NOW - answer.answered_at).days // 100
    return replace(answer, lesson=f"lesson {number}", round=number)


@st.composite
def evidence_lists(draw: st.DrawFn) -> list[Evidence]:
    """Answers of all kinds, over days and months."""
    answer = st.builds(
        Evidence,
        is_correct=st.booleans(),
        answered_at=st.integers(0, 500).map(lambda days: NOW - timedelta(days=days)),
        difficulty=st.sampled_from(["easy", "medium", "hard"]),
        kind=st.sampled_from([None, "true_false", "multiple_choice", "cloze", "short_answer", "ordering"]),
        score=st.floats(0, 1),
        weight=st.floats(0.1, 1),
        gave_up=st.booleans(),
    )
    return [explained(each) for each in draw(st.lists(answer, max_size=12))]


@pytest.mark.parametrize("text", GOLDEN)
def test_the_golden_series_come_out_as_committed(text: str) -> None:
    assert next_answer_probability(series(text)) == pytest.approx(GOLDEN[text], abs=5e-5)


def test_four_right_answers_are_mastery() -> None:
    assert is_mastered([True] * 4)


@pytest.mark.parametrize("right", [0, 1, 2, 3])
def test_fewer_than_four_answers_are_never_mastery_however_right(right: int) -> None:
    assert not is_mastered([True] * right)


@pytest.mark.parametrize("order", sorted(set(permutations("TTTF"))))
def test_three_of_four_is_not_mastery_in_any_order(order: tuple[str, ...]) -> None:
    assert not is_mastered(series("".join(order)))


def test_nobody_starts_near_the_threshold() -> None:
    assert next_answer_probability([]) < THRESHOLD - 0.2


def test_eight_right_say_little_more_than_four() -> None:
    """The public logs: from the start, four right in a row are followed by 87% right, eight by 89%."""
    assert 0 < next_answer_probability([True] * 8) - next_answer_probability([True] * 4) < 0.05


def test_one_wrong_answer_ends_mastery_and_right_ones_bring_it_back() -> None:
    assert is_mastered(series("T" * 10))
    assert not is_mastered(series("T" * 10 + "F"))
    assert is_mastered(series("T" * 10 + "FTT"))


thresholds = st.floats(0, HIGHEST)
some_outcomes = st.lists(st.booleans(), min_size=1, max_size=12)


@given(outcomes, st.floats(0, 1))
def test_mastered_is_a_comparison_with_the_threshold_and_nothing_else(
    past: list[bool], threshold: float
) -> None:
    assert is_mastered(past, threshold=threshold) == (next_answer_probability(past) >= threshold)
    if past:
        standing = concept_mastery([Evidence(is_correct=each, answered_at=NOW) for each in past], now=NOW)
        assert is_enough(standing.score, threshold=threshold) == is_mastered(past, threshold=threshold)


@given(some_outcomes, thresholds)
@example([True], HIGHEST)
@example([False] * 28, 0.85)
def test_every_threshold_is_reached_by_as_many_right_answers_as_are_told(
    past: list[bool], threshold: float
) -> None:
    evidence = {"node": [Evidence(is_correct=each, answered_at=NOW) for each in past]}

    told = right_answers_to_go(evidence, ["node"], now=NOW, threshold=threshold)

    assert told is not None
    assert is_mastered([*past, *[True] * told], threshold=threshold)
    assert not told or not is_mastered([*past, *[True] * (told - 1)], threshold=threshold)


@pytest.mark.parametrize("threshold", [0.991, 1.0])
def test_nothing_is_ever_more_certain_than_the_highest_score(threshold: float) -> None:
    assert next_answer_probability([True] * 5000) == HIGHEST
    assert right_answers_to_go({}, ["node"], now=NOW, threshold=threshold) is None


def given_up(count: int, **details: Any) -> list[Evidence]:
    """So many answers, four a round, with another explanation before each round."""
    first = NOW - timedelta(minutes=count)
    return [
        Evidence(
            is_correct=False,
            answered_at=first + timedelta(minutes=number),
            lesson=f"{number // 4}",
            **details,
        )
        for number in range(count)
    ]


@pytest.mark.parametrize(("gave_up", "last"), [(True, 0.03), (False, 0.06)])
def test_a_run_of_misses_falls_towards_zero_whatever_is_explained_in_between(
    gave_up: bool, last: float
) -> None:
    """In the public logs 28 wrong answers in a row are followed by 4% right ones; "I don't know" is no guess."""
    run = given_up(28, gave_up=gave_up)
    chances = [chance(run[:count]) for count in range(29)]

    assert chances == sorted(chances, reverse=True)
    assert chances[28] < last
    assert chance(given_up(200, gave_up=gave_up)) < 0.01


def test_who_says_that_they_do_not_know_has_not_just_guessed_wrong() -> None:
    assert chance(given_up(1, gave_up=True)) < chance(given_up(1))


@given(evidence_lists(), st.booleans(), st.integers(0, 7))
def test_one_more_miss_of_any_kind_never_raises_it_whatever_was_explained_before(
    past: list[Evidence], gave_up: bool, number: int
) -> None:
    miss = Evidence(
        is_correct=False, answered_at=NOW, gave_up=gave_up, lesson=f"lesson {number}", round=number
    )

    assert chance([*past, miss]) <= chance(past) + ROUNDING


@given(outcomes)
def test_it_is_a_probability(past: list[bool]) -> None:
    assert 0 < next_answer_probability(past) < 1


@given(outcomes)
def test_one_more_right_answer_never_lowers_it(past: list[bool]) -> None:
    assert next_answer_probability([*past, True]) >= next_answer_probability(past)


@given(outcomes)
def test_one_more_wrong_answer_never_raises_it(past: list[bool]) -> None:
    assert next_answer_probability([*past, False]) <= next_answer_probability(past)


@given(outcomes, st.integers(0, 30))
def test_a_right_answer_anywhere_in_the_past_never_lowers_it(past: list[bool], place: int) -> None:
    more = [*past[:place], True, *past[place:]]

    assert next_answer_probability(more) >= next_answer_probability(past) - ROUNDING


@given(st.lists(st.booleans(), min_size=1, max_size=30), st.integers(0, 29))
def test_turning_a_wrong_answer_into_a_right_one_never_lowers_it(past: list[bool], place: int) -> None:
    place %= len(past)
    better = [*past[:place], True, *past[place + 1 :]]

    assert next_answer_probability(better) >= next_answer_probability(past) - ROUNDING


@given(outcomes)
def test_later_answers_count_more(past: list[bool]) -> None:
    """The same answers with the right one last are worth at least as much as with the wrong one last."""
    assert next_answer_probability([*past, False, True]) > next_answer_probability([*past, True, False])


@given(evidence_lists(), st.sampled_from(["easy", "medium", "hard"]), st.integers(0, 400))
def test_answers_of_any_kind_and_age_move_it_the_right_way(
    past: list[Evidence], difficulty: Difficulty, age: int
) -> None:
    before = chance(past)
    at = NOW - timedelta(days=age)
    # It follows the explanation that the answer before it followed: the first after one would also say when that was.
    earlier = [each for each in past if each.answered_at <= at]
    told = (
        max(earlier, key=attrgetter("answered_at")) if earlier else Evidence(is_correct=True, answered_at=at)
    )
    more = Evidence(
        is_correct=True, answered_at=at, difficulty=difficulty, lesson=told.lesson, round=told.round
    )

    assert chance([*past, more]) >= before - ROUNDING
    assert chance([*past, replace(more, is_correct=False)]) <= before + ROUNDING


@pytest.mark.parametrize("weak", [{"kind": "true_false", "difficulty": "easy"}, {"weight": 0.1}])
def test_a_weak_right_answer_after_strong_ones_lowers_nothing(weak: dict[str, Any]) -> None:
    strong = answers("T" * 20, kind="short_answer", difficulty="hard")

    assert chance([*strong, *answers("T", **weak)]) >= chance(strong)


@pytest.mark.parametrize("weak", [{"kind": "true_false", "difficulty": "hard"}, {"weight": 0.1}])
def test_a_weak_wrong_answer_after_strong_ones_raises_nothing(weak: dict[str, Any]) -> None:
    strong = answers("F" * 20, kind="short_answer", difficulty="easy")

    assert chance([*strong, *answers("F", **weak)]) <= chance(strong)


@given(evidence_lists(), st.randoms(use_true_random=False))
def test_evidence_may_come_in_any_order(past: list[Evidence], rng: Random) -> None:
    dated = [replace(answer, answered_at=NOW - timedelta(hours=n)) for n, answer in enumerate(past)]
    shuffled = list(dated)
    rng.shuffle(shuffled)

    assert chance(shuffled) == chance(dated)


@pytest.mark.parametrize("text", ["TT", "F"])
def test_hard_questions_say_more_when_right_and_less_when_wrong(text: str) -> None:
    easy, medium, hard = (chance(answers(text, difficulty=each)) for each in ("easy", "medium", "hard"))

    assert easy < medium < hard


def test_what_can_be_guessed_says_little() -> None:
    kinds: list[QuestionKind] = ["true_false", "multiple_choice", "cloze", "short_answer"]
    chances = [chance(answers("TT", kind=kind)) for kind in kinds]

    assert chances == sorted(chances)
    assert chances[-1] - chances[0] > 0.09


def test_a_near_miss_costs_less_than_an_answer_beside_the_point() -> None:
    beside, near = answers("TTF"), answers("TTF")
    near[-1] = replace(near[-1], score=0.8)

    assert chance(near) > chance(beside)


def test_an_unsure_grade_moves_it_less() -> None:
    assert chance(answers("")) < chance(answers("T", weight=0.5)) < chance(answers("T"))
    assert chance(answers("F")) < chance(answers("F", weight=0.5)) < chance(answers(""))


def test_what_nobody_asked_about_for_long_fades_towards_the_start() -> None:
    fresh = chance(answers("TTTT"))
    in_a_week, in_two_years = (chance(answers("TTTT"), now=NOW + timedelta(days=days)) for days in (7, 730))

    assert fresh - in_a_week < 0.01
    assert chance(answers("")) < in_two_years < THRESHOLD


def test_time_does_not_mend_what_was_wrong() -> None:
    assert chance(answers("FF"), now=NOW + timedelta(days=900)) == chance(answers("FF"))


def test_dated_answers_of_one_day_count_as_a_bare_series() -> None:
    assert chance(answers("TTFT")) == pytest.approx(next_answer_probability(series("TTFT")), abs=1e-4)


def test_a_concept_is_mastered_from_its_own_answers() -> None:
    standing = concept_mastery(answers("TTTT"), now=NOW)

    assert is_enough(standing.score, threshold=THRESHOLD)
    assert standing.evidence_count == 4
    assert not is_enough(concept_mastery(answers("TTT"), now=NOW).score, threshold=THRESHOLD)


def test_an_explanation_in_between_makes_a_wrong_answer_weigh_less() -> None:
    wrong, *right = answers("FTT")
    taught = [replace(answer, lesson="second", round=2) for answer in right]

    assert chance([wrong, *taught]) > chance([wrong, *right])


def test_an_explanation_takes_nothing_from_what_is_known() -> None:
    before = answers("TTTT")
    after = [*before[:2], *(replace(answer, lesson="second", round=2) for answer in before[2:])]

    assert chance(after) >= chance(before)
