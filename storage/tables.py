"""All tables, once, and the column types that mean the same on both databases. Migrations create them; a test keeps the two the same."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_ESCAPED_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")


def clean(text: str) -> str:
    """Replace what PostgreSQL cannot store: NUL and lone surrogates, which PDFs and browsers do send."""
    return _UNSTORABLE.sub("\ufffd", text)


def to_json(value: Any) -> str:
    """Serialise a JSON column's value so that both databases accept it."""
    text = clean(json.dumps(value, ensure_ascii=False, allow_nan=False))
    return _ESCAPED_NUL.sub("\\1\ufffd", text) if "\\u0000" in text else text


class PlainText(TypeDecorator[str]):
    """Text of any length, cleaned on its way in."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else clean(value)


class Json(TypeDecorator[Any]):
    """A JSON value: jsonb on PostgreSQL, JSON text on SQLite; None is NULL, not the text "null"."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name != "postgresql":
            return dialect.type_descriptor(JSON(none_as_null=True))
        # Here, because a start on SQLite should not pay 0.1 s for PostgreSQL's module.
        from sqlalchemy.dialects.postgresql import JSONB

        return dialect.type_descriptor(JSONB(none_as_null=True))


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC time: timestamptz on PostgreSQL, ISO 8601 text on SQLite."""

    impl = String(32)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "postgresql":
            return dialect.type_descriptor(DateTime(timezone=True))
        return dialect.type_descriptor(String(32))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | str | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("Times are stored with their zone; got a naive datetime.")
        utc = value.astimezone(UTC)
        return utc if dialect.name == "postgresql" else utc.isoformat(timespec="microseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
        # What has no zone was written as UTC; astimezone would take it for the time of this machine's clock.
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


class AnyTime(DateTime):
    """On SQLite, a time whose column nobody names, as in `coalesce(column, now)`: stored like those of a column."""

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any]:
        return partial(UtcDateTime().process_bind_param, dialect=dialect)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        return partial(UtcDateTime().process_result_value, dialect=dialect)


metadata = MetaData(
    naming_convention={
        "ix": "idx_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# --- The course: what was read, and what the index is rebuilt from ---------------------------------

courses = Table(
    "courses",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("title", PlainText, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Column("outline", Json),  # the tree of its units; none before it was read with one
    Column("given_title", PlainText),  # a teacher's name for it, which reading it again leaves alone
    Column("read_from", Json),  # the folders and files, so that it can be read again
    Column("url", PlainText),  # where its pages are on the web, if they are
)

documents = Table(
    "documents",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("course", ForeignKey("courses.name", ondelete="CASCADE"), nullable=False),
    Column("chapter_id", PlainText, nullable=False),
    Column("module_name", PlainText, nullable=False),
    Column("title", PlainText, nullable=False),
    Column("source_url", PlainText, nullable=False),
    Column("position", Integer, nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("ingested_at", UtcDateTime, nullable=False),
    Column("kind", String(20), nullable=False, server_default="content"),
    Column(
        "about", Json
    ),  # what the page says of its own place, so that a new table of contents needs no reading
    UniqueConstraint("course", "chapter_id"),
)

chunks = Table(
    "chunks",
    metadata,
    Column("chunk_id", String(36), primary_key=True),
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("course", ForeignKey("courses.name", ondelete="CASCADE"), nullable=False, index=True),
    Column("chunk_index", Integer, nullable=False),
    Column("chunk_text", PlainText, nullable=False),
    Column("heading_hierarchy", Json, nullable=False),
    Column("page", Integer),
    Column("token_count", Integer, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    Column("embedder", String(100), nullable=False, index=True),
    Column("revision", Integer, nullable=False, index=True),
    Column("continues", Boolean, nullable=False, server_default=false()),
    CheckConstraint("token_count > 0", name="has_tokens"),
    # The search index reads what changed in pages, in this order; the revision spares it the other rows.
    Index("idx_chunks_document", "document_id", "chunk_index", "revision"),
)

# The index asks "what changed since revision n"; a removed chunk is an answer too.
removed_points = Table(
    "removed_points",
    metadata,
    Column("point_id", String(36), primary_key=True),
    Column("revision", Integer, nullable=False, index=True),
)

# One row: which database this is, and the newest revision of its chunks.
corpus_clock = Table(
    "corpus_clock",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("database_id", String(36), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("decisions", Integer, nullable=False, server_default="0"),
    CheckConstraint("id = 1", name="one_row"),
)

extracted_concepts = Table(
    "extracted_concepts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("course", ForeignKey("courses.name", ondelete="CASCADE"), nullable=False),
    Column("name", PlainText, nullable=False),
    Column("definition", PlainText, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("chapter_id", PlainText, nullable=False),
    Column("chunk_id", String(36), nullable=False),
    Column("position", Integer, nullable=False),
    UniqueConstraint("course", "name"),
)

concept_relationships = Table(
    "concept_relationships",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("course", ForeignKey("courses.name", ondelete="CASCADE"), nullable=False),
    Column("prerequisite", PlainText, nullable=False),
    Column("concept", PlainText, nullable=False),
    Column("chunk_id", String(36), nullable=False),
    Column("evidence", PlainText, nullable=False),
    Column("weight", Float, nullable=False),
    UniqueConstraint("course", "prerequisite", "concept"),
)

# The questions of a course that are kept: what its author set, and what code, a model or a teacher added.
items = Table(
    "items",
    metadata,
    Column("question_id", String(36), primary_key=True),
    Column("course", ForeignKey("courses.name", ondelete="CASCADE"), nullable=False),
    Column("exercise_id", String(36), nullable=False),  # the same for all parts of one exercise
    Column("part", Integer, nullable=False),
    Column("chapter_id", PlainText, nullable=False),  # the page that it stands on
    Column("headings", Json, nullable=False),
    Column("position", Integer, nullable=False),  # on that page
    Column("form", String(30), nullable=False),
    Column("title", PlainText, nullable=False),
    Column("origin", String(10), nullable=False),
    Column("chunk_id", String(36), nullable=False),  # of the section that answers it; empty where none does
    Column("concept_name", PlainText, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("written_as", String(20), nullable=False),
    Column("difficulty", String(10), nullable=False),
    Column("question_text", PlainText, nullable=False),
    Column("options", Json, nullable=False),
    Column("whys", Json, nullable=False),
    Column("expected_answer", PlainText, nullable=False),
    Column("solution", PlainText, nullable=False),
    Column("points", Json, nullable=False),
    Column("source_context", PlainText, nullable=False),
    Column("trouble", PlainText, nullable=False),  # why it cannot be asked; empty for most
    Column("created_at", UtcDateTime, nullable=False),
    Column("edited_at", UtcDateTime),  # by a teacher, whose words reading the course again leaves alone
    CheckConstraint("origin IN ('author', 'code', 'model', 'teacher')", name="known_origin"),
    Index("idx_items_course_chunk", "course", "chunk_id"),
    Index("idx_items_course_concept", "course", "concept_name"),
)

# How often a question was answered and how, as it was first graded; of those that are not kept as items too.
item_figures = Table(
    "item_figures",
    metadata,
    Column("course", PlainText, primary_key=True),
    Column("question_id", PlainText, primary_key=True),
    Column("times_asked", Integer, nullable=False, server_default=text("0")),
    Column("times_right", Integer, nullable=False, server_default=text("0")),
    Column("seconds", Float, nullable=False, server_default=text("0")),
    Column("disputes", Integer, nullable=False, server_default=text("0")),
)

# --- The learner -----------------------------------------------------------------------------------

agent_transitions = Table(
    "agent_transitions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("session_id", PlainText, nullable=False),
    Column("from_agent", PlainText, nullable=False),
    Column("to_agent", PlainText, nullable=False),
    Column("reason", PlainText),
    Column("message_excerpt", String(100)),
    Column("timestamp", UtcDateTime, nullable=False),
    Column("user_id", PlainText),  # of none before schema 0007
    Index("idx_transitions_session", "session_id"),
    sqlite_autoincrement=True,
)

learning_cycles = Table(
    "learning_cycles",
    metadata,
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
    sqlite_autoincrement=True,
)

diagnostic_results = Table(
    "diagnostic_results",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", PlainText, nullable=False),
    Column("session_id", PlainText, nullable=False),
    Column("topic", PlainText, nullable=False),
    Column("prerequisite_gaps", Json, nullable=False),
    Column("learner_level", String(20), nullable=False),
    Column("recommendations", Json, nullable=False),
    Column("timestamp", UtcDateTime, nullable=False),
    Column("asking", String(32)),
    Index("idx_diagnostic_user", "user_id"),
    Index("uq_diagnostic_results_asking", "user_id", "session_id", "asking", unique=True),
    sqlite_autoincrement=True,
)

# The evidence ledger: rows are only ever added. A "void" or "rekey" row amends an earlier "answer".
quiz_results = Table(
    "quiz_results",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("action", String(10), nullable=False),
    Column("amends_id", ForeignKey("quiz_results.id")),
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
    Column("hints", Integer, nullable=False, server_default=text("0")),
    Column("asking", String(32)),  # which time the question was asked; of none before schema 0007
    Column("shows_part", Boolean, nullable=False, server_default=false()),
    Column("forecast", Float),  # of the answer, by what was known before it
    CheckConstraint("action IN ('answer', 'void', 'rekey')", name="known_action"),
    CheckConstraint("(action = 'answer') = (amends_id IS NULL)", name="amends_an_answer"),
    Index("idx_quiz_results_user", "user_id", "course", "concept_name"),
    # What of a long record is asked for: the newest, of some time, how an answer was amended, a question's.
    Index("idx_quiz_results_newest", "user_id", "course", "id"),
    Index("idx_quiz_results_answered", "user_id", "answered_at"),
    Index("idx_quiz_results_amends", "amends_id"),
    Index("idx_quiz_results_question", "user_id", "question_id"),
    # An answer to one asking counts once, however often it arrives. PostgreSQL's same condition is in the migration.
    Index(
        "uq_quiz_results_asking",
        "user_id",
        "session_id",
        "cycle_number",
        "question_id",
        "asking",
        unique=True,
        sqlite_where=text("action = 'answer'"),
    ),
)

# What was asked in a session, with its keys: the session's own copy is a client's to write, this one is not.
open_lessons = Table(
    "open_lessons",
    metadata,
    Column("user_id", PlainText, primary_key=True),
    Column("session_id", PlainText, primary_key=True),
    Column("kind", String(10), primary_key=True),
    Column("asking", String(32), nullable=False),
    Column("course", PlainText, nullable=False),
    Column("topic", PlainText, nullable=False),
    Column("cycle_number", Integer, nullable=False),
    Column("threshold", Float, nullable=False),
    Column("questions", Json, nullable=False),
    Column("asked_at", UtcDateTime, nullable=False),
    Index("idx_open_lessons_asked", "asked_at"),
)

# How far a learner is in a lesson that is not over, for whatever session goes on with it.
lesson_places = Table(
    "lesson_places",
    metadata,
    Column("user_id", PlainText, primary_key=True),
    Column("course", PlainText, primary_key=True),
    Column("place", PlainText, primary_key=True),
    Column("part", Integer, primary_key=True),
    Column("topic", PlainText, nullable=False),
    Column("session_id", PlainText, nullable=False),
    Column("lesson", Json, nullable=False),
    Column("asking", String(32)),
    Column("threshold", Float, nullable=False),
    Column("questions", Json, nullable=False),
    Column("kept_at", UtcDateTime, nullable=False),
)

# What a learner's answers amount to, so that nobody has to read them all: written with each of them, made anew where
# the version is another than the program's.
course_records = Table(
    "course_records",
    metadata,
    Column("user_id", PlainText, primary_key=True),
    Column("course", PlainText, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("last_answer", Integer, nullable=False),  # its number
    Column("figures", Json),  # none before they were first made
)

concept_records = Table(
    "concept_records",
    metadata,
    Column("user_id", PlainText, primary_key=True),
    Column("course", PlainText, primary_key=True),
    Column("concept_name", PlainText, primary_key=True),
    Column("record", Json, nullable=False),
)

concept_mastery = Table(
    "concept_mastery",
    metadata,
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

# Fitted to the answers of all learners here; the newest that was not undone counts.
mastery_parameters = Table(
    "mastery_parameters",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("parameters", Json, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("fitted_at", UtcDateTime, nullable=False),
    Column("undone_at", UtcDateTime),
)

knowledge_gaps = Table(
    "knowledge_gaps",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", PlainText, nullable=False),
    Column("course", PlainText, nullable=False),
    Column("concept_name", PlainText, nullable=False),
    Column("topic", PlainText, nullable=False),
    Column("origin", String(20), nullable=False),
    Column("detected_at", UtcDateTime, nullable=False),
    Column("resolved_at", UtcDateTime),
    Index("idx_gaps_user", "user_id", "course"),
    # A concept is an open gap once, however many turns notice it at the same time. PostgreSQL's same
    # condition is in the migration only: naming it here would load that dialect at every start (0.1 s).
    Index(
        "uq_gaps_open",
        "user_id",
        "course",
        "concept_name",
        unique=True,
        sqlite_where=text("resolved_at IS NULL"),
    ),
)

session_logs = Table(
    "session_logs",
    metadata,
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
    Index("idx_session_logs_session_time", "session_id", "timestamp"),
    Index("idx_session_logs_user", "user_id", "timestamp"),
)

tasks = Table(
    "tasks",
    metadata,
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
    # A deleted task's number is never given to another task: the learner may still point at it.
    sqlite_autoincrement=True,
)

learner_goals = Table(
    "learner_goals",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", PlainText, nullable=False),
    Column("course", PlainText, nullable=False),
    Column("goal", PlainText, nullable=False),
    Column("stated_at", UtcDateTime, nullable=False),
    UniqueConstraint("user_id", "course", "goal"),
)

# The last plan that a learner was shown, so that the next one can say what has moved.
study_plans = Table(
    "study_plans",
    metadata,
    Column("user_id", PlainText, primary_key=True),
    Column("course", PlainText, primary_key=True),
    Column("promise", Json, nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
)

# What the tutor itself put on a learner's list, why, and what became of it. A task's number is never
# given again, so a row may outlive its task.
study_tasks = Table(
    "study_tasks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", PlainText, nullable=False),
    Column("course", PlainText, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("subject", PlainText, nullable=False),
    Column("occasion", String(40), nullable=False),
    Column("task_id", Integer, nullable=False),
    Column("title", String(255), nullable=False),
    Column("made_at", UtcDateTime, nullable=False),
    Column("closed_at", UtcDateTime),
    Column("outcome", String(10)),
    UniqueConstraint("user_id", "course", "kind", "subject", "occasion"),
    CheckConstraint("kind IN ('cycles', 'review', 'gap')", name="known_kind"),
    CheckConstraint("outcome IN ('done', 'deleted', 'settled')", name="known_outcome"),
    CheckConstraint("(closed_at IS NULL) = (outcome IS NULL)", name="closed_with_outcome"),
    Index("idx_study_tasks_task", "task_id"),
    # PostgreSQL's condition is in the migration only, as for the gaps.
    Index(
        "uq_study_tasks_open",
        "user_id",
        "course",
        "subject",
        unique=True,
        sqlite_where=text("closed_at IS NULL"),
    ),
)

# --- Who may come in, and what a teacher decides -----------------------------------------------------

# An account's name is the user_id of everything that is kept about its learner.
accounts = Table(
    "accounts",
    metadata,
    Column("name", PlainText, primary_key=True),
    Column("is_teacher", Boolean, nullable=False),
    Column("password_hash", PlainText),  # none until the one-time link was used
    Column("password_set_at", UtcDateTime),  # who signed in before this has to sign in again
    Column("link_hash", String(64), unique=True),
    Column("link_expires_at", UtcDateTime),
    Column("created_at", UtcDateTime, nullable=False),
    CheckConstraint("(link_hash IS NULL) = (link_expires_at IS NULL)", name="link_expires"),
    CheckConstraint("(password_hash IS NULL) = (password_set_at IS NULL)", name="password_is_dated"),
)

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", PlainText, nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("label", PlainText, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Index("idx_api_tokens_user", "user_id"),
)

# What a teacher decided about a question; a later decision on it may withdraw an earlier one, and none is deleted.
question_rulings = Table(
    "question_rulings",
    metadata,
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

# 'I disagree': what the learner said, and what the tutor made of it; the teacher reads both.
disputes = Table(
    "disputes",
    metadata,
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

# From when on something is mastered, where somebody chose it: a teacher for a course, a learner for themselves.
course_thresholds = Table(
    "course_thresholds",
    metadata,
    Column("course", PlainText, primary_key=True),
    Column("threshold", Float, nullable=False),
    Column("decided_by", PlainText, nullable=False),
    Column("decided_at", UtcDateTime, nullable=False),
    CheckConstraint("threshold BETWEEN 0 AND 1", name="course_threshold_is_a_share"),
)

learner_thresholds = Table(
    "learner_thresholds",
    metadata,
    Column("user_id", PlainText, primary_key=True),
    Column("threshold", Float, nullable=False),
    Column("chosen_at", UtcDateTime, nullable=False),
    CheckConstraint("threshold BETWEEN 0 AND 1", name="own_threshold_is_a_share"),
)

# On PostgreSQL; on SQLite a session's lock is a file.
session_locks = Table(
    "session_locks",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("holder", String(32), nullable=False),
    Column("until", UtcDateTime, nullable=False),
)

# What one worker does for all, and when it was done last.
chores = Table(
    "chores",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("done_at", UtcDateTime, nullable=False),
)
