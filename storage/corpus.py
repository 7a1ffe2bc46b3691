"""The courses: what they are made of, what was read, and what the search index is rebuilt from."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, fields, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote, urlsplit

from sqlalchemy import (
    Column,
    Executable,
    Row,
    Select,
    Table,
    bindparam,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from agents.teaching.values import Concept, Passage, Relationship
from storage.clock import next_revision
from storage.database import Repository, in_batches, insert_or, put, session_lock, to_record, to_row
from storage.items import ItemChanges, Items, change_items
from storage.tables import (
    chunks,
    concept_relationships,
    corpus_clock,
    courses,
    documents,
    extracted_concepts,
    removed_points,
)
from storage.tables import items as kept_items


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseSummary:
    """One course and how much there is of it."""

    name: str
    title: str
    updated_at: datetime
    documents: int
    chunks: int
    concepts: int
    exercises: int = 0  # questions of its author, and others that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One chapter of a course."""

    id: str
    chapter_id: str
    module_name: str
    title: str
    source_url: str
    position: int
    content_hash: str
    kind: str = "content"  # or what else a page can be: a title page, a licence, exercises, …
    about: Mapping[str, Any] | None = None  # what the page says of its own place in the course


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One passage of a document, with the vector that its embedder gave it."""

    chunk_id: str  # unique in the whole database, so the course and chapter are part of it
    chunk_index: int
    chunk_text: str
    heading_hierarchy: tuple[str, ...]
    token_count: int
    vector: bytes
    embedder: str
    page: int | None = None
    continues: bool = False  # it goes on within the block that the chunk before broke off


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentContent:
    """A new or changed document with all its chunks."""

    document: Document
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseChanges:
    """What one ingest changes in one course; what is not named stays as it is."""

    course: str
    title: str
    documents: tuple[DocumentContent, ...] = ()  # replaces the document of the same id or chapter_id
    removed: tuple[str, ...] = ()  # document ids
    places: tuple[Document, ...] = ()  # documents that stay, as the tree now orders and names them
    outline: Mapping[str, Any] | None = None  # None: keep the tree that is there
    url: str | None = None  # None: keep the public address that is there
    concepts: tuple[Concept, ...] | None = None  # None: keep those that are there
    relationships: tuple[Relationship, ...] | None = None
    items: ItemChanges | None = None  # None: nothing changes among the questions


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Which database this is, the newest revision of its chunks, and how many decisions were made for everybody."""

    database_id: str
    revision: int
    decisions: int = 0

    @property
    def decided(self) -> tuple[str, int]:
        """As long as it is the same, rulings, calibrations and courses' thresholds are."""
        return self.database_id, self.decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """What the search index holds of a chunk."""

    chunk_id: str
    document_id: str
    course: str
    chapter_id: str
    module_name: str
    title: str
    heading_hierarchy: tuple[str, ...]
    chunk_text: str
    vector: bytes
    embedder: str


def _columns_for(record: type[Any]) -> list[Column[Any]]:
    """The columns of a chunk, or else of its document, that a record's fields are named after."""
    names = [field.name for field in fields(record)]
    found = (chunks.c.get(name, documents.c.get(name)) for name in names)
    return [column for column in found if column is not None]


_COUNTED = {"documents": documents, "chunks": chunks, "concepts": extracted_concepts, "exercises": kept_items}
_SUMMARIES = select(
    courses.c.name,
    courses.c.updated_at,
    func.coalesce(courses.c.given_title, courses.c.title).label("title"),
    *(
        select(func.count()).where(table.c.course == courses.c.name).scalar_subquery().label(label)
        for label, table in _COUNTED.items()
    ),
).order_by(courses.c.name)
_ENTRIES = (
    select(*_columns_for(IndexEntry), chunks.c.chunk_index)
    .join_from(chunks, documents)
    .order_by(chunks.c.document_id, chunks.c.chunk_index)
)
_PASSAGES = (
    select(
        *_columns_for(Passage),
        courses.c.url.label("course_url"),
    )
    .join_from(chunks, documents)
    .join(courses, courses.c.name == documents.c.course)
)
_PLACE = ("position", "title", "module_name", "kind")


