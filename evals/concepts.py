"""Are a book's prerequisite edges sound? No cycle, evidence for each, and earlier before later."""

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.data import bench_data
from evals.openstax import copy_without_exercises
from evals.report import Report, Row, goal
from rag.library import Library, LibraryOptions
from rag.terms import term_key, words_of
from storage.course import Concept, Relationship
from storage.database import Database


async def run() -> Report:
    """Ingest the book and check every edge against its text and its table of contents."""
    book = bench_data("openstax_biology")
    with TemporaryDirectory() as folder:
        copy = copy_without_exercises(book, Path(folder) / "biology")
        database = await Database.open(f"sqlite:///{folder}/tutor.db")
        library = Library(database, LibraryOptions(index_folder=Path(folder) / "index", embedder="wordllama"))
        try:
            await library.ingest([copy])
            concepts, edges = await library.concept_graph("biology")
            passages = await library.corpus.chunks_by_id([edge.chunk_id for edge in edges])
        finally:
            await library.close()
            await database.close()
    texts = {passage.chunk_id: passage.chunk_text for passage in passages}
    shown = sum(_shows(texts.get(edge.chunk_id, ""), edge.prerequisite) for edge in edges)
    forward = _forward(concepts, edges, _order(book))
    return Report(
        name="Concepts: OpenStax Biology",
        command="python -m evals concepts",
        rows=[
            Row(measure="concepts / prerequisite edges", value=f"{len(concepts):,} / {len(edges):,}"),
            goal(
                "cycles", int(_has_cycle(edges)), at_most=0, shown="1 or more" if _has_cycle(edges) else "0"
            ),
            goal("edges whose chunk names the prerequisite", shown / len(edges), at_least=1.0),
            goal("edges from an earlier module to a later one", forward / len(edges), at_least=0.95),
        ],
    )


def _order(book: Path) -> dict[str, int]:
    modules = re.findall(r"contents/(m\d+)\.md", (book / "SUMMARY.md").read_text(encoding="utf-8"))
    return {module: number for number, module in enumerate(dict.fromkeys(modules))}


def _forward(concepts: Sequence[Concept], edges: Sequence[Relationship], order: dict[str, int]) -> int:
    place = {concept.name: order.get(Path(concept.chapter_id).name, -1) for concept in concepts}
    return sum(place[edge.prerequisite] < place[edge.concept] for edge in edges)


def _shows(text: str, name: str) -> bool:
    words, key = words_of(text), term_key(name)
    return any(tuple(words[start : start + len(key)]) == key for start in range(len(words)))


def _has_cycle(edges: Sequence[Relationship]) -> bool:
    after: dict[str, set[str]] = {}
    for edge in edges:
        after.setdefault(edge.prerequisite, set()).add(edge.concept)
    waiting = {edge.concept for edge in edges} | set(after)
    while waiting:
        blocked = {concept for first in waiting for concept in after.get(first, ()) if concept in waiting}
        if blocked == waiting:
            return True
        waiting = blocked
    return False
