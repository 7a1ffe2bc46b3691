"""What is kept beside the ledger: for each learner and course what the answers amount to, so that nobody reads them all.

What it says is the business of whoever keeps the books; here it is JSON, written in the transaction that changes the
ledger. A shelf of another version is made anew from the ledger by the first one who wants it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqlalchemy import Row, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from agents.teaching.evidence import GradedAnswer, LedgerRow
from storage.database import insert_or, put, to_record, where_given
from storage.tables import concept_records, course_records, quiz_results

Kept = Mapping[str, Any]
NOT_MADE = 0  # the version of a shelf that nobody has filled


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerShelf:
    """One learner in one course."""

    user_id: str
    course: str
    version: int
    last_answer: int
    figures: Kept  # empty before they were made
    concepts: Mapping[str, Kept] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A shelf made from the ledger, with the forecasts that its answers lack, by their numbers."""

    concepts: Mapping[str, Kept]
    figures: Kept
    forecasts: Mapping[int, float]


class Bookkeeping(Protocol):
    """Says what answers amount to."""

    @property
    def version(self) -> int:
        """Of what it writes: what another one wrote is not read."""
        ...

    def forecast(self, shelf: AnswerShelf, answer: GradedAnswer, *, parameters: Any) -> float | None:
        """The chance of a right answer, by what was known before it."""
        ...

    def added(self, shelf: AnswerShelf, answer: LedgerRow) -> Kept | None:
        """The concept with one more answer; None when that one is older than others, so that it takes a replay."""
        ...

    def replayed(self, rows: Sequence[LedgerRow]) -> Kept:
        """A concept from all its rows."""
        ...

    def counted(self, figures: Kept, after: LedgerRow, *, before: LedgerRow | None = None) -> Kept:
        """The figures of the course with an answer as it stands now, in the place of how it stood."""
        ...

    def made(self, rows: Sequence[LedgerRow], *, was_made: Kept | None, parameters: Any) -> Made:
        """All of a course from all its rows, and from the figures that it had."""
        ...


async def open_shelf(
    conn: AsyncConnection, user_id: str, *, course: str, books: Bookkeeping, parameters: Any
) -> AnswerShelf:
    """A learner's shelf, which nobody else writes to before the transaction ends."""
    key = {"user_id": user_id, "course": course}
    new = insert_or(conn, course_records).values(**key, version=NOT_MADE, last_answer=0)
    # An update that changes nothing, because it takes the row's lock and returns it in one statement.
    held = new.on_conflict_do_update(index_elements=list(key), set_=key).returning(course_records)
    row = (await conn.execute(held)).one()
    if row.version != books.version:
        await _make(conn, user_id, course=course, was_made=row.figures, books=books, parameters=parameters)
        row = (await conn.execute(select(course_records).filter_by(**key))).one()
    [shelf] = await _filled(conn, [row], key)
    return shelf


async def read_shelves(
    conn: AsyncConnection, *, user_id: str | None = None, course: str | None = None
) -> list[AnswerShelf]:
    """A learner's shelves as they are, or a course's, the one that was used last first."""
    wanted = {"user_id": user_id, "course": course}
    own = where_given(select(course_records), **wanted)
    rows = (await conn.execute(own.order_by(course_records.c.last_answer.desc()))).all()
    return await _filled(conn, rows, wanted) if rows else []


async def _filled(
    conn: AsyncConnection, rows: Sequence[Row[Any]], wanted: Mapping[str, str | None]
) -> list[AnswerShelf]:
    """The shelves with their concepts."""
    concepts: dict[tuple[str, str], dict[str, Kept]] = {(row.user_id, row.course): {} for row in rows}
    inside = where_given(select(concept_records), **wanted).order_by(concept_records.c.concept_name)
    for found in (await conn.execute(inside)).all():
        concepts.setdefault((found.user_id, found.course), {})[found.concept_name] = found.record
    return [
        AnswerShelf(
            **{**row._asdict(), "figures": row.figures or {}}, concepts=concepts[row.user_id, row.course]
        )
        for row in rows
    ]


async def keep_concept(conn: AsyncConnection, shelf: AnswerShelf, name: str, record: Kept) -> None:
    values = {"user_id": shelf.user_id, "course": shelf.course, "concept_name": name, "record": dict(record)}
    await put(conn, concept_records, values, keys=["user_id", "course", "concept_name"])


async def keep_figures(
    conn: AsyncConnection, shelf: AnswerShelf, figures: Kept, *, last_answer: int = 0
) -> None:
    own = update(course_records).filter_by(user_id=shelf.user_id, course=shelf.course)
    latest = {"last_answer": last_answer} if last_answer else {}
    await conn.execute(own.values(figures=dict(figures), **latest))


async def _make(
    conn: AsyncConnection,
    user_id: str,
    *,
    course: str,
    was_made: Kept | None,
    books: Bookkeeping,
    parameters: Any,
) -> None:
    """The one replay."""
    key = {"user_id": user_id, "course": course}
    own = select(quiz_results).filter_by(**key).order_by(quiz_results.c.id)
    rows = [to_record(LedgerRow, row) for row in (await conn.execute(own)).all()]
    made = books.made(rows, was_made=was_made, parameters=parameters)
    await conn.execute(delete(concept_records).filter_by(**key))
    if made.concepts:
        new = [
            {**key, "concept_name": name, "record": dict(record)} for name, record in made.concepts.items()
        ]
        await conn.execute(concept_records.insert(), new)
    for number, said in made.forecasts.items():
        await conn.execute(update(quiz_results).filter_by(id=number).values(forecast=said))
    last = max((row.id for row in rows if row.action == "answer"), default=0)
    values = {"version": books.version, "figures": dict(made.figures), "last_answer": last}
    await conn.execute(update(course_records).filter_by(**key).values(values))
