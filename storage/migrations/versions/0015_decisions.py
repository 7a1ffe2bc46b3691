"""Each decision that counts for everybody moves a number, so that nobody has to read the others again."""

from alembic import op
from sqlalchemy import Column, Integer

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("corpus_clock", Column("decisions", Integer, nullable=False, server_default="0"))
