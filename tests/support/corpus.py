"""Small courses to store, whose ids say where they belong."""

from datetime import UTC, datetime

from storage.corpus import Chunk, Corpus, CourseChanges, Document, DocumentContent

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def document(name: str, *, course: str = "ros", position: int = 0, chunks: int = 2) -> DocumentContent:
    """A chapter whose ids say where they belong."""
    return DocumentContent(
        document=Document(
            id=f"{course}/{name}",
            chapter_id=f"module-1/{name}",
            module_name="Module 1",
            title=name.title(),
            source_url=f"file:///{name}.md",
            position=position,
            content_hash=f"hash of {name}",
        ),
        chunks=tuple(chunk(f"{course}/{name}/{index}", index=index) for index in range(chunks)),
    )


def chunk(chunk_id: str, *, index: int = 0) -> Chunk:
    return Chunk(
        chunk_id=chunk_id,
        chunk_index=index,
        chunk_text=f"text of {chunk_id}",
        heading_hierarchy=("Basics", "Nodes"),
        token_count=4,
        vector=bytes([index % 256, 1, 0, 255]),
        embedder="wordllama",
    )


def changes(*documents: DocumentContent, course: str = "ros") -> CourseChanges:
    return CourseChanges(course=course, title=course.upper(), documents=documents)


async def changed_ids(corpus: Corpus, revision: int, *, batch_size: int = 1000) -> list[str]:
    return [
        entry.chunk_id
        async for batch in corpus.changed_since(revision, batch_size=batch_size)
        for entry in batch
    ]
