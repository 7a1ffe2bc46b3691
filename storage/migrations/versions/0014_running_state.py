"""What answers amount to is kept beside them; the records of who learnt before are made at their first use."""

from alembic import op
from sqlalchemy import Column, Float, Integer, text

from storage.tables import Json, PlainText

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_INDEXES = {
    "idx_quiz_results_newest": ["user_id", "course", "id"],
    "idx_quiz_results_answered": ["user_id", "answered_at"],
    "idx_quiz_results_amends": ["amends_id"],
    "idx_quiz_results_question": ["user_id", "question_id"],
}


def upgrade() -> None:
    op.add_column("quiz_results", Column("forecast", Float))
    for name, columns in _INDEXES.items():
        op.create_index(name, "quiz_results", columns)
    op.create_table(
        "course_records",
        Column("user_id", PlainText, primary_key=True),
        Column("course", PlainText, primary_key=True),
        Column("version", Integer, nullable=False),
        Column("last_answer", Integer, nullable=False),
        Column("figures", Json),
    )
    op.create_table(
        "concept_records",
        Column("user_id", PlainText, primary_key=True),
        Column("course", PlainText, primary_key=True),
        Column("concept_name", PlainText, primary_key=True),
        Column("record", Json, nullable=False),
    )
    # Of no version that any program has: whoever reads them first replays the ledger.
    op.execute(
        text(
            "INSERT INTO course_records (user_id, course, version, last_answer) "
            "SELECT user_id, course, 0, max(id) FROM quiz_results WHERE action = 'answer' GROUP BY user_id, course"
        )
    )
