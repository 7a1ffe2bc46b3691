"""From when on something is mastered: a teacher's word for a course, and a learner's own."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, Float

from storage.tables import PlainText, UtcDateTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "course_thresholds",
        Column("course", PlainText, primary_key=True),
        Column("threshold", Float, nullable=False),
        Column("decided_by", PlainText, nullable=False),
        Column("decided_at", UtcDateTime, nullable=False),
        CheckConstraint("threshold BETWEEN 0 AND 1", name="course_threshold_is_a_share"),
    )
    op.create_table(
        "learner_thresholds",
        Column("user_id", PlainText, primary_key=True),
        Column("threshold", Float, nullable=False),
        Column("chosen_at", UtcDateTime, nullable=False),
        CheckConstraint("threshold BETWEEN 0 AND 1", name="own_threshold_is_a_share"),
    )
