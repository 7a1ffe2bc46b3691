"""Yes, no, or neither."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.language.replies import likely_yes_or_no, ticked, verdict_on_own_answer, yes_or_no


@pytest.mark.parametrize(
    "message",
    ["yes", "Yes please!", "sure, go ahead", "yep do it", "ok", "👍", "yess", "go ahead", "I said yes", "of course", "sounds good", "do it"],
)  # fmt: skip
def test_a_yes(message: str) -> None:
    assert yes_or_no(message) is True


@pytest.mark.parametrize(
    "message",
    ["no", "NO!!", "nah leave it", "wait, don't", "never mind", "keep it", "👎", "I'm not sure", "nooo", "yes, no, stop", "not now thanks"],
)  # fmt: skip
def test_a_no_anywhere_wins(message: str) -> None:
    assert yes_or_no(message) is False


@pytest.mark.parametrize(
    "message",
    ["", "  ", "maybe", "hmm", "what?", "no, delete task 3", "yes but only the second", "sure thing Bob", "why not", "it", "2", "yes " * 200],
)  # fmt: skip
def test_whatever_says_more_is_neither(message: str) -> None:
    assert yes_or_no(message) is None


@given(st.text())
def test_any_text_is_read(message: str) -> None:
    assert yes_or_no(message) in (True, False, None)


@pytest.mark.parametrize(
    "message", ["hold up, why would anyone want that", "no wait, tell me what a slot is"]
)
def test_a_question_of_ones_own_is_no_verdict_on_a_mark(message: str) -> None:
    assert likely_yes_or_no(message, about_a_mark=True) is not True
    assert verdict_on_own_answer("hold up, why would anyone want that") is None


@pytest.mark.parametrize(
    ("message", "points"),
    [
        ("1 and 3", {0, 2}), ("1,3", {0, 2}), ("a and c", {0, 2}), ("the first and the last", {0, 2}), ("I had 2", {1}),
        ("all", {0, 1, 2}), ("all of them", {0, 1, 2}), ("yes", {0, 1, 2}), ("all but 2", {0, 2}), ("everything except the third", {0, 1}),
        ("none", set()), ("no", set()), ("none of them", set()), ("0", set()), ("points 1, 2", {0, 1}),
    ],
)  # fmt: skip
def test_points_are_named_by_number_letter_or_place(message: str, points: set[int]) -> None:
    assert ticked(message, count=3) == points


@pytest.mark.parametrize(
    "message", ["", "7", "what is a node?", "the one about joints", "none but 2", "maybe", "1 apple"]
)
def test_what_names_no_point_is_none(message: str) -> None:
    assert ticked(message, count=3) is None