class Corpus(Repository):
    """All courses of a database.

    An index that follows it reads the clock first, then what changed and what was removed since the
    revision it knows, and remembers the clock it read: what happens meanwhile it meets again next time.
    """

    @property
    def items(self) -> Items:
        """The questions that the courses keep."""
        return Items(self._database)

    async def apply(self, changes: CourseChanges, *, now: datetime) -> int:
        """Write everything that one ingest found in one transaction, and return the new revision."""
        async with self._database.write() as conn:
            revision = await next_revision(conn)
            await _put_course(conn, changes, now=now)
            for ids in in_batches(await _outdated_documents(conn, changes)):
                await _retire(
                    conn, select(chunks.c.chunk_id).where(chunks.c.document_id.in_(ids)), revision=revision
                )
                await _retire(conn, select(documents.c.id).where(documents.c.id.in_(ids)), revision=revision)
                await conn.execute(delete(documents).where(documents.c.id.in_(ids)))
            await _add_documents(conn, changes, revision=revision, now=now)
            await _place_documents(conn, changes, revision=revision)
            await _replace_in_course(conn, extracted_concepts, changes.concepts, course=changes.course)
            await _replace_in_course(
                conn, concept_relationships, changes.relationships, course=changes.course
            )
            if changes.items:
                await change_items(conn, changes.items, course=changes.course, now=now)
        return revision

    async def delete_course(self, name: str) -> bool:
        """Remove a course with everything in it; False when there is none."""
        async with self._database.write() as conn:
            # The clock first: on PostgreSQL it makes an ingest of the same course wait.
            revision = await next_revision(conn)
            await _retire(conn, select(chunks.c.chunk_id).where(chunks.c.course == name), revision=revision)
            await _retire(conn, select(documents.c.id).where(documents.c.course == name), revision=revision)
            return (await conn.execute(delete(courses).where(courses.c.name == name))).rowcount > 0

    async def rename_course(self, name: str, *, title: str | None) -> bool:
        """Give a course a title that reading it again leaves alone, None its own again; False when there is none.

        Records are kept under its name, which stays.
        """
        renamed = update(courses).where(courses.c.name == name).values(given_title=title)
        async with self._database.write() as conn:
            await next_revision(conn)  # whoever keeps the course in mind reads its title again
            return (await conn.execute(renamed)).rowcount > 0

    async def note_reading(self, name: str, paths: Sequence[str]) -> None:
        """Remember where a course was read from, beside where it was read from before."""
        known = select(courses.c.read_from).where(courses.c.name == name)
        async with self._database.write() as conn:
            before = (await conn.execute(known)).scalar() or []
            both = list(dict.fromkeys([*before, *paths]))
            await conn.execute(update(courses).where(courses.c.name == name).values(read_from=both))

    async def read_from(self, name: str) -> Sequence[str]:
        """The folders and files of a course; none where it was read before that was noted."""
        return await self._about(name, courses.c.read_from) or []

    async def outline(self, course: str) -> Mapping[str, Any] | None:
        """The tree of a course as it was written; None where there is none."""
        return await self._about(course, courses.c.outline)

    async def url(self, course: str) -> str | None:
        """Where the course's pages are on the web; None where nobody has said."""
        return await self._about(course, courses.c.url)

    async def replace_vectors(self, embedder: str, *, vectors: Mapping[str, bytes]) -> None:
        """Give chunks (by id) the vectors of another embedder."""
        rows = [{"id": chunk_id, "new_vector": vector} for chunk_id, vector in vectors.items()]
        async with self._database.write() as conn:
            revision = await next_revision(conn)
            news = {"vector": bindparam("new_vector"), "embedder": embedder, "revision": revision}
            statement = update(chunks).where(chunks.c.chunk_id == bindparam("id")).values(news)
            await _execute_many(conn, statement, rows=rows)

    def index_lock(self) -> AbstractAsyncContextManager[None]:
        """Held by whoever brings an index up to date, over all processes on the database."""
        return session_lock(self._database, "index")

    async def clock(self) -> Clock:
        """Which database this is, and its newest revision."""
        [clock] = await self._all(Clock, select(corpus_clock))
        return clock

    async def changed_since(
        self, revision: int, *, batch_size: int = 1000
    ) -> AsyncIterator[Sequence[IndexEntry]]:
        """What the index needs of all chunks newer than a revision, document by document."""
        # Pages by key rather than an open cursor: a slow reader holds no connection.
        page = _ENTRIES.where(chunks.c.revision > revision).limit(batch_size)
        last = ("", 0)
        while True:
            rows = await self._database.fetch(
                page.where(tuple_(chunks.c.document_id, chunks.c.chunk_index) > tuple_(*last))
            )
            if rows:
                yield [to_record(IndexEntry, row) for row in rows]
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
        for batch in in_batches(ids):
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
        return await self._all(IndexEntry, _ENTRIES.where(others).order_by(None).limit(limit))

    async def vectors(self, ids: Sequence[str], *, embedder: str) -> Mapping[str, bytes]:
        """The vectors that an embedder already made, so that a re-ingest need not make them again."""
        found: dict[str, bytes] = {}
        known = select(chunks.c.chunk_id, chunks.c.vector, chunks.c.embedder)
        for batch in in_batches(ids):
            rows = await self._database.fetch(known.where(chunks.c.chunk_id.in_(batch)))
            # Compared here: asked for both, SQLite walks all chunks of the embedder instead of taking the ids.
            found.update((row.chunk_id, row.vector) for row in rows if row.embedder == embedder)
        return found

    async def list_courses(self) -> Sequence[CourseSummary]:
        """All courses by name, with how much there is of each."""
        return await self._all(CourseSummary, _SUMMARIES)

    async def headings(self, course: str) -> Mapping[str, Sequence[tuple[str, ...]]]:
        """The heading paths of each document (by id), in the order of its passages."""
        statement = select(chunks.c.document_id, chunks.c.heading_hierarchy).where(chunks.c.course == course)
        found: dict[str, dict[tuple[str, ...], None]] = {}
        for row in await self._database.fetch(statement.order_by(chunks.c.document_id, chunks.c.chunk_index)):
            found.setdefault(row.document_id, {})[tuple(row.heading_hierarchy)] = None
        return {document_id: list(paths) for document_id, paths in found.items()}

    async def documents(self, course: str) -> Sequence[Document]:
        """The documents of a course in their order."""
        here = select(documents).where(documents.c.course == course)
        return await self._all(Document, here.order_by(documents.c.position, documents.c.chapter_id))

    async def concepts(self, course: str) -> Sequence[Concept]:
        """The concepts of a course in the order in which it introduces them."""
        here = select(extracted_concepts).where(extracted_concepts.c.course == course)
        return await self._all(Concept, here.order_by(extracted_concepts.c.position, extracted_concepts.c.id))

    async def relationships(self, course: str) -> Sequence[Relationship]:
        """The prerequisite edges of a course."""
        here = select(concept_relationships).where(concept_relationships.c.course == course)
        return await self._all(Relationship, here.order_by(concept_relationships.c.id))

    async def _about(self, course: str, column: Column[Any]) -> Any | None:
        rows = await self._database.fetch(select(column).where(courses.c.name == course))
        return rows[0][0] if rows else None


