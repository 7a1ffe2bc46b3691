"""Fitting the grader: what the weights may do, and which answers are kept apart."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.fit_grading import Table, fit
from evals.short_answers import Case, folds, macro_f1, overlap, part_of

_NAMES = ("met_by_meaning", "opposed", "length")


def table(*, count: int = 600, questions: int = 12, seed: int = 1) -> Table:
    """Answers that are right where they meet the reference, for teachers of differing strictness."""
    random = np.random.default_rng(seed)
    rows = random.random((count, len(_NAMES)))
    number = np.arange(count) % questions
    strictness = random.normal(0, 1.5, questions)[number]
    chance = 1 / (1 + np.exp(-(6 * rows[:, 0] - 3 + strictness)))
    return Table(
        names=_NAMES,
        rows=rows,
        truth=random.random(count) < chance,
        questions=number,
        corpora=np.where(number % 2 == 0, "scientsbank", "beetle"),
        references=(number % 3 == 0).astype(np.float64),
    )


def test_meeting_the_reference_counts_for_an_answer_and_opposing_it_never_does() -> None:
    weights = fit(table())["weights"]
    assert weights["met_by_meaning"] > 2
    assert weights.get("opposed", 0.0) <= 0


def test_the_same_answers_give_the_same_model() -> None:
    assert fit(table()) == fit(table())


def test_a_model_is_surer_at_its_ends_than_at_its_border() -> None:
    model = fit(table())
    assert 0 < model["surely_wrong"] <= model["border"] <= model["surely_right"] < 1


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["scientsbank", "beetle"]), st.integers(0, 30)), min_size=20))
def test_all_answers_to_a_question_are_in_one_fold(answers: list[tuple[str, int]]) -> None:
    corpora = np.array([corpus for corpus, _ in answers])
    questions = np.array([number + 100 * (corpus == "beetle") for corpus, number in answers])
    fold = folds(corpora, questions, count=5)
    assert all(len(set(fold[questions == question])) == 1 for question in questions)


def test_each_corpus_is_spread_evenly_over_the_folds() -> None:
    corpora = np.array(["scientsbank"] * 20 + ["beetle"] * 10)
    fold = folds(corpora, np.arange(30), count=5)
    assert set(np.bincount(fold[:20])) == {4}
    assert set(np.bincount(fold[20:])) == {2}


def test_a_question_is_always_in_the_same_part() -> None:
    parts = [part_of("beetle", f"question {number}") for number in range(500)]
    assert parts == [part_of("beetle", f"question {number}") for number in range(500)]
    assert 0.5 < parts.count("tune") / len(parts) < 0.7


def test_macro_f1_counts_both_verdicts() -> None:
    truth = np.array([True, True, False, False])
    assert macro_f1(truth, truth) == 1.0
    assert macro_f1(truth, np.ones(4, dtype=np.bool_)) == pytest.approx(1 / 3)


def test_the_baseline_is_the_best_share_of_a_references_stems() -> None:
    case = Case(
        corpus="beetle",
        question="Why?",
        references=("the path is open", "a gap"),
        answer="there is a gap",
        is_correct=True,
    )
    assert overlap(case) == 1.0
