"""An answer as a learner gave it, and as a row of the ledger."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from agents.teaching.evidence import GradedAnswer, LedgerRow
from storage.database import to_row
from storage.ledger import Dispute
from storage.lessons import LessonPlace, OpenLesson

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ANSWER = GradedAnswer(
    user_id="ada",
    session_id="s1",
    course="ros",
    topic="URDF",
    cycle_number=1,
    question_id="q1",
    question_text="What connects links?",
    concept_name="joint",
    kind="short_answer",
    difficulty="easy",
    expected_answer="a joint",
    options=("a joint", "a node"),
    chunk_id="k1",
    source_context="Joints connect links.",
    learner_answer="joints",
    is_correct=True,
    score=0.9,
    grader="embedded",
    reason="It names the joint.",
    confident=True,
    attempt_number=1,
    time_taken_seconds=12.5,
    answered_at=NOW,
)

DISPUTE = Dispute(
    user_id="ada",
    course="ros",
    question_id="q1",
    answer_id=1,
    argument="a joint is a link's end too",
    outcome="kept",
    disputed_at=NOW,
)

LESSON = OpenLesson(
    user_id="ada",
    session_id="s1",
    kind="quiz",
    asking="a" * 32,
    course="ros",
    topic="URDF",
    cycle_number=1,
    threshold=0.85,
    questions=({"question_id": "q1", "expected_answer": "a joint"},),
    asked_at=NOW,
)


PLACE = LessonPlace(
    user_id="ada",
    course="ros",
    place="title ch3",
    part=1,
    topic="URDF",
    session_id="s1",
    lesson={"current_topic": "URDF"},
    asking="a" * 32,
    threshold=0.85,
    questions=LESSON.questions,
    kept_at=NOW,
)


def ledger_row(**changes: Any) -> LedgerRow:
    """The answer's own row, as no correction has touched it yet."""
    return LedgerRow(**to_row(replace(ANSWER, **changes), id=1, action="answer", amends_id=None))
