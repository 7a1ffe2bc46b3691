"""The tutor's language skill behind the embedded model, and the brief that every model gets."""

from dataclasses import replace

from pydantic import BaseModel

from agents.teaching.lesson import Lesson, Order, another_way, first_lesson
from agents.teaching.values import Concept, LearnerLevel, RetrievalResult
from agents.tutor.citations import sources_footer


class TutorBrief(BaseModel):
    """What the tutor explains, to whom, and from which passages."""

    topic: str
    level: LearnerLevel
    cycle: int
    concepts: tuple[Concept, ...]
    missed: tuple[str, ...]
    foundations: dict[str, tuple[str, ...]]
    already_said: str
    passages: tuple[RetrievalResult, ...]
    own: int = 0  # so many of the passages are the part itself; the others are from elsewhere
    part: int = 1
    parts: int = 1
    has_quiz: bool = True


def explanation(brief: TutorBrief) -> Lesson:
    """The lesson that the embedded model gives to a brief, with its sources below it."""
    own, elsewhere = brief.passages[: brief.own], brief.passages[brief.own :]
    order = Order(
        topic=brief.topic,
        concepts=tuple(concept.name for concept in brief.concepts),
        part=brief.part,
        parts=brief.parts,
        missed=brief.missed,
        foundations=tuple(brief.foundations.items()),
        definitions=tuple((each.name, each.definition) for each in brief.concepts if each.kind == "glossary"),
        has_quiz=brief.has_quiz,
    )
    if brief.cycle > 1:
        lesson = another_way(order, own, elsewhere, already_told=brief.already_said)
    else:
        lesson = first_lesson(order, own or elsewhere)
    return replace(lesson, text=f"{lesson.text}\n{sources_footer(brief.topic, lesson.sources)}")
