"""Read a course into the database: only what changed, and whatever can be read."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from rag.chunking import TextChunk, chunk_document
from rag.concepts import extract_concepts
from rag.embedders.port import Embedder
from rag.files import find_files
from rag.loaders import load_document
from rag.outline import Page, to_json
from rag.placing import Before, about, course_tree, page_of, placed_documents
from rag.plan import IngestPlan, PlannedFile, plan_ingest
from rag.sentences import CoursePassage
from storage.corpus import Corpus
from storage.course import Chunk, CourseChanges, Document, DocumentContent
from storage.errors import DocumentError, WordlessDocumentError

_BATCH_CHUNKS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an ingest is; bytes are known from the start, so they give the time left."""

    bytes_done: int
    bytes_total: int
    files_done: int
    files_total: int
    chunks_done: int


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


@dataclass(slots=True)
class _Reading:
    """A document between reading and writing."""

    planned: PlannedFile
    document: Document
    chunks: list[TextChunk]
    embedded: list[Chunk] = field(default_factory=list)


OnProgress = Callable[[Progress], None]


async def ingest(
    paths: Sequence[Path],
    *,
    course: str,
    corpus: Corpus,
    embedder: Callable[[], Embedder],
    now: datetime,
    on_progress: OnProgress = lambda _: None,
) -> IngestReport:
    """Bring one course in the database up to date with its files, in one transaction."""
    started = time.perf_counter()
    found = [find_files(path) for path in paths]
    known = await corpus.documents(course)
    before = Before(outline=await corpus.outline(course), documents=known)
    plan = plan_ingest(found, known, course=course)
    reader = _Reader(course=course, plan=plan, corpus=corpus, embedder=embedder, on_progress=on_progress)
    readings = await reader.read_all()
    removed = [
        *plan.gone,
        *(document for document in known if document.chapter_id in reader.wordless_chapters),
    ]
    staying = _staying(known, readings, removed)
    tree = course_tree(
        found,
        _pages(plan, readings, staying, reader),
        before=before,
        staying={document.chapter_id for document in staying},
        course=course,
    )
    documents = placed_documents(
        [*staying, *(reading.document for reading in readings)], tree.root, course=course
    )
    outline = to_json(tree.root)
    if readings or removed or outline != before.outline:
        # The last batches are still being embedded while the concepts are found.
        passages = await _reading_order(documents, readings, corpus)
        graph = await asyncio.to_thread(extract_concepts, passages, subject=tree.root.title)
        await reader.all_embedded()
        changes = CourseChanges(
            course=course,
            title=tree.root.title,
            documents=_contents(documents, readings),
            removed=tuple(document.id for document in removed),
            places=_moved(documents, staying),
            outline=outline,
            concepts=graph.concepts,
            relationships=graph.relationships,
        )
        await corpus.apply(changes, now=now)
    known_ids = {document.id for document in known}
    return IngestReport(
        course=course,
        added=sum(reading.document.id not in known_ids for reading in readings),
        changed=sum(reading.document.id in known_ids for reading in readings),
        removed=len(removed),
        unchanged=len(plan.same) + len(plan.elsewhere),
        chunks=sum(len(reading.chunks) for reading in readings),
        failures=(*plan.unreadable, *reader.failures),
        warnings=tree.warnings,
        skipped=(*reader.wordless, *(name for files in found for name in files.skipped)),
        seconds=time.perf_counter() - started,
        embedding_seconds=reader.embedding_seconds,
    )


