"""A whole installation as one file, and back into an empty database of either kind.

One JSON line a row, packed: first what it is, then table by table as `[table, {column: value}]`, each table after
those that it points to. What workers agree upon from moment to moment is left out.
"""

import base64
import gzip
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import Integer, LargeBinary, Table, delete, func, insert, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.database import Database, in_batches
from storage.errors import InvalidInputError
from storage.migrate import revisions
from storage.tables import UtcDateTime, chores, corpus_clock, metadata, session_locks

Line = list[Any]

_FORMAT = "mastery-loop installation"
_LEFT_OUT = {session_locks, chores}
_BATCH = 500
TABLES = [table for table in metadata.sorted_tables if table not in _LEFT_OUT]
_NOT_OURS = "That file was not written by 'tutor export --all', or is not whole."


async def rows_of(database: Database) -> AsyncIterator[Line]:
    """Every row as it is at one moment."""
    async with database.write() as conn:
        if conn.dialect.name == "postgresql":
            await conn.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
        for table in TABLES:
            async for row in _all_of(conn, table):
                yield [table.name, {name: _packed(value) for name, value in row.items()}]


async def put_rows(database: Database, lines: Iterable[Line]) -> Counter[str]:
    """Put all of it into a database in which nothing is yet; how many rows of each table.

    All or nothing: a file that breaks off leaves the database as it was.
    """
    counts: Counter[str] = Counter()
    by_name = {table.name: table for table in TABLES}
    async with database.write() as conn:
        await _refuse_used(conn)
        await conn.execute(delete(corpus_clock))
        waiting: list[Line] = []
        for name, row in lines:
            if name not in by_name:
                raise InvalidInputError(_NOT_OURS)
            if waiting and (waiting[0][0] != name or len(waiting) == _BATCH):
                await _insert(conn, by_name[waiting[0][0]], waiting)
                waiting = []
            waiting.append([name, row])
            counts[name] += 1
        if waiting:
            await _insert(conn, by_name[waiting[0][0]], waiting)
        if not counts[corpus_clock.name]:
            raise InvalidInputError(_NOT_OURS)
        # Another database from now on, so that no index takes itself for one of this.
        await conn.execute(update(corpus_clock).values(database_id=str(uuid4())))
        await _count_on(conn)
    return counts


@contextmanager
def writing(file: Path) -> Iterator[Any]:
    """Write lines with the function that is given; for its owner only, and in place once it is whole."""
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    try:
        with gzip.open(part, "wt", encoding="utf-8") as stream:

            def write(line: Any) -> None:
                stream.write(json.dumps(line, ensure_ascii=True, allow_nan=False) + "\n")

            write({"format": _FORMAT, "revision": revisions()[-1]})
            yield write
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def reading(file: Path) -> Iterator[Line]:
    """The lines of a file that this version wrote, after its first."""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            head = json.loads(stream.readline() or "null")
            if not isinstance(head, dict) or head.get("format") != _FORMAT:
                raise InvalidInputError(_NOT_OURS)
            if head["revision"] != revisions()[-1]:
                raise InvalidInputError(
                    f"That file is of schema {head['revision']}, this version reads {revisions()[-1]}. "
                    "Export with the same version of the program."
                )
            for line in stream:
                yield json.loads(line)
    except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError) as err:
        raise InvalidInputError(_NOT_OURS) from err


async def _all_of(conn: AsyncConnection, table: Table) -> AsyncIterator[Mapping[str, Any]]:
    """The rows by their key, page by page: an installation may be larger than the memory."""
    keys = tuple(table.primary_key.columns)
    page = select(table).order_by(*keys).limit(_BATCH)
    found = (await conn.execute(page)).all()
    while found:
        for row in found:
            yield row._asdict()
        last = [found[-1]._mapping[key] for key in keys]
        found = (await conn.execute(page.where(tuple_(*keys) > tuple_(*last)))).all()


async def _refuse_used(conn: AsyncConnection) -> None:
    for table in TABLES:
        if table is not corpus_clock and (await conn.execute(select(table).limit(1))).first():
            raise InvalidInputError(
                f"There is something in this database already ({table.name.replace('_', ' ')}). "
                "Import into an empty one: TUTOR_DATABASE_URL says which."
            )


async def _insert(conn: AsyncConnection, table: Table, lines: list[Line]) -> None:
    rows = [{name: _unpacked(table, name, value) for name, value in row.items()} for _, row in lines]
    for batch in in_batches(rows, size=_BATCH):
        await conn.execute(insert(table), list(batch))


async def _count_on(conn: AsyncConnection) -> None:
    """PostgreSQL hands out numbers by itself, and knows nothing of those that came with the rows."""
    if conn.dialect.name != "postgresql":
        return
    for table in TABLES:
        key = table.primary_key.columns.get("id")
        if key is not None and isinstance(key.type, Integer) and table is not corpus_clock:
            highest = (await conn.execute(select(func.max(key)))).scalar()
            if highest:
                counter = func.pg_get_serial_sequence(table.name, "id")
                await conn.execute(select(func.setval(counter, highest)))


def _packed(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, datetime) else value


def _unpacked(table: Table, name: str, value: Any) -> Any:
    if name not in table.c:
        raise InvalidInputError(_NOT_OURS)
    kind = table.c[name].type
    if value is None:
        return None
    if isinstance(kind, LargeBinary):
        return base64.b64decode(value)
    return datetime.fromisoformat(value) if isinstance(kind, UtcDateTime) else value
