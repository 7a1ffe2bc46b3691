"""The courses: what was read, and what the search index is rebuilt from."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote, urlsplit

from sqlalchemy import Row, func, or_, select, tuple_, update

from storage import corpus_changes
from storage.course import (
    Clock,
    Concept,
    CourseChanges,
    CourseSummary,
    Document,
    IndexEntry,
    Passage,
    Relationship,
)
from storage.database import Database
from storage.statements import columns_for, in_batches, to_record
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
_COUNTED = {"documents": documents, "chunks": chunks, "concepts": extracted_concepts}
_SUMMARIES = select(
    *(column for column in columns_for(CourseSummary, courses) if column.name != "title"),
    func.coalesce(courses.c.given_title, courses.c.title).label("title"),
    *(
        select(func.count()).where(table.c.course == courses.c.name).scalar_subquery().label(label)
        for label, table in _COUNTED.items()
    ),
).order_by(courses.c.name)
_CLOCK = select(*columns_for(Clock, corpus_clock))
_ENTRIES = (
    select(*columns_for(IndexEntry, chunks, documents))
    .join_from(chunks, documents)
    .order_by(chunks.c.document_id, chunks.c.chunk_index)
)
_PASSAGES = (
    select(
        *columns_for(Passage, chunks, documents),
        documents.c.position.label("document_position"),
        courses.c.url.label("course_url"),
    )
    .join_from(chunks, documents)
    .join(courses, courses.c.name == documents.c.course)
)


class Corpus:
    """All courses of a database.

    An index that follows it reads the clock first, then what changed and what was removed since the
    revision it knows, and remembers the clock it read: what happens meanwhile it meets again next time.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def apply(self, changes: CourseChanges, *, now: datetime) -> int:
        """Write one ingest in one transaction, and return the new revision."""
        async with self._database.write() as conn:
            return await corpus_changes.apply_changes(conn, changes, now=now)

    async def delete_course(self, name: str) -> bool:
        """Remove a course with everything in it; False when there is none."""
        async with self._database.write() as conn:
            return await corpus_changes.remove_course(conn, name)

    async def rename_course(self, name: str, *, title: str | None) -> bool:
        """Give a course another title, None its own again; records are kept under its name, which stays."""
        async with self._database.write() as conn:
            return await corpus_changes.put_title(conn, name, title=title)

    async def note_reading(self, name: str, paths: Sequence[str]) -> None:
        """Remember where a course was read from, beside where it was read from before."""
        known = select(courses.c.read_from).where(courses.c.name == name)
        async with self._database.write() as conn:
            before = (await conn.execute(known)).scalar() or []
            both = list(dict.fromkeys([*before, *paths]))
            await conn.execute(update(courses).where(courses.c.name == name).values(read_from=both))

    async def read_from(self, name: str) -> Sequence[str]:
        """The folders and files of a course; none where it was read before that was noted."""
        rows = await self._database.fetch(select(courses.c.read_from).where(courses.c.name == name))
        return list(rows[0].read_from or ()) if rows else []

    async def replace_vectors(self, embedder: str, *, vectors: Mapping[str, bytes]) -> int:
        """Give chunks (by id) the vectors of another embedder, and return the new revision."""
        async with self._database.write() as conn:
            return await corpus_changes.put_vectors(conn, vectors, embedder=embedder)

    async def clock(self) -> Clock:
        """Which database this is, and its newest revision."""
        [row] = await self._database.fetch(_CLOCK)
        return to_record(Clock, row)

    async def changed_since(
        self, revision: int, *, batch_size: int = 1000
    ) -> AsyncIterator[Sequence[IndexEntry]]:
        """What the index needs of all chunks newer than a revision, document by document."""
        # Pages by key rather than an open cursor: a slow reader holds no connection.
        page = (
            _ENTRIES.add_columns(chunks.c.chunk_index).where(chunks.c.revision > revision).limit(batch_size)
        )
        last = ("", 0)
        while True:
            rows = await self._database.fetch(
                page.where(tuple_(chunks.c.document_id, chunks.c.chunk_index) > tuple_(*last))
            )
            if rows:
                yield [_entry(row) for row in rows]
            if len(rows) < batch_size:
                return
            last = (rows[-1].document_id, rows[-1].chunk_index)

    async def removed_since(self, revision: int) -> Sequence[str]:
        """The ids of chunks and documents that were removed after a revision and are not back."""
        statement = select(removed_points.c.point_id).where(removed_points.c.revision > revision)
        return [row.point_id for row in await self._database.fetch(statement)]

    async def chunks_by_id(self, ids: Sequence[str]) -> Sequence[Passage]:
        """The passages in the order of their ids; those that are gone are left out."""
        found: dict[str, Passage] = {}
        for batch in in_batches(ids, size=_BATCH):
            rows = await self._database.fetch(_PASSAGES.where(chunks.c.chunk_id.in_(batch)))
            found.update((row.chunk_id, _passage(row)) for row in rows)
        return [found[chunk_id] for chunk_id in ids if chunk_id in found]

    async def chapter(self, document_id: str) -> Sequence[Passage]:
        """The passages of one document in their order."""
        statement = _PASSAGES.where(chunks.c.document_id == document_id).order_by(chunks.c.chunk_index)
        return [_passage(row) for row in await self._database.fetch(statement)]

    async def passages(self, course: str) -> Sequence[Passage]:
        """All passages of a course in reading order."""
        statement = _PASSAGES.where(chunks.c.course == course).order_by(
            documents.c.position, documents.c.chapter_id, chunks.c.chunk_index
        )
        return [_passage(row) for row in await self._database.fetch(statement)]

    async def not_embedded_by(self, embedder: str, *, limit: int) -> Sequence[IndexEntry]:
        """Some of the chunks whose vector is another embedder's; none when all are this one's."""
        # Not "!=": this way the index on embedder shows at once that there are none.
        others = or_(chunks.c.embedder < embedder, chunks.c.embedder > embedder)
        statement = _ENTRIES.where(others).order_by(None).limit(limit)
        return [_entry(row) for row in await self._database.fetch(statement)]

    async def vectors(self, ids: Sequence[str], *, embedder: str) -> Mapping[str, bytes]:
        """The vectors that an embedder already made, so that a re-ingest need not make them again."""
        found: dict[str, bytes] = {}
        known = select(chunks.c.chunk_id, chunks.c.vector, chunks.c.embedder)
        for batch in in_batches(ids, size=_BATCH):
            rows = await self._database.fetch(known.where(chunks.c.chunk_id.in_(batch)))
            # Compared here: asked for both, SQLite walks all chunks of the embedder instead of taking the ids.
            found.update((row.chunk_id, row.vector) for row in rows if row.embedder == embedder)
        return found

    async def list_courses(self) -> Sequence[CourseSummary]:
        """All courses by name, with how much there is of each."""
        return [to_record(CourseSummary, row) for row in await self._database.fetch(_SUMMARIES)]

    async def outline(self, course: str) -> Mapping[str, Any] | None:
        """The tree of a course as it was written; None where there is none."""
        rows = await self._database.fetch(select(courses.c.outline).where(courses.c.name == course))
        return rows[0].outline if rows else None

    async def url(self, course: str) -> str | None:
        """Where the course's pages are on the web; None where nobody has said."""
        rows = await self._database.fetch(select(courses.c.url).where(courses.c.name == course))
        return rows[0].url if rows else None

    async def headings(self, course: str) -> Mapping[str, Sequence[tuple[str, ...]]]:
        """The heading paths of each document (by id), in the order of its passages."""
        statement = select(chunks.c.document_id, chunks.c.heading_hierarchy).where(chunks.c.course == course)
        found: dict[str, dict[tuple[str, ...], None]] = {}
        for row in await self._database.fetch(statement.order_by(chunks.c.document_id, chunks.c.chunk_index)):
            found.setdefault(row.document_id, {})[tuple(row.heading_hierarchy)] = None
        return {document_id: list(paths) for document_id, paths in found.items()}

    async def documents(self, course: str) -> Sequence[Document]:
        """The documents of a course in their order."""
        statement = select(*columns_for(Document, documents)).where(documents.c.course == course)
        rows = await self._database.fetch(statement.order_by(documents.c.position, documents.c.chapter_id))
        return [to_record(Document, row) for row in rows]

    async def concepts(self, course: str) -> Sequence[Concept]:
        """The concepts of a course in the order in which it introduces them."""
        table = extracted_concepts
        statement = select(*columns_for(Concept, table)).where(table.c.course == course)
        rows = await self._database.fetch(statement.order_by(table.c.position, table.c.id))
        return [to_record(Concept, row) for row in rows]

    async def relationships(self, course: str) -> Sequence[Relationship]:
        """The prerequisite edges of a course."""
        table = concept_relationships
        statement = select(*columns_for(Relationship, table)).where(table.c.course == course)
        return [
            to_record(Relationship, row) for row in await self._database.fetch(statement.order_by(table.c.id))
        ]

    async def chunk_count(self, course: str | None = None) -> int:
        """How many chunks a course has, or all courses together."""
        statement = select(func.count().label("chunks")).select_from(chunks)
        if course is not None:
            statement = statement.where(chunks.c.course == course)
        [row] = await self._database.fetch(statement)
        return int(row.chunks)


def _passage(row: Row[Any]) -> Passage:
    """With the address that a reader can open: the page's on the web, or else the file's."""
    values = row._asdict()
    url = values.pop("course_url")
    passage = Passage(**{**values, "heading_hierarchy": tuple(values["heading_hierarchy"])})
    return replace(passage, source_url=page_address(url, passage.chapter_id)) if url else passage


def page_address(url: str, chapter_id: str) -> str:
    """A chapter's address below its course's; an address that is a file's own is that of every chapter in it."""
    is_file = bool(PurePosixPath(urlsplit(url).path).suffix)
    return url if is_file else f"{url.rstrip('/')}/{quote(chapter_id)}"


def _entry(row: Row[Any]) -> IndexEntry:
    # By hand: an index reads tens of thousands of these, and the page's place is not part of it.
    return IndexEntry(
        chunk_id=row.chunk_id,
        document_id=row.document_id,
        course=row.course,
        chapter_id=row.chapter_id,
        module_name=row.module_name,
        title=row.title,
        heading_hierarchy=tuple(row.heading_hierarchy),
        chunk_text=row.chunk_text,
        vector=row.vector,
        embedder=row.embedder,
    )
