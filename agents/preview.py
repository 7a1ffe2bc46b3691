"""A topic as a newcomer would be taught and asked about it, without a chat."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from agents.lesson_material import guides_of, part_passages, taught_elsewhere
from agents.quiz.offline import render_question
from agents.syllabus import Syllabus, Topic, find_topic, load_syllabus
from agents.teaching.lesson import Order, first_lesson
from agents.teaching.questions.bank import Wanted, compose
from agents.teaching.questions.writing import FEWEST_QUESTIONS, write_items
from agents.teaching.values import Item, QuizQuestion, part_label, wanted_part
from rag.library import Library
from storage.errors import InvalidInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePage:
    """A page that a lesson is taken from."""

    chapter_id: str
    title: str
    source_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """One part of a topic, as it is taught and asked."""

    course: str
    topic: str
    part: int
    parts: int
    lesson: str
    sources: tuple[SourcePage, ...]
    cited: tuple[str, ...]  # the chunks that its marks stand for, [1] first
    questions: tuple[QuizQuestion, ...]

    def as_json(self) -> dict[str, Any]:
        questions = [question.model_dump(mode="json") for question in self.questions]
        sources = [asdict(source) for source in self.sources]
        return {
            "course": self.course,
            "topic": self.topic,
            "part": self.part,
            "parts": self.parts,
            "lesson": self.lesson,
            "sources": sources,
            "questions": questions,
        }

    def as_page(self) -> str:
        total = len(self.questions)
        asked = [
            f"{render_question(question, number=number, total=total)}\n\n→ {question.expected_answer}"
            for number, question in enumerate(self.questions, 1)
        ]
        head = f"# {part_label(self.topic, self.part, self.parts)} ({self.course})"
        listed = "\n".join(
            f"[{number}] {each.title} ({each.chapter_id})" for number, each in enumerate(self.sources, 1)
        )
        return "\n\n".join([head, self.lesson, listed, *asked])


async def preview_topic(library: Library, wanted: str, *, course: str | None, count: int) -> Preview:
    """Find the topic in the course, or in the one that has it under the likest name."""
    names = [course] if course else [each.name for each in await library.courses()]
    found = []
    for name in names:
        syllabus = await load_syllabus(library, name)
        match = await find_topic(library, syllabus, wanted)
        if match:
            found.append((match[0].score, syllabus, match[1]))
    if not found:
        where = f"the course '{course}'" if course else "any course"
        raise InvalidInputError(f"Nothing in {where} is about '{wanted}'. 'tutor search' finds what is.")
    _, syllabus, topic = max(found, key=lambda each: each[0])
    bank = await library.corpus.items.of_course(syllabus.course)
    return of_topic(syllabus, topic, part=wanted_part(wanted)[1] or topic.begin, count=count, bank=bank)


def of_topic(
    syllabus: Syllabus, topic: Topic, *, part: int, count: int, bank: Sequence[Item] = ()
) -> Preview:
    """A part's lesson and quiz, as a learner who is new to it gets them."""
    number = min(part, len(topic.parts))
    shown = topic.parts[number - 1]
    passages = part_passages(shown)
    chapters = {concept.chapter_id for concept in shown.concepts}
    beside = (concept for concept in syllabus.concepts if concept.chapter_id in chapters)
    concepts = tuple(dict.fromkeys([*shown.concepts, *beside]))
    wanted = Wanted(count=count, topic=shown.names, focus=shown.names)
    questions = compose(
        bank,
        passages,
        wanted=wanted,
        fill=lambda taken: write_items(
            passages,
            concepts=concepts,
            count=count,
            focus=wanted.focus,
            topic=wanted.topic,
            elsewhere=taught_elsewhere(syllabus, passages, here=concepts),
            guides=guides_of(syllabus, passages),
            taken=taken,
        ),
    )
    order = Order(
        topic=topic.name,
        concepts=shown.names,
        part=number,
        parts=len(topic.parts),
        has_quiz=len(questions) >= FEWEST_QUESTIONS,
    )
    lesson = first_lesson(order, passages)
    pages = {
        each.chapter_id: SourcePage(chapter_id=each.chapter_id, title=each.title, source_url=each.source_url)
        for each in lesson.sources
    }
    return Preview(
        course=syllabus.course,
        topic=topic.name,
        part=number,
        parts=len(topic.parts),
        lesson=lesson.text,
        sources=tuple(pages.values()),
        cited=tuple(each.chunk_id for each in lesson.sources),
        questions=tuple(questions) if order.has_quiz else (),
    )
