"""Column types that mean the same on SQLite and PostgreSQL."""

import json
import re
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, String, Text
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
        return moment.astimezone(UTC)
