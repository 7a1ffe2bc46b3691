"""Numbers that are never given twice in the mission's three tables, and a course's public address."""

from alembic import op
from sqlalchemy import Column

from storage.tables import PlainText

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("courses", Column("url", PlainText))
    # PostgreSQL's sequences never go back; SQLite can only learn it by copying the table.
    if op.get_context().dialect.name == "sqlite":
        for table in ("agent_transitions", "learning_cycles", "diagnostic_results"):
            with op.batch_alter_table(table, recreate="always", table_kwargs={"sqlite_autoincrement": True}):
                pass
