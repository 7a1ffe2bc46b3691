"""Are a book's prerequisite edges sound? No cycle, evidence for each, and earlier before later."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from agents.language.words import term_key, words_of
from agents.teaching.values import Concept, Relationship
from evals.data import bench_data
from evals.openstax import COURSE, biology_library
from evals.report import Report, Row, goal
from rag.library import Library

_NOTES = (
    "Judged by hand, 12 of each of five courses (Comprehensive Rust, the Hugging Face course, Whirlwind Python, Data Science for "
    "Beginners, OpenStax Biology): a thing that is taught, .87 of 60 concepts (rust .92, hf .58, python 1.0, data .83, biology 1.0; "
    "a first sample, before its faults were mended, .73; before the outline .58 of 60 from four courses, as notebooks were not "
    "read); a prerequisite that a teacher would nod at, .78 of 59 edges (before .50 of 60, twice as many edges). What is left is "
    "steps of tutorials named like things ('Tips for Success') and words with two meanings ('values'). One judge, who knew which "
    "sample was which.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What holds of a course's edges."""

    concepts: int
    edges: int
    has_cycle: bool
    shown: float
    forward: float


async def run() -> Report:
    """Ingest the book and check every edge against its text and its table of contents."""
    with TemporaryDirectory() as folder:
        async with biology_library(Path(folder)) as library:
            found = await check(library, bench_data("openstax_biology"))
    return Report(
        name="Concepts: OpenStax Biology",
        command="python -m evals concepts",
        rows=[
            Row(measure="concepts / prerequisite edges", value=f"{found.concepts:,} / {found.edges:,}"),
            goal("cycles", int(found.has_cycle), at_most=0, shown="1 or more" if found.has_cycle else "0"),
            goal("edges whose chunk names the prerequisite", found.shown, at_least=1.0),
            goal("edges from an earlier module to a later one", found.forward, at_least=0.95),
        ],
        notes=_NOTES,
        figures={"shown": found.shown, "forward": found.forward},
    )


async def check(library: Library, book: Path) -> Checked:
    """Every edge of the book, held against its chunk and the order of the modules."""
    concepts, edges = await library.concept_graph(COURSE)
    passages = await library.corpus.chunks_by_id([edge.chunk_id for edge in edges])
    texts = {passage.chunk_id: passage.chunk_text for passage in passages}
    return Checked(
        concepts=len(concepts),
        edges=len(edges),
        has_cycle=_has_cycle(edges),
        shown=sum(_shows(texts.get(edge.chunk_id, ""), edge.prerequisite) for edge in edges) / len(edges),
        forward=_forward(concepts, edges, _order(book)) / len(edges),
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
