"""A session's turns in their order, without sorting all that the session ever said."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("idx_session_logs_session_time", "session_logs", ["session_id", "timestamp"])
