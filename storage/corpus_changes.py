"""How courses are written: each function is a part of one transaction."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Executable, Select, Table, bindparam, delete, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.course import Concept, CourseChanges, Relationship
from storage.statements import in_batches, insert_or, to_row
from storage.tables import (
    chunks,
    concept_relationships,
    corpus_clock,
    courses,
    documents,
    extracted_concepts,
    removed_points,
)

_BATCH = 500
_PLACE = ("position", "title", "module_name", "kind")


async def apply_changes(conn: AsyncConnection, changes: CourseChanges, *, now: datetime) -> int:
    """Write everything that one ingest found, and return the new revision."""
    revision = await _next_revision(conn)
    await _put_course(conn, changes, now=now)
    for ids in in_batches(await _outdated_documents(conn, changes), size=_BATCH):
        await _retire(conn, select(chunks.c.chunk_id).where(chunks.c.document_id.in_(ids)), revision=revision)
        await _retire(conn, select(documents.c.id).where(documents.c.id.in_(ids)), revision=revision)
        await conn.execute(delete(documents).where(documents.c.id.in_(ids)))
    await _add_documents(conn, changes, revision=revision, now=now)
    await _place_documents(conn, changes, revision=revision)
    await _replace_in_course(conn, extracted_concepts, changes.concepts, course=changes.course)
    await _replace_in_course(conn, concept_relationships, changes.relationships, course=changes.course)
    return revision


async def remove_course(conn: AsyncConnection, name: str) -> bool:
    """Remove a course with everything in it; False when there is none."""
    # The clock first: on PostgreSQL it makes an ingest of the same course wait.
    revision = await _next_revision(conn)
    await _retire(conn, select(chunks.c.chunk_id).where(chunks.c.course == name), revision=revision)
    await _retire(conn, select(documents.c.id).where(documents.c.course == name), revision=revision)
    return (await conn.execute(delete(courses).where(courses.c.name == name))).rowcount > 0


async def put_title(conn: AsyncConnection, name: str, *, title: str | None) -> bool:
    """Give a course a title that reading it again leaves alone; False when there is none."""
    await _next_revision(conn)  # whoever keeps the course in mind reads its title again
    statement = update(courses).where(courses.c.name == name).values(given_title=title)
    return (await conn.execute(statement)).rowcount > 0


async def put_vectors(conn: AsyncConnection, vectors: Mapping[str, bytes], *, embedder: str) -> int:
    """Give chunks the vectors of another embedder, and return the new revision."""
    revision = await _next_revision(conn)
    statement = (
        update(chunks)
        .where(chunks.c.chunk_id == bindparam("id"))
        .values(vector=bindparam("new_vector"), embedder=embedder, revision=revision)
    )
    rows = [{"id": chunk_id, "new_vector": vector} for chunk_id, vector in vectors.items()]
    await _execute_many(conn, statement, rows=rows)
    return revision


async def _next_revision(conn: AsyncConnection) -> int:
    # PostgreSQL keeps this row locked until the commit, so changes become visible in the order
    # of their numbers and "everything since n" misses none.
    tick = update(corpus_clock).values(revision=corpus_clock.c.revision + 1)
    return int((await conn.execute(tick.returning(corpus_clock.c.revision))).scalar_one())


async def _retire(conn: AsyncConnection, ids: Select[tuple[str]], *, revision: int) -> None:
    """Note chunks or documents as removed, for the indexes that still hold them."""
    gone = ids.add_columns(literal(revision))
    statement = insert_or(conn, removed_points).from_select(["point_id", "revision"], gone)
    newest = {"revision": revision}
    await conn.execute(statement.on_conflict_do_update(index_elements=["point_id"], set_=newest))


async def _put_course(conn: AsyncConnection, changes: CourseChanges, *, now: datetime) -> None:
    news: dict[str, Any] = {"title": changes.title, "updated_at": now}
    if changes.outline is not None:
        news["outline"] = changes.outline
    if changes.url is not None:
        news["url"] = changes.url
    statement = insert_or(conn, courses).values(name=changes.course, **news)
    await conn.execute(statement.on_conflict_do_update(index_elements=["name"], set_=news))


async def _outdated_documents(conn: AsyncConnection, changes: CourseChanges) -> Sequence[str]:
    """The documents that leave, and those that make room for a new version of themselves."""
    ids = [*changes.removed, *(content.document.id for content in changes.documents)]
    chapters = [content.document.chapter_id for content in changes.documents]
    outdated: set[str] = set()
    in_course = select(documents.c.id).where(documents.c.course == changes.course)
    for column, values in ((documents.c.id, ids), (documents.c.chapter_id, chapters)):
        for batch in in_batches(values, size=_BATCH):
            outdated.update((await conn.execute(in_course.where(column.in_(batch)))).scalars())
    return sorted(outdated)


async def _add_documents(
    conn: AsyncConnection, changes: CourseChanges, *, revision: int, now: datetime
) -> None:
    rows = [to_row(content.document, course=changes.course, ingested_at=now) for content in changes.documents]
    await _execute_many(conn, insert(documents), rows=rows)
    await _execute_many(conn, insert(chunks), rows=list(_chunk_rows(changes, revision=revision)))
    # What came back, or moved to another document, is not removed.
    for back in (
        select(chunks.c.chunk_id).where(chunks.c.revision == revision),
        select(documents.c.id).where(documents.c.course == changes.course),
    ):
        await conn.execute(delete(removed_points).where(removed_points.c.point_id.in_(back)))


def _chunk_rows(changes: CourseChanges, *, revision: int) -> Iterator[dict[str, Any]]:
    for content in changes.documents:
        document = content.document.id
        for chunk in content.chunks:
            yield to_row(chunk, document_id=document, course=changes.course, revision=revision)


async def _place_documents(conn: AsyncConnection, changes: CourseChanges, *, revision: int) -> None:
    """Give the documents that stay their new order and names; the index reads a renamed one again."""
    in_course = select(documents.c.id, documents.c.title).where(documents.c.course == changes.course)
    titles = {row.id: row.title for row in (await conn.execute(in_course)).all()}
    statement = (
        update(documents)
        .where(documents.c.id == bindparam("document"), documents.c.course == changes.course)
        .values({name: bindparam(f"new_{name}") for name in _PLACE})
    )
    rows = [
        {"document": document.id} | {f"new_{name}": getattr(document, name) for name in _PLACE}
        for document in changes.places
    ]
    await _execute_many(conn, statement, rows=rows)
    renamed = [
        document.id
        for document in changes.places
        if titles.get(document.id, document.title) != document.title
    ]
    for ids in in_batches(renamed, size=_BATCH):
        await conn.execute(update(chunks).where(chunks.c.document_id.in_(ids)).values(revision=revision))


async def _replace_in_course(
    conn: AsyncConnection, table: Table, items: Sequence[Concept | Relationship] | None, *, course: str
) -> None:
    if items is None:
        return
    await conn.execute(delete(table).where(table.c.course == course))
    await _execute_many(conn, insert(table), rows=[to_row(item, course=course) for item in items])


async def _execute_many(
    conn: AsyncConnection, statement: Executable, *, rows: Sequence[dict[str, Any]]
) -> None:
    # SQLAlchemy reads an empty list as one row of defaults.
    if rows:
        await conn.execute(statement, rows)
