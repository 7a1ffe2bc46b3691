"""The sample course's concept graph, read from its files without a database."""

from functools import cache

from agents.settings import SAMPLE_COURSE
from agents.teaching.path import ConceptGraph
from rag.chunking import chunk_document
from rag.concepts import CoursePassage, extract_concepts
from rag.files import find_files
from rag.loaders import load_document


@cache
def sample_graph() -> ConceptGraph:
    """The graph as an ingest finds it."""
    passages: list[CoursePassage] = []
    titles: dict[str, str] = {}
    for file in find_files(SAMPLE_COURSE).files:
        document = load_document(file.path)
        titles[file.chapter_id] = document.title
        passages += [
            CoursePassage(
                chunk_id=chunk.chunk_id,
                chapter_id=file.chapter_id,
                headings=chunk.heading_hierarchy,
                text=chunk.chunk_text,
            )
            for chunk in chunk_document(
                document, course="physical-ai", chapter_id=file.chapter_id, count_tokens=_words
            )
        ]
    found = extract_concepts(passages)
    return ConceptGraph.of(found.concepts, found.relationships, chapter_titles=titles)


def _words(text: str) -> int:
    return len(text.split())
