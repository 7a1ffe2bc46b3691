"""What the repositories are made of: statements that both databases understand, and records of their rows."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import ColumnElement, Executable, Row, Select, Table, false
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.database import Database

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

T = TypeVar("T")

_LARGEST_ID = 2**31 - 1


class Repository:
    """One kind of records in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def _all(self, record: type[T], statement: Executable) -> list[T]:
        """The records that a statement finds."""
        return [to_record(record, row) for row in await self._database.fetch(statement)]

    async def _first(self, record: type[T], statement: Executable) -> T | None:
        """The first record that a statement finds, or None."""
        return next(iter(await self._all(record, statement)), None)

    async def _write(self, record: type[T], statement: Executable) -> T | None:
        """One statement as a transaction of its own; the row that it returns, or None when it changed none."""
        async with self._database.write() as conn:
            row = (await conn.execute(statement)).first()
        return None if row is None else to_record(record, row)


def insert_or(conn: AsyncConnection, table: Table) -> "sqlite.Insert | postgresql.Insert":
    """An INSERT that can say what to do on a conflict; both databases spell it the same."""
    # Imported on use: each dialect costs its start-up time only where it is spoken.
    if conn.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)


async def put(conn: AsyncConnection, table: Table, values: dict[str, Any], *, keys: Sequence[str]) -> None:
    """Add a row, or give the one with the same keys its other values."""
    news = {name: value for name, value in values.items() if name not in keys}
    new = insert_or(conn, table).values(values)
    await conn.execute(new.on_conflict_do_update(index_elements=keys, set_=news))


def where_given(statement: Select[Any], **wanted: Any) -> Select[Any]:
    """Only the rows with these values; what is None is not asked for."""
    return statement.filter_by(**{name: value for name, value in wanted.items() if value is not None})


def in_batches(items: Sequence[T], *, size: int = 500) -> Iterator[Sequence[T]]:
    """Cut a sequence into pieces that fit into one statement's parameters."""
    return (items[start : start + size] for start in range(0, len(items), size))


def has_id(table: Table, number: int) -> ColumnElement[bool]:
    """Which row; none for a number that no row can have, because the drivers raise on those beyond their column."""
    return table.c.id == number if 0 < number <= _LARGEST_ID else false()


def to_record(record: type[T], row: Row[Any]) -> T:
    """Make a frozen record of the columns that its fields are named after; JSON arrays become tuples."""
    values = row._asdict()
    found = {field.name: values[field.name] for field in fields(record)}  # type: ignore[arg-type]
    return record(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    )


def to_row(record: Any, **more: Any) -> dict[str, Any]:
    """The values of a record to insert; dataclasses.asdict would copy every value."""
    return {field.name: getattr(record, field.name) for field in fields(record)} | more
