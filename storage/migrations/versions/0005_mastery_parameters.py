"""Mastery: how many hints came before an answer, and the parameters that were fitted to this installation's answers."""

from alembic import op
from sqlalchemy import Column, Integer, text

from storage.tables import Json, UtcDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("quiz_results", Column("hints", Integer, nullable=False, server_default=text("0")))
    op.create_table(
        "mastery_parameters",
        Column("id", Integer, primary_key=True),
        Column("parameters", Json, nullable=False),
        Column("answers", Integer, nullable=False),
        Column("fitted_at", UtcDateTime, nullable=False),
        Column("undone_at", UtcDateTime),
    )
