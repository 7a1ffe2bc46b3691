"""Read a course into the database: only what changed, and whatever can be read."""

import asyncio
import hashlib
import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from agents.teaching.values import Item
from rag.chunking import chunk_document, searchable
from rag.concepts import CoursePassage, extract_concepts
from rag.embedders import Embedder
from rag.exercises.answers import with_answers
from rag.exercises.attaching import item_changes
from rag.exercises.collecting import items_on
from rag.exercises.quiz_links import quiz_homes
from rag.files import CourseFile, CourseFiles, find_files
from rag.loaders import LoadedDocument, load_document
from rag.loaders.apart import ReadingProcess, belongs_apart
from rag.loaders.document import regular_bytes
from rag.toc import Entry, toctrees
from rag.tree import (
    LEANS_ON_OTHERS,
    Page,
    about,
    course_tree,
    page_of,
    placed_documents,
    stored_tree,
    to_json,
)
from storage.corpus import Chunk, Corpus, CourseChanges, Document, DocumentContent
from storage.errors import DocumentError, WordlessDocumentError

_NAMESPACE = uuid.UUID("0b7f9a52-3f0e-4f7e-8d57-2b8d5a0c9a11")
# Part of every fingerprint: a new way of reading reads every file again.
_READER_VERSION = b"3"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """A file that is there, with what tells whether it has changed and which pages it leads to."""

    path: Path
    root: Path
    name: str
    document_id: str
    chapter_id: str
    fingerprint: str
    size: int
    links: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestPlan:
    """Files to read, files whose documents are kept, and documents that stay or go without a file."""

    fresh: list[PlannedFile] = field(default_factory=list)
    same: list[PlannedFile] = field(default_factory=list)
    elsewhere: list[Document] = field(default_factory=list)  # of files that were not looked at this time
    gone: list[Document] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)


def plan_ingest(found: Sequence[CourseFiles], known: Sequence[Document], *, course: str) -> IngestPlan:
    """Compare the files that are there with the documents that were read before."""
    absent = {document.chapter_id: document for document in known}
    plan = IngestPlan()
    for part in found:
        for file in part.files:
            before = absent.pop(file.chapter_id, None)
            try:
                planned = _planned(file, course=course, root=part.root)
            except DocumentError as err:
                plan.unreadable.append((file.name, str(err)))
                continue
            address = (planned.fingerprint, file.path.as_uri())
            is_same = before is not None and (before.content_hash, before.source_url) == address
            (plan.same if is_same else plan.fresh).append(planned)
    for document in absent.values():
        (plan.gone if _is_gone(document, found) else plan.elsewhere).append(document)
    if plan.fresh or plan.gone:
        _read_what_leans_on_others(plan, known)
    return plan


def _read_what_leans_on_others(plan: IngestPlan, known: Sequence[Document]) -> None:
    """Where anything has changed, also the pages whose questions are answered on others, or could be."""
    leaning = {each.chapter_id for each in known if (each.about or {}).get(LEANS_ON_OTHERS)}
    again = [planned for planned in plan.same if planned.chapter_id in leaning]
    plan.fresh.extend(again)
    plan.same[:] = [planned for planned in plan.same if planned.chapter_id not in leaning]


def document_id(course: str, chapter_id: str) -> str:
    """The same chapter of the same course is the same document, whatever is in it."""
    return str(uuid.uuid5(_NAMESPACE, f"{course}\x00{chapter_id}"))


def _planned(file: CourseFile, *, course: str, root: Path) -> PlannedFile:
    content = regular_bytes(file.path)
    return PlannedFile(
        path=file.path,
        root=root,
        name=file.name,
        document_id=document_id(course, file.chapter_id),
        chapter_id=file.chapter_id,
        fingerprint=hashlib.sha256(_READER_VERSION + content).hexdigest(),
        size=len(content),
        links=toctrees(content.decode("utf-8", "replace"))
        if b"toctree" in content or b"```toc" in content
        else (),
    )


def _is_gone(document: Document, found: Sequence[CourseFiles]) -> bool:
    """Its file does not exist any more, or was not listed in a folder that was just read."""
    path = Path(unquote(urlsplit(document.source_url).path))
    return not path.exists() or any(part.is_folder and path.is_relative_to(part.root) for part in found)


_BATCH_CHUNKS = 256
_MOST_HANDS = 4
_WORTH_ANOTHER = 500_000  # bytes of text: another process takes a second to begin