def page_address(url: str, chapter_id: str) -> str:
    """A chapter's address below its course's; an address that is a file's own is that of every chapter in it."""
    is_file = bool(PurePosixPath(urlsplit(url).path).suffix)
    return url if is_file else f"{url.rstrip('/')}/{quote(chapter_id)}"


def _passage(row: Row[Any]) -> Passage:
    """With the address that a reader can open: the page's on the web, or else the file's."""
    passage, url = to_record(Passage, row), row.course_url
    return replace(passage, source_url=page_address(url, passage.chapter_id)) if url else passage


# How courses are written: each function is a part of one transaction.


async def _retire(conn: AsyncConnection, ids: Select[tuple[str]], *, revision: int) -> None:
    """Note chunks or documents as removed, for the indexes that still hold them."""
    gone = ids.add_columns(literal(revision))
    statement = insert_or(conn, removed_points).from_select(["point_id", "revision"], gone)
    newest = {"revision": revision}
    await conn.execute(statement.on_conflict_do_update(index_elements=["point_id"], set_=newest))


async def _put_course(conn: AsyncConnection, changes: CourseChanges, *, now: datetime) -> None:
    values: dict[str, Any] = {"name": changes.course, "title": changes.title, "updated_at": now}
    if changes.outline is not None:
        values["outline"] = changes.outline
    if changes.url is not None:
        values["url"] = changes.url
    await put(conn, courses, values, keys=["name"])


async def _outdated_documents(conn: AsyncConnection, changes: CourseChanges) -> Sequence[str]:
    """The documents that leave, and those that make room for a new version of themselves."""
    ids = [*changes.removed, *(content.document.id for content in changes.documents)]
    chapters = [content.document.chapter_id for content in changes.documents]
    outdated: set[str] = set()
    in_course = select(documents.c.id).where(documents.c.course == changes.course)
    for column, values in ((documents.c.id, ids), (documents.c.chapter_id, chapters)):
        for batch in in_batches(values):
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
    for ids in in_batches(renamed):
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
