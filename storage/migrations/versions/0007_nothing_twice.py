"""Nothing twice: which asking an answer belongs to, what was asked in each session, and whose a hand-over was."""

from alembic import op
from sqlalchemy import Column, Float, Index, Integer, String, text

from storage.tables import Json, PlainText, UtcDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("quiz_results", Column("asking", String(32)))
    op.create_index(
        "uq_quiz_results_asking",
        "quiz_results",
        ["user_id", "session_id", "cycle_number", "question_id", "asking"],
        unique=True,
        sqlite_where=text("action = 'answer'"),
        postgresql_where=text("action = 'answer'"),
    )
    op.add_column("diagnostic_results", Column("asking", String(32)))
    op.create_index(
        "uq_diagnostic_results_asking", "diagnostic_results", ["user_id", "session_id", "asking"], unique=True
    )
    op.add_column("agent_transitions", Column("user_id", PlainText))
    op.create_table(
        "open_lessons",
        Column("user_id", PlainText, primary_key=True),
        Column("session_id", PlainText, primary_key=True),
        Column("kind", String(10), primary_key=True),
        Column("asking", String(32), nullable=False),
        Column("course", PlainText, nullable=False),
        Column("topic", PlainText, nullable=False),
        Column("cycle_number", Integer, nullable=False),
        Column("threshold", Float, nullable=False),
        Column("questions", Json, nullable=False),
        Column("asked_at", UtcDateTime, nullable=False),
        Index("idx_open_lessons_asked", "asked_at"),
    )