Stage = Literal["reading", "indexing", "connecting", "saving"]
# What each stage takes of the time, as measured on two textbooks.
_SHARES: Mapping[Stage, float] = {"reading": 0.25, "indexing": 0.35, "connecting": 0.35, "saving": 0.05}


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestProgress:
    """How far an ingest is: what is being done, and how much of that stage is; its share gives the time left."""

    stage: Stage
    bytes_done: int  # of this stage
    bytes_total: int
    files_done: int
    files_total: int
    chunks_done: int = 0

    @property
    def share(self) -> float:
        """Of the whole ingest."""
        stages = list(_SHARES)
        before = sum(_SHARES[each] for each in stages[: stages.index(self.stage)])
        return before + _SHARES[self.stage] * self.bytes_done / (self.bytes_total or 1)


OnProgress = Callable[[IngestProgress], None]


@dataclass(slots=True)
class ReadDocument:
    """A document between reading and writing."""

    planned: PlannedFile
    document: Document
    chunks: list[Chunk]  # with their vectors once all are embedded
    items: list[Item]  # what its author asks


class Reader:
    """Reads the fresh files, and cuts them while those before are being embedded."""

    def __init__(
        self,
        *,
        course: str,
        plan: IngestPlan,
        corpus: Corpus,
        embedder: Callable[[], Embedder],
        on_progress: OnProgress,
    ) -> None:
        self.failures: list[tuple[str, str]] = []
        self.wordless: dict[PlannedFile, str] = {}  # the title is all they have
        self.embedding_seconds = 0.0
        self._course = course
        self._plan = plan
        self._corpus = corpus
        self._embedder = embedder  # loaded only when there is something to embed
        self._on_progress = on_progress
        self._finished: list[ReadDocument] = []
        self._read_so_far: list[PlannedFile] = []
        self._embedding: list[asyncio.Task[None]] = []
        self._is_past_indexing = False  # the last batches are embedded while the concepts are found
        self._one_at_a_time = asyncio.Lock()

    async def read_all(self) -> list[ReadDocument]:
        """Read everything; batches go to the embedder as they fill up, one at a time."""
        readings: list[ReadDocument] = []
        # Before any is cut: what answers a page's questions may stand on another, and is taught on neither.
        loaded = await self._all_loaded()
        if loaded:
            self.tell("indexing")
        batches = self._batches(loaded, await asyncio.to_thread(with_answers, loaded))
        # In a thread, all of it: a server that reads a course goes on serving, and embeds what is cut already.
        while batch := await asyncio.to_thread(next, batches, None):
            readings += batch
            self._embedding.append(asyncio.create_task(self._embed(batch, self._embedder())))
        return readings

    async def all_embedded(self) -> None:
        await asyncio.gather(*self._embedding)

    async def _all_loaded(self) -> dict[str, LoadedDocument]:
        """Every file that can be read, by as many hands as there are cores."""
        apart = [each for each in self._plan.fresh if belongs_apart(each.path, size=each.size)]
        here = [each for each in self._plan.fresh if each not in apart]
        others = len(here) and min(_MOST_HANDS, os.cpu_count() or 1) - 1
        is_worth_it = sum(each.size for each in here) >= _WORTH_ANOTHER
        waiting = iter(here)
        self.tell("reading", ())
        hands = [self._hand(iter(apart), ReadingProcess()), self._hand(waiting, None)]
        hands += [self._hand(waiting, ReadingProcess()) for _ in range(others if is_worth_it else 0)]
        read: dict[PlannedFile, LoadedDocument | DocumentError] = {}
        for each in await asyncio.gather(*hands):
            read |= each
        found: dict[str, LoadedDocument] = {}
        for planned in self._plan.fresh:
            match read[planned]:
                case WordlessDocumentError() as err:
                    self.wordless[planned] = err.title
                case DocumentError() as err:
                    self.failures.append((planned.name, str(err)))
                case document:
                    found[planned.chapter_id] = document
        return found

    async def _hand(
        self, waiting: Iterator[PlannedFile], process: ReadingProcess | None
    ) -> dict[PlannedFile, LoadedDocument | DocumentError]:
        """Reads one file after another, here or in a process, until none is left."""

        loop = asyncio.get_running_loop()

        def read() -> dict[PlannedFile, LoadedDocument | DocumentError]:
            found: dict[PlannedFile, LoadedDocument | DocumentError] = {}
            try:
                for planned in waiting:
                    load = process.load if process else load_document
                    try:
                        found[planned] = load(planned.path, root=planned.root)
                    except DocumentError as err:
                        found[planned] = err
                    loop.call_soon_threadsafe(self._is_read, planned)
            finally:
                if process:
                    process.close()
            return found

        return await asyncio.to_thread(read)

    def _is_read(self, planned: PlannedFile) -> None:
        self._read_so_far.append(planned)
        self.tell("reading", self._read_so_far)

    def _batches(
        self, loaded: Mapping[str, LoadedDocument], answered: Mapping[str, LoadedDocument]
    ) -> Iterator[list[ReadDocument]]:
        batch: list[ReadDocument] = []
        size = 0
        for planned in self._plan.fresh:
            if planned.chapter_id not in loaded:
                continue
            before, document = loaded[planned.chapter_id], answered[planned.chapter_id]
            reading = self._read(planned, document, is_answered_elsewhere=document != before)
            batch.append(reading)
            size += len(reading.chunks)
            if size >= _BATCH_CHUNKS:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _read(
        self, planned: PlannedFile, loaded: LoadedDocument, *, is_answered_elsewhere: bool
    ) -> ReadDocument:
        chunks = chunk_document(
            loaded,
            course=self._course,
            chapter_id=planned.chapter_id,
            count_tokens=lambda text: self._embedder().count_tokens(text),
        )
        items = items_on(loaded, course=self._course, chapter_id=planned.chapter_id)
        facts = about(loaded, name=planned.name)
        if is_answered_elsewhere or any(not (each.key or each.solution) for each in loaded.exercises):
            facts |= {LEANS_ON_OTHERS: True}
        document = Document(
            id=planned.document_id,
            chapter_id=planned.chapter_id,
            module_name="",  # the tree gives it its place
            title=loaded.title,
            source_url=planned.path.as_uri(),
            position=0,
            content_hash=planned.fingerprint,
            about=facts,
        )
        return ReadDocument(planned, document, chunks, items)

    async def _embed(self, batch: list[ReadDocument], embedder: Embedder) -> None:
        """Embed what is new; a passage that stayed in a changed document keeps its vector."""
        chunks = [chunk for reading in batch for chunk in reading.chunks]
        known = await self._corpus.vectors([chunk.chunk_id for chunk in chunks], embedder=embedder.name)
        new = [chunk for chunk in chunks if chunk.chunk_id not in known]
        async with self._one_at_a_time:
            started = time.perf_counter()
            result = await embedder.embed_documents([searchable(chunk) for chunk in new])
            self.embedding_seconds += time.perf_counter() - started
        vectors = {chunk.chunk_id: row.tobytes() for chunk, row in zip(new, result.vectors, strict=True)}
        tokens = dict(zip((chunk.chunk_id for chunk in new), result.token_counts, strict=True))
        for reading in batch:
            reading.chunks = [
                replace(
                    chunk,
                    vector=vectors.get(chunk.chunk_id) or known[chunk.chunk_id],
                    token_count=tokens.get(chunk.chunk_id) or embedder.count_tokens(searchable(chunk)),
                    embedder=embedder.name,
                )
                for chunk in reading.chunks
            ]
        self._finished += batch
        self.tell("indexing", [reading.planned for reading in self._finished])

    def tell(self, stage: Stage, done: Sequence[PlannedFile] = ()) -> None:
        """Say how far it is, where there is anything to read at all."""
        if stage == "indexing" and self._is_past_indexing:
            return
        self._is_past_indexing = stage in ("connecting", "saving")
        fresh = self._plan.fresh
        self._on_progress(
            IngestProgress(
                stage=stage,
                bytes_done=sum(planned.size for planned in done),
                bytes_total=sum(planned.size for planned in fresh),
                files_done=len(done) if stage in ("reading", "indexing") else len(fresh),
                files_total=len(fresh),
                chunks_done=sum(len(reading.chunks) for reading in self._finished),
            )
        )


