"""A disputed answer by code alone: what an argument can change, and what it cannot."""

from dataclasses import replace

from agents.quiz.marking import rule
from agents.quiz.offline import ruling_text
from tests.support.ledger import ledger_row

ANSWER = ledger_row(
    question_text="What do we call a connection between two links?",
    expected_answer="joint",
    options=(),
    source_context="A joint is a connection between two links.",
    learner_answer="joint axis",
    is_correct=False,
    score=0.0,
    grader="code",
    reason="In this course “joint axis” is something else.",
)


def test_the_name_of_another_thing_stays_wrong_although_the_expected_word_is_in_it() -> None:
    ruling = rule(ANSWER, argument="I disagree, joint is in it", concept_names=("joint", "joint axis"))
    assert ruling.outcome == "kept"
    assert "A joint is a connection between two links" in ruling.reason


def test_the_expected_word_among_others_may_be_right_where_the_course_has_no_such_name() -> None:
    ruling = rule(ANSWER, argument="I disagree, joint is in it", concept_names=("joint",))
    assert ruling.outcome == "voided"


def test_saying_the_key_once_it_was_shown_makes_no_answer_right() -> None:
    """Nobody can tell what was meant before the answer stood on the screen, so it counts for nothing."""
    answer = replace(ANSWER, learner_answer="the thing in between")
    ruling = rule(answer, argument="but I meant the joint, a connection between two links")
    assert ruling.outcome == "voided"
    assert "no longer counts" in ruling_text(answer, ruling)
