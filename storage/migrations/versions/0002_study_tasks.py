"""Study tasks: what the tutor itself put on a learner's list, why, and what became of it."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, Index, Integer, String, UniqueConstraint, text

from storage.tables import PlainText, UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "study_tasks",
        Column("id", Integer, primary_key=True),
        Column("user_id", PlainText, nullable=False),
        Column("course", PlainText, nullable=False),
        Column("kind", String(10), nullable=False),
        Column("subject", PlainText, nullable=False),
        Column("occasion", String(40), nullable=False),
        Column("task_id", Integer, nullable=False),
        Column("title", String(255), nullable=False),
        Column("made_at", UtcDateTime, nullable=False),
        Column("closed_at", UtcDateTime),
        Column("outcome", String(10)),
        UniqueConstraint("user_id", "course", "kind", "subject", "occasion"),
        CheckConstraint("kind IN ('cycles', 'review', 'gap')", name="known_kind"),
        CheckConstraint("outcome IN ('done', 'deleted', 'settled')", name="known_outcome"),
        CheckConstraint("(closed_at IS NULL) = (outcome IS NULL)", name="closed_with_outcome"),
        Index("idx_study_tasks_task", "task_id"),
        Index(
            "uq_study_tasks_open",
            "user_id",
            "course",
            "subject",
            unique=True,
            sqlite_where=text("closed_at IS NULL"),
            postgresql_where=text("closed_at IS NULL"),
        ),
    )
