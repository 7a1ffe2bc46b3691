"""Are answers true to the course, and does the tutor know what it does not know? On the sample course, offline."""

import json
import re
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from agents.coordinator.answer import GroundedAnswer, answer_question
from agents.coordinator.followup import resolve
from agents.coordinator.lookup import search_queries
from agents.tutor.citations import check_citations
from evals.report import Report, Row, goal
from rag.library import Library, LibraryOptions
from rag.results import RetrievalResult, merged
from storage.database import Database

_LABELS = Path(__file__).parent / "labels"
_COURSE = Path(__file__).parent.parent / "rag" / "courses" / "physical-ai"
_TOP_K = 10
_HARD = ("own_words", "crossed")
_FRAME = re.compile(
    r"(?:The course gives these steps|The course lists these points|Here is the \S+(?: \w+)?):?"
)
_NOTES = (
    "The labels are our own: answerable questions of all kinds, in the course's words and in a learner's; "
    "questions far from the course, near it, and made of its words but not answered by it; follow-ups with their "
    "history. Half of each kind was put aside before anything was tuned, and the goals are for that half; more were "
    "written for tuning later, because the first half was soon learned by heart. Nobody looked at the put-aside "
    "questions one by one, but their totals were looked at about a dozen times on the way.",
    "",
    "A sentence is verbatim if its letters and digits stand in that order in the chunk that its marker names. "
    "'Says what it should' looks for a phrase that every right answer has.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One question, and what a right answer looks like."""

    kind: str
    question: str
    history: tuple[tuple[str, str], ...]
    topic: str
    answerable: bool
    chapters: frozenset[str]
    says: tuple[str, ...]  # each must be said; alternatives are parted by |

    @property
    def is_followup(self) -> bool:
        return self.kind.startswith("followup")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one question came to."""

    label: Label
    query: str
    passages: Sequence[RetrievalResult]
    answer: GroundedAnswer
    seconds: float

    @property
    def flag_is_right(self) -> bool:
        return self.answer.grounded == self.label.answerable

    @property
    def cites_right_chapter(self) -> bool:
        chunks = {citation.chunk_id for citation in self.answer.citations}
        return any(p.chunk_id in chunks and p.chapter_id in self.label.chapters for p in self.passages)

    @property
    def finds_right_chapter(self) -> bool:
        return any(passage.chapter_id in self.label.chapters for passage in self.passages[:5])

    @property
    def says_it(self) -> bool:
        said = re.sub(r"\s*\[\d+\]", "", " ".join(self.answer.text.split())).lower()
        return all(any(one in said for one in each.lower().split("|")) for each in self.label.says)

    def quotes(self) -> list[tuple[str, str]]:
        """Every quoted sentence or line with the text of the chunk it is said to come from."""
        texts = {passage.chunk_id: passage.chunk_text for passage in self.passages}
        return [
            (line, texts[c.chunk_id])
            for c in self.answer.citations
            for quote in c.quotes
            for line in quote.splitlines()
        ]

    def left_over(self) -> str:
        """What the answer says in words that it does not quote."""
        body = _letters(_FRAME.sub("", re.sub(r"\s*\[\d+\]", "", self.answer.text.split("\n---\n")[0])))
        for quote, _ in sorted(self.quotes(), key=lambda pair: -len(pair[0])):
            body = body.replace(_letters(quote), "", 1)
        return body


async def run() -> Report:
    """Ask every labelled question of the freshly ingested sample course."""
    with TemporaryDirectory() as folder:
        async with sample_library(Path(folder)) as library:
            tuned = [await ask(library, label) for label in load_labels("tune")]
            held_out = [await ask(library, label) for label in load_labels("held_out")]
    return Report(
        name="Answers: the sample course",
        command="python -m evals answers",
        rows=[
            Row(measure="questions tuned on / put aside", value=f"{len(tuned)} / {len(held_out)}"),
            Row(measure="right flag, tuned on", value=f"{_share(o.flag_is_right for o in tuned):.3f}"),
            *_rows(held_out),
        ],
        notes=_NOTES,
        figures=_figures(held_out),
    )


@asynccontextmanager
async def sample_library(folder: Path) -> AsyncIterator[Library]:
    """The sample course, freshly ingested into the folder."""
    database = await Database.open(f"sqlite:///{folder}/tutor.db")
    library = Library(database, LibraryOptions(index_folder=folder / "index", embedder="wordllama"))
    try:
        await library.ingest([_COURSE])
        yield library
    finally:
        await library.close()
        await database.close()


async def look_up(library: Library, query: str) -> list[RetrievalResult]:
    """The passages for a stand-alone question."""
    return merged([await library.retrieve(each, top_k=_TOP_K) for each in search_queries(query)])


async def ask(library: Library, label: Label) -> Outcome:
    """Resolve, look up and answer, as the coordinator does."""
    terms = await course_terms(library)
    query = resolve(label.question, history=label.history, topic=label.topic, terms=terms)
    passages = await look_up(library, query)
    started = time.perf_counter()
    answer = answer_question(query, passages, course_topics=["ROS 2 basics"], terms=terms)
    return Outcome(
        label=label, query=query, passages=passages, answer=answer, seconds=time.perf_counter() - started
    )


async def course_terms(library: Library) -> list[str]:
    concepts, _ = await library.concept_graph(_COURSE.name)
    return [concept.name for concept in concepts]


def load_labels(split: str) -> list[Label]:
    lines = (_LABELS / f"answers_{split}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_label(json.loads(line)) for line in lines]


def _label(row: dict[str, Any]) -> Label:
    return Label(
        kind=row["kind"],
        question=row["question"],
        history=tuple((role, text) for role, text in row["history"]),
        topic=row["topic"],
        answerable=row["answerable"],
        chapters=frozenset(row["chapters"]),
        says=tuple(row["says"]),
    )


def _rows(outcomes: Sequence[Outcome]) -> list[Row]:
    answerable = [o for o in outcomes if o.label.answerable]
    answered = [o for o in answerable if o.answer.grounded]
    followups = [o for o in answerable if o.label.is_followup]
    quotes = [pair for o in outcomes for pair in o.quotes()]
    return [
        goal("right flag: answered or 'I don't have information'", _share(o.flag_is_right for o in outcomes), at_least=0.95),
        _row("of these: in the course's words, or plainly outside it", [o for o in outcomes if o.label.kind not in _HARD]),
        _row("of these: in a learner's own words, or in the course's but not answered by it", [o for o in outcomes if o.label.kind in _HARD]),
        goal("answerable, and answered", len(answered) / len(answerable), at_least=0.95),
        goal("not answerable, and said so", _share(o.flag_is_right for o in outcomes if not o.label.answerable), at_least=0.95),
        goal("answers that cite the right chapter", _share(o.cites_right_chapter for o in answered), at_least=0.95),
        goal("answers that say what they should", _share(o.says_it for o in answered), at_least=0.85),
        goal("quoted sentences verbatim in their chunk", _share(_letters(q) in _letters(t) for q, t in quotes), at_least=1.0),
        goal("answers without a word of their own", _share(not o.left_over() for o in answered), at_least=1.0),
        goal("answers whose citations check", _share(not check_citations(o.answer.text, o.passages) for o in answered), at_least=1.0),
        goal("follow-ups: right chapter among five passages", _share(o.finds_right_chapter for o in followups), at_least=0.9),
        Row(measure="time to answer, median (ms)", value=f"{median(o.seconds for o in outcomes) * 1000:.0f}"),
    ]  # fmt: skip


def _row(measure: str, outcomes: Sequence[Outcome]) -> Row:
    return Row(measure=measure, value=f"{_share(o.flag_is_right for o in outcomes):.3f} of {len(outcomes)}")


def _figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    kinds = sorted({o.label.kind for o in outcomes})
    return {
        "right_flag": _share(o.flag_is_right for o in outcomes),
        "right_flag_by_kind": {
            kind: _share(o.flag_is_right for o in outcomes if o.label.kind == kind) for kind in kinds
        },
        "says_by_kind": {
            kind: _share(o.says_it for o in outcomes if o.label.kind == kind and o.label.answerable)
            for kind in kinds
            if any(o.label.answerable for o in outcomes if o.label.kind == kind)
        },
    }


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 1.0


def _letters(text: str) -> str:
    """Letters and digits only, without the reference marks of the course or of the answer."""
    return re.sub(r"[\W_]+", "", re.sub(r"\[\^?\d{1,3}\]", "", text)).lower()
