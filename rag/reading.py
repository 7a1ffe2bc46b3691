"""Reads a course's files and has them embedded: each file on its own, whatever the others are like."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rag.chunking import chunk_document, searchable
from rag.embedders.port import Embedder
from rag.loaders import LoadedDocument, load_document
from rag.loaders.apart import ReadingProcess, belongs_apart
from rag.placing import about
from rag.plan import IngestPlan, PlannedFile
from storage.corpus import Corpus
from storage.course import Chunk, Document
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


OnProgress = Callable[[Progress], None]


@dataclass(slots=True)
class Reading:
    """A document between reading and writing."""

    planned: PlannedFile
    document: Document
    chunks: list[Chunk]  # with their vectors once all are embedded


class Reader:
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
        self.wordless: dict[PlannedFile, str] = {}  # the title is all they have
        self.embedding_seconds = 0.0
        self._course = course
        self._plan = plan
        self._corpus = corpus
        self._embedder = embedder  # loaded only when there is something to embed
        self._on_progress = on_progress
        self._finished: list[Reading] = []
        self._embedding: list[asyncio.Task[None]] = []
        self._one_at_a_time = asyncio.Lock()
        self._apart = ReadingProcess()

    async def read_all(self) -> list[Reading]:
        """Read everything; batches go to the embedder as they fill up, one at a time."""
        readings: list[Reading] = []
        try:
            for batch in self._batches():
                readings += batch
                self._embedding.append(asyncio.create_task(self._embed(batch, self._embedder())))
                await asyncio.sleep(0)  # lets the embedding start before the next file is read
        finally:
            self._apart.close()
        return readings

    async def all_embedded(self) -> None:
        await asyncio.gather(*self._embedding)

    def _batches(self) -> Iterator[list[Reading]]:
        batch: list[Reading] = []
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

    def _read(self, planned: PlannedFile) -> Reading | None:
        try:
            loaded = self._loaded(planned)
        except WordlessDocumentError as err:
            self.wordless[planned] = err.title
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
        return Reading(planned, document, chunks)

    def _loaded(self, planned: PlannedFile) -> LoadedDocument:
        load = self._apart.load if belongs_apart(planned.path, size=planned.size) else load_document
        return load(planned.path, root=planned.root)

    async def _embed(self, batch: list[Reading], embedder: Embedder) -> None:
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
