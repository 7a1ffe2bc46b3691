"""Read a course into the database: only what changed, and whatever can be read."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from rag.chunking import TextChunk, chunk_document
from rag.concepts import ConceptGraph, extract_concepts
from rag.embedders.port import Embedder
from rag.files import course_title, find_files, module_name
from rag.loaders import load_document
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
    plan = plan_ingest(found, known, course=course)
    reader = _Reader(course=course, plan=plan, corpus=corpus, embedder=embedder, on_progress=on_progress)
    readings = await reader.read_all()
    if readings or plan.gone or plan.moved:
        # The last batches are still being embedded while the concepts are found.
        graph = await asyncio.to_thread(extract_concepts, await _reading_order(plan, readings, corpus))
        await reader.all_embedded()
        await corpus.apply(_changes(course, plan, readings, graph), now=now)
    known_ids = {document.id for document in known}
    return IngestReport(
        course=course,
        added=sum(reading.document.id not in known_ids for reading in readings),
        changed=sum(reading.document.id in known_ids for reading in readings),
        removed=len(plan.gone),
        unchanged=len(plan.same),
        chunks=sum(len(reading.chunks) for reading in readings),
        failures=(*plan.unreadable, *reader.failures),
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
        self.wordless: list[str] = []
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
            loaded = load_document(planned.path)
        except WordlessDocumentError:
            self.wordless.append(planned.name)
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
            module_name=module_name(planned.chapter_id, course=self._course),
            title=loaded.title,
            source_url=planned.path.as_uri(),
            position=planned.position,
            content_hash=planned.fingerprint,
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
    )


def _changes(
    course: str, plan: IngestPlan, readings: Sequence[_Reading], graph: ConceptGraph
) -> CourseChanges:
    documents = [*plan.same, *(reading.document for reading in readings)]
    return CourseChanges(
        course=course,
        title=course_title(course, documents),
        documents=tuple(
            DocumentContent(document=reading.document, chunks=tuple(reading.embedded)) for reading in readings
        ),
        removed=tuple(document.id for document in plan.gone),
        positions={document.id: document.position for document in plan.same},
        concepts=graph.concepts,
        relationships=graph.relationships,
    )


async def _reading_order(
    plan: IngestPlan, readings: Sequence[_Reading], corpus: Corpus
) -> list[CoursePassage]:
    """Every passage of the course as it will be, in the order in which it is read."""
    placed: list[tuple[int, str, list[CoursePassage]]] = []
    for reading in readings:
        passages = [
            CoursePassage(
                chunk_id=chunk.chunk_id,
                chapter_id=reading.document.chapter_id,
                headings=chunk.headings,
                text=chunk.text,
            )
            for chunk in reading.chunks
        ]
        placed.append((reading.document.position, reading.document.chapter_id, passages))
    for document in plan.same:
        passages = [
            CoursePassage(
                chunk_id=passage.chunk_id,
                chapter_id=passage.chapter_id,
                headings=passage.heading_hierarchy,
                text=passage.chunk_text,
            )
            for passage in await corpus.chapter(document.id)
        ]
        placed.append((document.position, document.chapter_id, passages))
    return [passage for _, _, passages in sorted(placed, key=lambda item: item[:2]) for passage in passages]
