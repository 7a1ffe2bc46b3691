"""Read a course into the database: only what changed, and whatever can be read."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rag.blocks import CoursePassage
from rag.concepts import extract_concepts
from rag.embedders.port import Embedder
from rag.files import find_files
from rag.placing import course_tree, page_of, placed_documents, stored_tree
from rag.plan import IngestPlan, plan_ingest
from rag.reading import OnProgress, Progress, Reader, Reading
from rag.tree import Page, to_json
from storage.corpus import Corpus
from storage.course import CourseChanges, Document, DocumentContent

__all__ = ["IngestReport", "OnProgress", "Progress", "ingest"]


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
            url=url,
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
        skipped=(
            *(planned.name for planned in reader.wordless),
            *(name for files in found for name in files.skipped),
        ),
        seconds=time.perf_counter() - started,
        embedding_seconds=reader.embedding_seconds,
    )


def _pages(
    plan: IngestPlan, readings: Sequence[Reading], staying: Sequence[Document], reader: Reader
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


def _contents(documents: Sequence[Document], readings: Sequence[Reading]) -> tuple[DocumentContent, ...]:
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
    documents: Sequence[Document], readings: Sequence[Reading], corpus: Corpus
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
        for chunk in fresh.get(document.id) or await corpus.chapter(document.id)
    ]
