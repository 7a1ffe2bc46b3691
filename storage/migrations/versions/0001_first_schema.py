"""The first schema: courses and their chunks, learners and their records.

Written out rather than taken from tables.py, which will move on.
"""

from uuid import uuid4

from alembic import op
from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    UniqueConstraint,
    text,
)

from storage.tables import Json, PlainText, UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_course_tables()
    _create_learner_tables()
    op.execute(
        text("INSERT INTO corpus_clock (id, database_id, revision) VALUES (1, :database_id, 0)").bindparams(
            database_id=str(uuid4())
        )
    )


def _create_course_tables() -> None:
    op.create_table(
        "courses",
        Column("name", String(100), primary_key=True),
        Column("title", PlainText, nullable=False),
        Column("updated_at", UtcDateTime, nullable=False),
    )
    op.create_table(
        "documents",
        Column("id", String(36), primary_key=True),
        Column("course", String(100), ForeignKey("courses.name", ondelete="CASCADE"), nullable=False),
        Column("chapter_id", PlainText, nullable=False),
        Column("module_name", PlainText, nullable=False),
        Column("title", PlainText, nullable=False),
        Column("source_url", PlainText, nullable=False),
        Column("position", Integer, nullable=False),
        Column("content_hash", String(64), nullable=False),
        Column("ingested_at", UtcDateTime, nullable=False),
        UniqueConstraint("course", "chapter_id"),
    )
    op.create_table(
        "chunks",
        Column("chunk_id", String(36), primary_key=True),
        Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
        Column(
            "course", String(100), ForeignKey("courses.name", ondelete="CASCADE"), nullable=False, index=True
        ),
        Column("chunk_index", Integer, nullable=False),
        Column("chunk_text", PlainText, nullable=False),
        Column("heading_hierarchy", Json, nullable=False),
        Column("page", Integer),
        Column("token_count", Integer, nullable=False),
        Column("vector", LargeBinary, nullable=False),
        Column("embedder", String(100), nullable=False, index=True),
        Column("revision", Integer, nullable=False, index=True),
        CheckConstraint("token_count > 0", name="has_tokens"),
        Index("idx_chunks_document", "document_id", "chunk_index", "revision"),
    )
    op.create_table(
        "removed_points",
        Column("point_id", String(36), primary_key=True),
        Column("revision", Integer, nullable=False, index=True),
    )
    op.create_table(
        "corpus_clock",
        Column("id", Integer, primary_key=True),
        Column("database_id", String(36), nullable=False),
        Column("revision", Integer, nullable=False),
        CheckConstraint("id = 1", name="one_row"),
    )
    op.create_table(
        "extracted_concepts",
        Column("id", Integer, primary_key=True),
        Column("course", String(100), ForeignKey("courses.name", ondelete="CASCADE"), nullable=False),
        Column("name", PlainText, nullable=False),
        Column("definition", PlainText, nullable=False),
        Column("kind", String(20), nullable=False),
        Column("chapter_id", PlainText, nullable=False),
        Column("chunk_id", String(36), nullable=False),
        Column("position", Integer, nullable=False),
        UniqueConstraint("course", "name"),
    )
    op.create_table(
        "concept_relationships",
        Column("id", Integer, primary_key=True),
        Column("course", String(100), ForeignKey("courses.name", ondelete="CASCADE"), nullable=False),
        Column("prerequisite", PlainText, nullable=False),
        Column("concept", PlainText, nullable=False),
        Column("chunk_id", String(36), nullable=False),
        Column("evidence", PlainText, nullable=False),
        Column("weight", Float, nullable=False),
        UniqueConstraint("course", "prerequisite", "concept"),
    )


