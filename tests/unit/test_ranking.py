"""Candidates are ordered by words, chapter and meaning together, and spread over chapters."""

from hypothesis import given
from hypothesis import strategies as st

from rag.index import Candidates
from rag.retriever import rank

A, B = ("c", "a"), ("c", "b")


def test_a_passage_that_both_ways_find_comes_first() -> None:
    candidates = Candidates(
        by_words={"x": 9.0, "y": 8.0}, by_meaning={"y": 0.8, "z": 0.7}, home={"x": A, "y": A, "z": A}
    )
    assert rank(candidates)[0] == "y"


def test_the_chapter_around_a_passage_breaks_a_near_tie() -> None:
    candidates = Candidates(by_words={"x": 10.0, "y": 9.9}, chapters={A: 1.0, B: 5.0}, home={"x": A, "y": B})
    assert rank(candidates) == ["y", "x"]


def test_another_chapter_comes_before_the_third_passage_of_the_first() -> None:
    candidates = Candidates(
        by_words={"a1": 10.0, "a2": 9.9, "a3": 9.8, "b1": 8.5}, home={"a1": A, "a2": A, "a3": A, "b1": B}
    )
    assert rank(candidates) == ["a1", "b1", "a2", "a3"]


def test_no_candidates_give_no_ranking() -> None:
    assert rank(Candidates()) == []


@given(st.dictionaries(st.text(min_size=1), st.floats(min_value=0, max_value=50), max_size=20))
def test_the_order_does_not_depend_on_the_order_of_the_candidates(scores: dict[str, float]) -> None:
    forward = Candidates(by_words=scores, home=dict.fromkeys(scores, A))
    backward = Candidates(
        by_words=dict(reversed(scores.items())), home=dict.fromkeys(reversed(list(scores)), A)
    )
    assert rank(forward) == rank(backward)
    assert sorted(rank(forward)) == sorted(scores)
