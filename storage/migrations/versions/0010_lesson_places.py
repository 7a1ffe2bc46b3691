"""How far a learner is in each lesson that is not over, for whatever session goes on with it."""

from alembic import op
from sqlalchemy import Column, Float, Integer, String

from storage.tables import Json, PlainText, UtcDateTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lesson_places",
        Column("user_id", PlainText, primary_key=True),
        Column("course", PlainText, primary_key=True),
        Column("place", PlainText, primary_key=True),
        Column("part", Integer, primary_key=True),
        Column("topic", PlainText, nullable=False),
        Column("session_id", PlainText, nullable=False),
        Column("lesson", Json, nullable=False),
        Column("asking", String(32)),
        Column("threshold", Float, nullable=False),
        Column("questions", Json, nullable=False),
        Column("kept_at", UtcDateTime, nullable=False),
    )