def _create_learner_tables() -> None:
    op.create_table(
        "agent_transitions",
        Column("id", Integer, primary_key=True),
        Column("session_id", PlainText, nullable=False),
        Column("from_agent", PlainText, nullable=False),
        Column("to_agent", PlainText, nullable=False),
        Column("reason", PlainText),
        Column("message_excerpt", String(100)),
        Column("timestamp", UtcDateTime, nullable=False),
        Index("idx_transitions_session", "session_id"),
    )
    op.create_table(
        "learning_cycles",
        Column("id", Integer, primary_key=True),
        Column("user_id", PlainText, nullable=False),
        Column("session_id", PlainText, nullable=False),
        Column("topic", PlainText, nullable=False),
        Column("cycle_number", Integer, nullable=False),
        Column("quiz_score", Float),
        Column("mastery_achieved", Boolean),
        Column("started_at", UtcDateTime, nullable=False),
        Column("completed_at", UtcDateTime),
        Index("idx_cycles_user", "user_id"),
        Index("idx_cycles_topic", "topic"),
    )
    op.create_table(
        "diagnostic_results",
        Column("id", Integer, primary_key=True),
        Column("user_id", PlainText, nullable=False),
        Column("session_id", PlainText, nullable=False),
        Column("topic", PlainText, nullable=False),
        Column("prerequisite_gaps", Json, nullable=False),
        Column("learner_level", String(20), nullable=False),
        Column("recommendations", Json, nullable=False),
        Column("timestamp", UtcDateTime, nullable=False),
        Index("idx_diagnostic_user", "user_id"),
    )
    op.create_table(
        "quiz_results",
        Column("id", Integer, primary_key=True),
        Column("action", String(10), nullable=False),
        Column("amends_id", Integer, ForeignKey("quiz_results.id")),
        Column("user_id", PlainText, nullable=False),
        Column("session_id", PlainText, nullable=False),
        Column("course", PlainText, nullable=False),
        Column("topic", PlainText, nullable=False),
        Column("cycle_number", Integer, nullable=False),
        Column("question_id", PlainText, nullable=False),
        Column("question_text", PlainText, nullable=False),
        Column("concept_name", PlainText, nullable=False),
        Column("kind", String(20), nullable=False),
        Column("difficulty", String(10), nullable=False),
        Column("expected_answer", PlainText, nullable=False),
        Column("options", Json, nullable=False),
        Column("chunk_id", String(36), nullable=False),
        Column("source_context", PlainText, nullable=False),
        Column("learner_answer", PlainText, nullable=False),
        Column("is_correct", Boolean, nullable=False),
        Column("score", Float, nullable=False),
        Column("grader", String(20), nullable=False),
        Column("reason", PlainText, nullable=False),
        Column("confident", Boolean, nullable=False),
        Column("attempt_number", Integer, nullable=False),
        Column("time_taken_seconds", Float, nullable=False),
        Column("answered_at", UtcDateTime, nullable=False),
        CheckConstraint("action IN ('answer', 'void', 'rekey')", name="known_action"),
        CheckConstraint("(action = 'answer') = (amends_id IS NULL)", name="amends_an_answer"),
        Index("idx_quiz_results_user", "user_id", "course", "concept_name"),
    )
    op.create_table(
        "concept_mastery",
        Column("user_id", PlainText, primary_key=True),
        Column("course", PlainText, primary_key=True),
        Column("concept_name", PlainText, primary_key=True),
        Column("mastery_score", Float, nullable=False),
        Column("evidence_count", Integer, nullable=False),
        Column("mastered", Boolean, nullable=False),
        Column("review_due_at", UtcDateTime),
        Column("review_card", Json),
        Column("updated_at", UtcDateTime, nullable=False),
    )
    op.create_table(
        "knowledge_gaps",
        Column("id", Integer, primary_key=True),
        Column("user_id", PlainText, nullable=False),
        Column("course", PlainText, nullable=False),
        Column("concept_name", PlainText, nullable=False),
        Column("topic", PlainText, nullable=False),
        Column("origin", String(20), nullable=False),
        Column("detected_at", UtcDateTime, nullable=False),
        Column("resolved_at", UtcDateTime),
        Index("idx_gaps_user", "user_id", "course"),
        Index(
            "uq_gaps_open",
            "user_id",
            "course",
            "concept_name",
            unique=True,
            sqlite_where=text("resolved_at IS NULL"),
            postgresql_where=text("resolved_at IS NULL"),
        ),
    )
    op.create_table(
        "session_logs",
        Column("turn_id", String(36), primary_key=True),
        Column("user_id", PlainText, nullable=False),
        Column("session_id", PlainText, nullable=False),
        Column("turn_number", Integer, nullable=False),
        Column("user_query", PlainText, nullable=False),
        Column("status", String(30), nullable=False),
        Column("agent_response", Json, nullable=False),
        Column("retrieval_results", Json, nullable=False),
        Column("timestamp", UtcDateTime, nullable=False),
        Column("duration_seconds", Float, nullable=False),
        CheckConstraint("duration_seconds > 0", name="took_time"),
        Index("idx_session_logs_session", "session_id"),
        Index("idx_session_logs_user", "user_id", "timestamp"),
    )
    op.create_table(
        "tasks",
        Column("id", Integer, primary_key=True),
        Column("user_id", PlainText, nullable=False),
        Column("title", String(255), nullable=False),
        Column("description", String(1000)),
        Column("status", String(10), nullable=False),
        Column("due_at", UtcDateTime),
        Column("origin", String(20), nullable=False),
        Column("created_at", UtcDateTime, nullable=False),
        Column("completed_at", UtcDateTime),
        CheckConstraint("length(title) BETWEEN 1 AND 255", name="title_length"),
        CheckConstraint("description IS NULL OR length(description) <= 1000", name="description_length"),
        CheckConstraint("status IN ('pending', 'completed')", name="known_status"),
        Index("idx_tasks_user", "user_id", "status"),
        sqlite_autoincrement=True,
    )