__all__ = ["IngestProgress", "IngestReport", "OnProgress", "ingest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What an ingest did to one course."""

    course: str
    added: int
    changed: int
    removed: int
    unchanged: int
    chunks: int
    failures: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    skipped: tuple[str, ...]
    seconds: float
    embedding_seconds: float


async def ingest(
    paths: Sequence[Path],
    *,
    course: str,
    corpus: Corpus,
    embedder: Callable[[], Embedder],
    now: datetime,
    url: str | None = None,
    on_progress: OnProgress = lambda _: None,
) -> IngestReport:
    """Bring one course in the database up to date with its files, in one transaction; url is where it is on the web."""
    started = time.perf_counter()
    found = [find_files(path) for path in paths]
    known = await corpus.documents(course)
    stored = await corpus.outline(course)
    plan = plan_ingest(found, known, course=course)
    reader = Reader(course=course, plan=plan, corpus=corpus, embedder=embedder, on_progress=on_progress)
    readings = await reader.read_all()
    wordless = {planned.chapter_id for planned in reader.wordless}
    removed = [*plan.gone, *(document for document in known if document.chapter_id in wordless)]
    leaving = {reading.document.id for reading in readings} | {document.id for document in removed}
    staying = [document for document in known if document.id not in leaving]
    tree = course_tree(
        found,
        _pages(plan, readings, staying, reader),
        before=stored_tree(stored, known),
        staying={document.chapter_id for document in staying},
        course=course,
    )
    documents = placed_documents(
        [*staying, *(reading.document for reading in readings)], tree.root, course=course
    )
    outline = to_json(tree.root)
    is_moved = url is not None and url != await corpus.url(course)
    if readings or removed or outline != stored or is_moved:
        # The last batches are still being embedded while the concepts are found.
        if readings:
            reader.tell("connecting")
        passages = await _reading_order(documents, readings, corpus)
        graph = await asyncio.to_thread(extract_concepts, passages, subject=tree.root.title)
        items = await asyncio.to_thread(
            item_changes,
            await corpus.items.of_course(course),
            {reading.document.chapter_id: reading.items for reading in readings},
            gone={document.chapter_id for document in removed},
            passages=passages,
            concepts=graph.concepts,
            root=tree.root,
            homes=quiz_homes(documents),
        )
        await reader.all_embedded()
        if readings:
            reader.tell("saving")
        changes = CourseChanges(
            course=course,
            title=tree.root.title,
            documents=_contents(documents, readings),
            removed=tuple(document.id for document in removed),
            places=_moved(documents, staying),
            outline=outline,
            url=url,
            concepts=graph.concepts,
            relationships=graph.relationships,
            items=items,
        )
        await corpus.apply(changes, now=now)
        if readings:
            reader.tell("saving", plan.fresh)
    before = {document.id: document.content_hash for document in known}
    same = [each.document for each in readings if before.get(each.document.id) == each.document.content_hash]
    return IngestReport(
        course=course,
        added=sum(reading.document.id not in before for reading in readings),
        changed=sum(reading.document.id in before for reading in readings) - len(same),
        removed=len(removed),
        unchanged=len(plan.same) + len(plan.elsewhere) + len(same),
        chunks=sum(len(reading.chunks) for reading in readings),
        failures=(*plan.unreadable, *reader.failures),
        warnings=tree.warnings,
        skipped=(
            *(planned.name for planned in reader.wordless),
            *(name for files in found for name in files.skipped),
        ),
        seconds=time.perf_counter() - started,
        embedding_seconds=reader.embedding_seconds,
    )


def _pages(
    plan: IngestPlan, readings: Sequence[ReadDocument], staying: Sequence[Document], reader: Reader
) -> dict[str, Page]:
    """Every file that is there and what is known of it, however it came to be known."""
    documents = {document.chapter_id: document for document in staying}
    documents |= {reading.document.chapter_id: reading.document for reading in readings}
    pages: dict[str, Page] = {}
    for planned in (*plan.fresh, *plan.same):
        document = documents.get(planned.chapter_id)
        if document:
            pages[planned.name] = page_of(document, name=planned.name, links=planned.links)
        elif planned in reader.wordless:
            title = reader.wordless[planned]
            pages[planned.name] = Page(name=planned.name, chapter_id=None, title=title, links=planned.links)
    return pages


def _contents(documents: Sequence[Document], readings: Sequence[ReadDocument]) -> tuple[DocumentContent, ...]:
    chunks = {reading.document.id: reading.chunks for reading in readings}
    return tuple(
        DocumentContent(document=document, chunks=tuple(chunks[document.id]))
        for document in documents
        if document.id in chunks
    )


def _moved(documents: Sequence[Document], staying: Sequence[Document]) -> tuple[Document, ...]:
    before = {document.id: document for document in staying}
    return tuple(
        document for document in documents if document.id in before and document != before[document.id]
    )


async def _reading_order(
    documents: Sequence[Document], readings: Sequence[ReadDocument], corpus: Corpus
) -> list[CoursePassage]:
    """Every passage that is taught in the course as it will be, in the order in which it is read."""
    fresh = {reading.document.id: reading.chunks for reading in readings}
    taught = [document for document in documents if document.kind == "content"]
    return [
        CoursePassage(
            chunk_id=chunk.chunk_id,
            chapter_id=document.chapter_id,
            headings=chunk.heading_hierarchy,
            text=chunk.chunk_text,
        )
        for document in taught or documents  # a course that only sets work is read for what it has
        for chunk in (fresh[document.id] if document.id in fresh else await corpus.chapter(document.id))
    ]
