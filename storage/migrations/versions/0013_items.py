"""The bank of questions of each course, and how often each question was answered and how."""

from alembic import op
from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    false,
    text,
)

from storage.tables import Json, PlainText, UtcDateTime

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "items",
        Column("question_id", String(36), primary_key=True),
        Column("course", String(100), ForeignKey("courses.name", ondelete="CASCADE"), nullable=False),
        Column("exercise_id", String(36), nullable=False),
        Column("part", Integer, nullable=False),
        Column("chapter_id", PlainText, nullable=False),
        Column("headings", Json, nullable=False),
        Column("position", Integer, nullable=False),
        Column("form", String(30), nullable=False),
        Column("title", PlainText, nullable=False),
        Column("origin", String(10), nullable=False),
        Column("chunk_id", String(36), nullable=False),
        Column("concept_name", PlainText, nullable=False),
        Column("kind", String(20), nullable=False),
        Column("written_as", String(20), nullable=False),
        Column("difficulty", String(10), nullable=False),
        Column("question_text", PlainText, nullable=False),
        Column("options", Json, nullable=False),
        Column("whys", Json, nullable=False),
        Column("expected_answer", PlainText, nullable=False),
        Column("solution", PlainText, nullable=False),
        Column("points", Json, nullable=False),
        Column("source_context", PlainText, nullable=False),
        Column("trouble", PlainText, nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
        Column("edited_at", UtcDateTime),
        CheckConstraint("origin IN ('author', 'code', 'model', 'teacher')", name="known_origin"),
        Index("idx_items_course_chunk", "course", "chunk_id"),
        Index("idx_items_course_concept", "course", "concept_name"),
    )
    op.create_table(
        "item_figures",
        Column("course", PlainText, primary_key=True),
        Column("question_id", PlainText, primary_key=True),
        Column("times_asked", Integer, nullable=False, server_default=text("0")),
        Column("times_right", Integer, nullable=False, server_default=text("0")),
        Column("seconds", Float, nullable=False, server_default=text("0")),
        Column("disputes", Integer, nullable=False, server_default=text("0")),
    )
    op.add_column("quiz_results", Column("shows_part", Boolean, nullable=False, server_default=false()))
    # What was answered and disputed so far; a dispute is about an answer, so its question has a row.
    op.execute(
        "INSERT INTO item_figures (course, question_id, times_asked, times_right, seconds, disputes) "
        "SELECT course, question_id, COUNT(*), SUM(CASE WHEN is_correct THEN 1 ELSE 0 END), "
        "SUM(time_taken_seconds), (SELECT COUNT(*) FROM disputes WHERE disputes.course = quiz_results.course "
        "AND disputes.question_id = quiz_results.question_id) "
        "FROM quiz_results WHERE action = 'answer' GROUP BY course, question_id"
    )
