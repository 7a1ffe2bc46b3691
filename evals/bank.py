"""Do the author's questions find their sections, and do quizzes ask them? Measured on a book that sets them on every page,
and on 100 questions of five courses whose sections somebody named who saw only the headings and a few lines."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from pydantic import BaseModel, ConfigDict

from agents.lesson_material import guides_of, part_passages, taught_elsewhere
from agents.syllabus import Syllabus, load_syllabus
from agents.teaching.parts import Part
from agents.teaching.questions.bank import Wanted, compose, here
from agents.teaching.questions.writing import FEWEST_QUESTIONS, write_items
from agents.teaching.values import Item, Passage, Place, QuizQuestion
from evals.data import bench_data, fresh_library
from evals.openstax import COURSE
from evals.report import Report, Row, goal
from rag.concepts import CoursePassage
from rag.exercises.attaching import Attacher
from rag.library import Library
from rag.tree import Unit

LABELS = Path(__file__).parent / "labels" / "sections_judged.jsonl"
_TOP = "*"  # of a page, above its first heading
_QUIZ = 5
_NOTES = (
    "A question's page is known, so its place is taken from it: it is put on a page of its own in the chapter, as courses with a "
    "quiz at the end of a chapter have it, and has to find back. Every part of every page is quizzed as `tutor preview` does; where "
    "a quiz would have too few questions there is none, which is what is missing.",
    "",
    "The sections of the 100 questions (20 a course, in the order of their hash) were named from the question, its key, the headings of the page and what "
    "single words stand where, before anybody saw where they are attached; up to four may be named. Nearly all come to the right page. Which of its "
    "sections answers is what words tell too little of: headings counted more, numbers left out, vectors, worked examples counted less and the "
    "order of the questions against that of the sections were tried, and none gave more than three of 100.",
)


class SectionLabel(BaseModel):
    """Where one question of the author belongs, by a judge."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question_id: str
    course: str  # a folder of the public data
    page: str
    sections: tuple[str, ...]  # their headings; what stands below them is theirs too

    def names(self, passage: CoursePassage) -> bool:
        return self.is_page_of(passage) and any(
            name in passage.headings or (name == _TOP and len(passage.headings) <= 1)
            for name in self.sections
        )

    def is_page_of(self, passage: CoursePassage) -> bool:
        return passage.chapter_id == self.page


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """How many judged questions came to where they belong."""

    there: int
    on_page: int
    in_section: int


async def run() -> Report:
    """Ingest the book with its exercises, and look where they are."""
    with TemporaryDirectory() as folder:
        async with fresh_library(Path(folder), bench_data("openstax_biology"), course=COURSE) as library:
            syllabus = await load_syllabus(library, COURSE)
            items = await library.corpus.items.of_course(COURSE)
            back, pages = found_back(items, syllabus, await library.outline(COURSE))
            asked, milliseconds = await quizzed(library, syllabus)
    placed = await judged()
    figures = {
        "found_back": sum(back) / len(back),
        "first": sum(asked) / len(asked),
        "on_page": placed.on_page / placed.there,
        "in_section": placed.in_section / placed.there,
    }
    return Report(
        name="The bank: OpenStax Biology",
        command="python -m evals bank",
        rows=[
            Row(
                measure="questions of the author / pages to find among", value=f"{len(items):,} / {pages:.1f}"
            ),
            goal("found back to their page", figures["found_back"], at_least=0.9),
            goal(
                f"five courses: on the page that a judge named, of {placed.there}",
                figures["on_page"],
                at_least=0.9,
            ),
            goal(
                f"five courses: in the section that a judge named, of {placed.there}",
                figures["in_section"],
                at_least=0.9,
            ),
            goal("parts with author's questions whose quiz asks them first", figures["first"], at_least=0.98),
            goal("ms to make a quiz, p50", median(milliseconds), at_most=20),
        ],
        notes=_NOTES,
        figures=figures,
    )


async def judged() -> Placed:
    """The questions that somebody looked at, each against where it was attached."""
    labels = [
        SectionLabel.model_validate_json(line) for line in LABELS.read_text(encoding="utf-8").splitlines()
    ]
    by_course = {each.course: [one for one in labels if one.course == each.course] for each in labels}
    tallies = [await _placed(course, mine) for course, mine in by_course.items()]
    return Placed(
        there=sum(each.there for each in tallies),
        on_page=sum(each.on_page for each in tallies),
        in_section=sum(each.in_section for each in tallies),
    )


