"""Goals: what a learner said they want to be able to do, so that a new session plans for it."""

from alembic import op
from sqlalchemy import Column, Integer, UniqueConstraint

from storage.tables import PlainText, UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "learner_goals",
        Column("id", Integer, primary_key=True),
        Column("user_id", PlainText, nullable=False),
        Column("course", PlainText, nullable=False),
        Column("goal", PlainText, nullable=False),
        Column("stated_at", UtcDateTime, nullable=False),
        UniqueConstraint("user_id", "course", "goal"),
    )
