"""Mastery is derived from the ledger: void answers are gone, re-keyed ones count as they now stand."""

from dataclasses import replace
from datetime import timedelta

import pytest

from agents.teaching.evidence import Evidence, LedgerRow, replay
from agents.teaching.mastery import course_mastery
from tests.support.ledger import NOW, ledger_row

ANSWER = ledger_row(is_correct=False, score=0.2, grader="code")


def void(of: LedgerRow, *, number: int) -> LedgerRow:
    return replace(of, id=number, action="void", amends_id=of.id, answered_at=NOW + timedelta(days=1))


def rekey(of: LedgerRow, *, number: int, is_correct: bool) -> LedgerRow:
    later = NOW + timedelta(days=1)
    return replace(
        of, id=number, action="rekey", amends_id=of.id, is_correct=is_correct, score=1.0, answered_at=later
    )


def test_an_answer_becomes_evidence_with_its_difficulty_kind_and_topic() -> None:
    assert replay([ANSWER]) == {
        "joint": (
            Evidence(
                is_correct=False,
                answered_at=NOW,
                difficulty="easy",
                kind="short_answer",
                score=0.2,
                weight=1.0,
                topic="URDF",
                lesson="URDF/1",
            ),
        )
    }


def test_a_void_answer_counts_for_nothing() -> None:
    other = replace(ANSWER, id=3, concept_name="link")

    assert replay([ANSWER, void(ANSWER, number=2)]) == {}
    assert list(replay([ANSWER, void(ANSWER, number=2), other])) == ["link"]


def test_a_rekeyed_answer_has_its_new_grade_and_its_old_time() -> None:
    [evidence] = replay([ANSWER, rekey(ANSWER, number=2, is_correct=True)])["joint"]

    assert (evidence.is_correct, evidence.answered_at) == (True, NOW)


@pytest.mark.parametrize(("words", "gave_up"), [("I don't know", True), ("", True), ("a wheel", False)])
def test_evidence_knows_who_gave_up_and_who_guessed(words: str, gave_up: bool) -> None:
    [evidence] = replay([replace(ANSWER, learner_answer=words)])["joint"]

    assert evidence.gave_up is gave_up


def test_the_last_correction_holds() -> None:
    rows = [ANSWER, void(ANSWER, number=2), rekey(ANSWER, number=3, is_correct=True)]

    assert [evidence.is_correct for evidence in replay(rows)["joint"]] == [True]
    assert replay([*rows, void(ANSWER, number=4)]) == {}


def test_rows_may_come_in_any_order() -> None:
    rows = [ANSWER, rekey(ANSWER, number=2, is_correct=True), replace(ANSWER, id=3, is_correct=True)]

    assert replay(rows[::-1]) == replay(rows)


def test_voiding_the_one_wrong_answer_gives_mastery_back() -> None:
    wrong = replace(ANSWER, id=9)
    right = [replace(ANSWER, id=number, question_id=f"q{number}", is_correct=True) for number in range(1, 5)]
    before = course_mastery(replay([*right, wrong]), now=NOW)
    after = course_mastery(replay([*right, wrong, void(wrong, number=10)]), now=NOW)

    assert before["joint"].score < 0.85 <= after["joint"].score
    assert after["joint"].evidence_count == 4


def test_a_grade_that_nobody_was_sure_of_counts_less() -> None:
    [evidence] = replay([replace(ANSWER, confident=False)])["joint"]

    assert evidence.weight < 1


@pytest.mark.parametrize(("is_correct", "weight"), [(True, 0.6), (False, 1.0)])
def test_who_calls_their_own_answer_right_may_be_mistaken_and_who_calls_it_wrong_is_believed(
    is_correct: bool, weight: float
) -> None:
    own = replace(ANSWER, grader="learner", is_correct=is_correct)

    [evidence] = replay([own])["joint"]
    assert evidence.weight == weight


def test_a_right_answer_to_a_question_seen_before_counts_less_but_a_wrong_one_does_not() -> None:
    again = replace(ANSWER, id=2, cycle_number=2, answered_at=NOW + timedelta(minutes=5))

    [_, right] = replay([ANSWER, replace(again, is_correct=True)])["joint"]
    [_, wrong] = replay([ANSWER, again])["joint"]
    assert (right.weight, wrong.weight) == (0.5, 1)


def test_a_right_answer_counts_less_with_every_hint_before_it_and_a_wrong_one_does_not() -> None:
    weights = [
        replay([replace(ANSWER, is_correct=True, hints=hints)])["joint"][0].weight for hints in range(3)
    ]

    assert 1 == weights[0] > weights[1] > weights[2] > 0
    assert replay([replace(ANSWER, hints=2)])["joint"][0].weight == 1


def test_a_question_of_the_diagnostic_counts_in_full_when_it_comes_again_because_its_key_was_not_shown() -> (
    None
):
    diagnosed = replace(ANSWER, cycle_number=0)
    again = replace(ANSWER, id=2, is_correct=True, answered_at=NOW + timedelta(minutes=5))

    assert [answer.weight for answer in replay([diagnosed, again])["joint"]] == [1, 1]


def test_a_question_that_was_seen_days_ago_counts_in_full() -> None:
    again = replace(ANSWER, id=2, is_correct=True, answered_at=NOW + timedelta(days=3))

    assert [answer.weight for answer in replay([ANSWER, again])["joint"]] == [1, 1]


def test_a_kind_of_question_that_is_not_known_any_more_is_an_ordinary_one() -> None:
    assert replay([replace(ANSWER, kind="essay")])["joint"][0].kind is None
