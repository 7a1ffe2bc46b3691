"""Several workers on one database: whose turn it is in a session, and who did last what one of them does for all."""

from alembic import op
from sqlalchemy import Column, String

from storage.tables import UtcDateTime

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "session_locks",
        Column("key", String(64), primary_key=True),
        Column("holder", String(32), nullable=False),
        Column("until", UtcDateTime, nullable=False),
    )
    op.create_table(
        "chores",
        Column("name", String(64), primary_key=True),
        Column("done_at", UtcDateTime, nullable=False),
    )
