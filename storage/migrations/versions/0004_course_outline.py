"""The outline: a course's tree, what kind of page each document is, and blocks cut over several chunks."""

from alembic import op
from sqlalchemy import Boolean, Column, String, false

from storage.tables import Json

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("courses", Column("outline", Json))
    op.add_column("documents", Column("kind", String(20), nullable=False, server_default="content"))
    op.add_column("documents", Column("about", Json))
    op.add_column("chunks", Column("continues", Boolean, nullable=False, server_default=false()))
