"""${message}."""

from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Additive only: new tables, new columns that may be null or have a default, new indexes.
    ${upgrades if upgrades else "pass"}
