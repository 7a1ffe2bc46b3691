"""Small parts that the repositories build their statements from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Column, Row, Table
from sqlalchemy.ext.asyncio import AsyncConnection

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

T = TypeVar("T")

_LARGEST_ID = 2**31 - 1


def insert_or(conn: AsyncConnection, table: Table) -> "sqlite.Insert | postgresql.Insert":
    """An INSERT that can say what to do on a conflict; both databases spell it the same."""
    # Imported on use: each dialect costs its start-up time only where it is spoken.
    if conn.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)


def in_batches(items: Sequence[T], *, size: int) -> Iterator[Sequence[T]]:
    """Cut a sequence into pieces that fit into one statement's parameters."""
    return (items[start : start + size] for start in range(0, len(items), size))


def can_be_id(number: int) -> bool:
    """Whether a row could have this id; the drivers raise on integers beyond their column."""
    return 0 < number <= _LARGEST_ID


def columns_for(record: type[Any], *tables: Table) -> list[Column[Any]]:
    """The columns that a record's fields are named after; the first table that has one gives it."""
    names = [field.name for field in fields(record)]
    found = ([table.c[name] for table in tables if name in table.c] for name in names)
    return [columns[0] for columns in found if columns]


def to_record(record: Callable[..., T], row: Row[Any]) -> T:
    """Make a frozen record of a row; JSON arrays become tuples."""
    values = row._asdict()
    return record(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    )


def to_row(record: Any, **more: Any) -> dict[str, Any]:
    """The values of a record to insert; dataclasses.asdict would copy every value."""
    return {field.name: getattr(record, field.name) for field in fields(record)} | more
