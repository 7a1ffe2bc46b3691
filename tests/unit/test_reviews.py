"""Reviews: a concept comes back when it is likely to be forgotten."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from fsrs import Card
from hypothesis import given
from hypothesis import strategies as st

from agents.teaching.evidence import Evidence
from agents.teaching.reviews import MOST_DAYS, review_schedule

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def answers(text: str, *, days: tuple[int, ...] = (), weight: float = 1.0) -> list[Evidence]:
    """One letter an answer, on the given days after the start."""
    when = days or (0,) * len(text)
    return [
        Evidence(is_correct=letter == "T", answered_at=START + timedelta(days=day), weight=weight)
        for letter, day in zip(text, when, strict=True)
    ]


def schedule(evidence: list[Evidence]) -> Card:
    state = review_schedule(evidence)
    assert state is not None
    return state


# (answers, days) -> (days until the review, stability): the scheduler's golden series.
GOLDEN = [
    ("TTTT", (0, 0, 0, 0), 2, 2.3065),
    ("FTTT", (0, 0, 0, 0), 1, 0.3244),
    ("TTTTT", (0, 0, 0, 0, 2), 11, 10.9845),
    ("TTTTTT", (0, 0, 0, 0, 2, 13), 46, 46.3900),
    ("TTTTTF", (0, 0, 0, 0, 2, 13), 2, 1.5404),
    ("TTTTTTT", (0, 0, 0, 0, 2, 13, 59), 163, 163.2746),
]


@pytest.mark.parametrize(("text", "days", "due", "stability"), GOLDEN)
def test_the_golden_series_come_out_as_committed(
    text: str, days: tuple[int, ...], due: int, stability: float
) -> None:
    state = schedule(answers(text, days=days))

    assert state.due - (START + timedelta(days=days[-1])) == timedelta(days=due)
    assert state.stability == pytest.approx(stability, abs=5e-4)


def test_without_answers_there_is_nothing_to_review() -> None:
    assert review_schedule([]) is None


def test_every_success_makes_the_next_pause_longer() -> None:
    pauses: list[int] = []
    days: tuple[int, ...] = (0,)
    for _ in range(4):
        state = schedule(answers("T" * len(days), days=days))
        pauses.append((state.due - START).days - days[-1])
        days = (*days, days[-1] + pauses[-1])

    assert pauses == sorted(set(pauses))


def test_a_wrong_answer_brings_it_back_soon() -> None:
    right, wrong = (schedule(answers(text, days=(0, 2, 13))) for text in ("TTT", "TTF"))

    assert wrong.due - (START + timedelta(days=13)) <= timedelta(days=3)
    assert right.due - (START + timedelta(days=13)) > timedelta(days=30)


def test_a_shaky_right_answer_comes_back_before_a_sure_one() -> None:
    sure, shaky = (schedule(answers("TT", days=(0, 9), weight=weight)) for weight in (1.0, 0.5))

    assert shaky.due < sure.due


def test_no_pause_is_longer_than_a_year() -> None:
    state = schedule(answers("TTTTTT", days=(0, 2, 20, 90, 400, 765)))

    assert state.due - (START + timedelta(days=765)) == timedelta(days=MOST_DAYS)


def test_the_card_is_json_that_the_scheduler_reads_back() -> None:
    state = schedule(answers("TTTT"))
    card = Card.from_json(json.dumps(state.to_dict()))

    assert (card.due, card.stability) == (state.due, state.stability)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 400)), min_size=1, max_size=8))
def test_the_same_answers_give_the_same_day_in_any_order_and_time_zone(past: list[tuple[bool, int]]) -> None:
    evidence = [
        Evidence(is_correct=right, answered_at=START + timedelta(days=day, minutes=number))
        for number, (right, day) in enumerate(past)
    ]
    moved = [
        Evidence(
            is_correct=answer.is_correct,
            answered_at=answer.answered_at.astimezone(timezone(timedelta(hours=5))),
        )
        for answer in reversed(evidence)
    ]

    assert schedule(moved) == schedule(evidence)
    assert schedule(evidence).due > max(answer.answered_at for answer in evidence)
