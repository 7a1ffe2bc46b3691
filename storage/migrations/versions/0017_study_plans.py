"""The last plan that a learner was shown: the date of their goal, their minutes a day, and each section's day."""

from alembic import op
from sqlalchemy import Column

from storage.tables import Json, PlainText, UtcDateTime

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "study_plans",
        Column("user_id", PlainText, primary_key=True),
        Column("course", PlainText, primary_key=True),
        Column("promise", Json, nullable=False),
        Column("made_at", UtcDateTime, nullable=False),
    )