class _Reader:
    """Reads and cuts the fresh files while those before are being embedded."""

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
        self.wordless: dict[str, str] = {}  # a file's name and the title that is all it has
        self.wordless_chapters: set[str] = set()
        self.embedding_seconds = 0.0
        self._course = course
        self._plan = plan
        self._corpus = corpus
        self._embedder = embedder  # loaded only when there is something to embed
        self._on_progress = on_progress
        self._finished: list[_Reading] = []
        self._embedding: list[asyncio.Task[None]] = []
        self._one_at_a_time = asyncio.Lock()

    async def read_all(self) -> list[_Reading]:
        """Read everything; batches go to the embedder as they fill up, one at a time."""
        readings: list[_Reading] = []
        for batch in self._batches():
            readings += batch
            self._embedding.append(asyncio.create_task(self._embed(batch, self._embedder())))
            await asyncio.sleep(0)  # lets the embedding start before the next file is read
        return readings

    async def all_embedded(self) -> None:
        await asyncio.gather(*self._embedding)

    def _batches(self) -> Iterator[list[_Reading]]:
        batch: list[_Reading] = []
        size = 0
        for planned in self._plan.fresh:
            reading = self._read(planned)
            if reading is None:
                continue
            batch.append(reading)
            size += len(reading.chunks)
            if size >= _BATCH_CHUNKS:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _read(self, planned: PlannedFile) -> _Reading | None:
        try:
            loaded = load_document(planned.path, root=planned.root)
        except WordlessDocumentError as err:
            self.wordless[planned.name] = err.title
            self.wordless_chapters.add(planned.chapter_id)
            return None
        except DocumentError as err:
            self.failures.append((planned.name, str(err)))
            return None
        chunks = chunk_document(
            loaded,
            course=self._course,
            chapter_id=planned.chapter_id,
            count_tokens=lambda text: self._embedder().count_tokens(text),
        )
        document = Document(
            id=planned.document_id,
            chapter_id=planned.chapter_id,
            module_name="",  # the tree gives it its place
            title=loaded.title,
            source_url=planned.path.as_uri(),
            position=0,
            content_hash=planned.fingerprint,
            about=about(loaded, name=planned.name),
        )
        return _Reading(planned, document, chunks)

    async def _embed(self, batch: list[_Reading], embedder: Embedder) -> None:
        """Embed what is new; a passage that stayed in a changed document keeps its vector."""
        chunks = [chunk for reading in batch for chunk in reading.chunks]
        known = await self._corpus.vectors([chunk.chunk_id for chunk in chunks], embedder=embedder.name)
        new = [chunk for chunk in chunks if chunk.chunk_id not in known]
        async with self._one_at_a_time:
            started = time.perf_counter()
            result = await embedder.embed_documents([chunk.searchable for chunk in new])
            self.embedding_seconds += time.perf_counter() - started
        vectors = {chunk.chunk_id: row.tobytes() for chunk, row in zip(new, result.vectors, strict=True)}
        tokens = dict(zip((chunk.chunk_id for chunk in new), result.token_counts, strict=True))
        for reading in batch:
            for chunk in reading.chunks:
                vector = vectors.get(chunk.chunk_id) or known[chunk.chunk_id]
                count = tokens.get(chunk.chunk_id) or embedder.count_tokens(chunk.searchable)
                reading.embedded.append(_stored(chunk, vector, count, embedder.name))
        self._finished += batch
        self._tell()

    def _tell(self) -> None:
        self._on_progress(
            Progress(
                bytes_done=sum(reading.planned.size for reading in self._finished),
                bytes_total=sum(planned.size for planned in self._plan.fresh),
                files_done=len(self._finished),
                files_total=len(self._plan.fresh),
                chunks_done=sum(len(reading.chunks) for reading in self._finished),
            )
        )


def _stored(chunk: TextChunk, vector: bytes, tokens: int, embedder: str) -> Chunk:
    return Chunk(
        chunk_id=chunk.chunk_id,
        chunk_index=chunk.index,
        chunk_text=chunk.text,
        heading_hierarchy=chunk.headings,
        page=chunk.page,
        token_count=tokens,
        vector=vector,
        embedder=embedder,
        continues=chunk.continues,
    )


def _staying(
    known: Sequence[Document], readings: Sequence[_Reading], removed: Sequence[Document]
) -> list[Document]:
    """What is in the database and stays there as it was read before."""
    leaving = {reading.document.id for reading in readings} | {document.id for document in removed}
    return [document for document in known if document.id not in leaving]


def _pages(
    plan: IngestPlan, readings: Sequence[_Reading], staying: Sequence[Document], reader: _Reader
) -> dict[str, Page]:
    """Every file that is there and what is known of it, however it came to be known."""
    documents = {document.chapter_id: document for document in staying}
    documents |= {reading.document.chapter_id: reading.document for reading in readings}
    pages: dict[str, Page] = {}
    for planned in (*plan.fresh, *(planned for planned, _ in plan.same)):
        document = documents.get(planned.chapter_id)
        if document:
            pages[planned.name] = page_of(document, name=planned.name, links=planned.links)
        elif planned.name in reader.wordless:
            title = reader.wordless[planned.name]
            pages[planned.name] = Page(name=planned.name, chapter_id=None, title=title, links=planned.links)
    return pages


def _contents(documents: Sequence[Document], readings: Sequence[_Reading]) -> tuple[DocumentContent, ...]:
    chunks = {reading.document.id: reading.embedded for reading in readings}
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
    documents: Sequence[Document], readings: Sequence[_Reading], corpus: Corpus
) -> list[CoursePassage]:
    """Every passage that is taught in the course as it will be, in the order in which it is read."""
    fresh = {reading.document.id: reading.chunks for reading in readings}
    taught = [document for document in documents if document.kind == "content"]
    passages: list[CoursePassage] = []
    for document in taught or documents:  # a course that only sets work is read for what it has
        if document.id in fresh:
            passages += [_passage(document, c.chunk_id, c.headings, c.text) for c in fresh[document.id]]
        else:
            stored = await corpus.chapter(document.id)
            passages += [_passage(document, p.chunk_id, p.heading_hierarchy, p.chunk_text) for p in stored]
    return passages


def _passage(document: Document, chunk_id: str, headings: tuple[str, ...], text: str) -> CoursePassage:
    return CoursePassage(chunk_id=chunk_id, chapter_id=document.chapter_id, headings=headings, text=text)
