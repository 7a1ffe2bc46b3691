"""When a task was completed: on SQLite it was stored in UTC without saying so."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "UPDATE tasks SET completed_at = replace(completed_at, ' ', 'T') || '+00:00' "
            "WHERE completed_at NOT LIKE '%+00:00'"
        )