async def _placed(course: str, labels: Sequence[SectionLabel]) -> Placed:
    folder, _, inside = course.partition("/")
    with TemporaryDirectory() as here:
        name = course.replace("/", "_")
        async with fresh_library(Path(here), bench_data(folder) / inside, course=name) as library:
            items = await library.corpus.items.of_course(name)
            passages = {each.chunk_id: _course_passage(each) for each in await library.corpus.passages(name)}
    return placed(labels, items, passages)


def placed(
    labels: Sequence[SectionLabel], items: Sequence[Item], passages: Mapping[str, CoursePassage]
) -> Placed:
    """Judged questions against the passages that they are attached to; one that is not there is nowhere."""
    chunk_of = {each.question.question_id: each.question.chunk_id for each in items}
    found = [(each, passages.get(chunk_of.get(each.question_id, ""))) for each in labels]
    return Placed(
        there=len(labels),
        on_page=sum(passage is not None and label.is_page_of(passage) for label, passage in found),
        in_section=sum(passage is not None and label.names(passage) for label, passage in found),
    )


def _course_passage(passage: Passage) -> CoursePassage:
    return CoursePassage(
        chunk_id=passage.chunk_id,
        chapter_id=passage.chapter_id,
        headings=passage.heading_hierarchy,
        text=passage.chunk_text,
    )


def found_back(items: Sequence[Item], syllabus: Syllabus, root: Unit) -> tuple[list[bool], float]:
    """For each question whether it comes to its own page, and among how many pages of its chapter it looked."""
    quiz_of: dict[str, str] = {}
    sizes: dict[str, int] = {}
    passages = [_course_passage(each) for each in syllabus.passages if each.chapter_id not in syllabus.apart]
    attacher = Attacher(
        passages, concepts=syllabus.concepts, root=_with_quizzes(root, quiz_of=quiz_of, sizes=sizes)
    )
    pages = {each.chunk_id: each.chapter_id for each in passages}
    moved = [
        (item, replace(item, chapter_id=quiz_of[item.chapter_id], headings=()))
        for item in items
        if item.chapter_id in quiz_of
    ]
    back = [pages[attacher.attached(there).question.chunk_id] == item.chapter_id for item, there in moved]
    return back, sum(sizes[there.chapter_id] for _, there in moved) / len(moved)


def _with_quizzes(unit: Unit, *, quiz_of: dict[str, str], sizes: dict[str, int]) -> Unit:
    """The tree with a page of exercises in each chapter of several pages."""
    children = tuple(
        _with_quizzes(child, quiz_of=quiz_of, sizes=sizes)
        for child in unit.children
        if child.kind != "section"
    )
    pages = [child.chapter_id for child in children if child.chapter_id]
    if len(pages) < 2:
        return replace(unit, children=children)
    name = f"quiz of {unit.title}"
    quiz_of.update(dict.fromkeys(pages, name))
    sizes[name] = len(pages)
    return replace(unit, children=(*children, Unit(title=name, chapter_id=name, kind="exercises")))


async def quizzed(library: Library, syllabus: Syllabus) -> tuple[list[bool], list[float]]:
    """For each part that has questions of the author whether its quiz begins with one, and what each quiz took."""
    asked: list[bool] = []
    milliseconds: list[float] = []
    for page in syllabus.documents:
        topic = syllabus.topic_at(Place(name=page.title, kind="title", chapter_id=page.chapter_id))
        for part in topic.parts if topic and page.chapter_id not in syllabus.apart else ():
            started = time.process_time()
            has_own, quiz = await _quiz(library, syllabus, part)
            milliseconds.append((time.process_time() - started) * 1000)
            if has_own:
                asked.append(len(quiz) >= FEWEST_QUESTIONS and quiz[0].origin == "author")
    return asked, milliseconds


async def _quiz(library: Library, syllabus: Syllabus, part: Part) -> tuple[bool, list[QuizQuestion]]:
    passages = part_passages(part)
    chapters = {each.chapter_id for each in part.concepts}
    beside = (each for each in syllabus.concepts if each.chapter_id in chapters)
    concepts = tuple(dict.fromkeys([*part.concepts, *beside]))
    wanted = Wanted(count=_QUIZ, topic=part.names, focus=part.names)
    bank = await library.corpus.items.about(
        syllabus.course, chunk_ids=[each.chunk_id for each in passages], concepts=part.names
    )
    quiz = compose(
        bank,
        passages,
        wanted=wanted,
        fill=lambda taken: write_items(
            passages,
            concepts=concepts,
            count=_QUIZ,
            focus=wanted.focus,
            topic=wanted.topic,
            elsewhere=taught_elsewhere(syllabus, passages, here=concepts),
            guides=guides_of(syllabus, passages),
            taken=taken,
        ),
    )
    return bool(here(bank, passages, wanted=wanted)), quiz
