"""A disputed answer by code alone: what an argument can change, and what it cannot."""

from datetime import UTC, datetime

from agents.quiz.dispute import rule
from storage.ledger import Evidence

ANSWER = Evidence(
    id=1,
    action="answer",
    amends_id=None,
    user_id="ada",
    session_id="s1",
    course="physical-ai",
    topic="URDF",
    cycle_number=1,
    question_id="q1",
    question_text="What do we call a connection between two links?",
    concept_name="joint",
    kind="short_answer",
    difficulty="easy",
    expected_answer="joint",
    options=(),
    chunk_id="k1",
    source_context="A joint is a connection between two links.",
    learner_answer="joint axis",
    is_correct=False,
    score=0.0,
    grader="code",
    reason="In this course “joint axis” is something else.",
    confident=True,
    attempt_number=1,
    time_taken_seconds=9.0,
    answered_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
)


def test_the_name_of_another_thing_stays_wrong_although_the_expected_word_is_in_it() -> None:
    ruling = rule(ANSWER, argument="I disagree, joint is in it", concept_names=("joint", "joint axis"))
    assert ruling.outcome == "kept"
    assert "A joint is a connection between two links" in ruling.reason


def test_the_expected_word_among_others_is_right_where_the_course_has_no_such_name() -> None:
    ruling = rule(ANSWER, argument="I disagree, joint is in it", concept_names=("joint",))
    assert ruling.outcome != "kept"
