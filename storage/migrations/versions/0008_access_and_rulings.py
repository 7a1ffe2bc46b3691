"""Who may come in (accounts, tokens), what a teacher decides about questions, and what learners dispute."""

from alembic import op
from sqlalchemy import Boolean, CheckConstraint, Column, Index, Integer, String

from storage.tables import Json, PlainText, UtcDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("courses", Column("given_title", PlainText))
    op.add_column("courses", Column("read_from", Json))
    op.create_table(
        "accounts",
        Column("name", PlainText, primary_key=True),
        Column("is_teacher", Boolean, nullable=False),
        Column("password_hash", PlainText),
        Column("password_set_at", UtcDateTime),
        Column("link_hash", String(64), unique=True),
        Column("link_expires_at", UtcDateTime),
        Column("created_at", UtcDateTime, nullable=False),
        CheckConstraint("(link_hash IS NULL) = (link_expires_at IS NULL)", name="link_expires"),
        CheckConstraint("(password_hash IS NULL) = (password_set_at IS NULL)", name="password_is_dated"),
    )
    op.create_table(
        "api_tokens",
        Column("id", Integer, primary_key=True),
        Column("user_id", PlainText, nullable=False),
        Column("token_hash", String(64), nullable=False, unique=True),
        Column("label", PlainText, nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
        Index("idx_api_tokens_user", "user_id"),
    )
    op.create_table(
        "question_rulings",
        Column("id", Integer, primary_key=True),
        Column("course", PlainText, nullable=False),
        Column("question_id", PlainText, nullable=False),
        Column("question_text", PlainText, nullable=False),
        Column("ruling", String(12), nullable=False),
        Column("accepted_answer", PlainText),
        Column("decided_by", PlainText, nullable=False),
        Column("decided_at", UtcDateTime, nullable=False),
        Column("withdrawn_at", UtcDateTime),
        CheckConstraint("ruling IN ('void', 'also_right', 'retired')", name="known_ruling"),
        CheckConstraint("(ruling = 'also_right') = (accepted_answer IS NOT NULL)", name="accepts_an_answer"),
        Index("idx_question_rulings_question", "course", "question_id"),
    )
    op.create_table(
        "disputes",
        Column("id", Integer, primary_key=True),
        Column("user_id", PlainText, nullable=False),
        Column("course", PlainText, nullable=False),
        Column("question_id", PlainText, nullable=False),
        Column("answer_id", Integer, nullable=False),
        Column("argument", PlainText, nullable=False),
        Column("outcome", String(10), nullable=False),
        Column("disputed_at", UtcDateTime, nullable=False),
        CheckConstraint("outcome IN ('kept', 'corrected', 'voided')", name="known_outcome"),
        Index("idx_disputes_course", "course"),
        Index("idx_disputes_user", "user_id"),
    )
