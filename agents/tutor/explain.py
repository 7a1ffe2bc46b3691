"""Explain a topic from its passages, with citations; the second time, another way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.state import LearnerLevel
from agents.tutor.citations import Citation
from agents.tutor.lesson_plan import another_way, first_lesson
from agents.tutor.lesson_text import LessonText
from agents.tutor.teaching import Material
from rag.results import RetrievalResult
from rag.terms import term_key
from storage.course import Concept


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One lesson: what the learner reads, and what it rests on."""

    text: str
    citations: tuple[Citation, ...]
    concepts_covered: tuple[str, ...]  # with something that was not said before
    concepts_retold: tuple[str, ...]  # all was said: their core once more, seen from another side
    foundations_told: tuple[str, ...]  # what those build on
    examples: tuple[str, ...]


def explain(
    topic: str,
    passages: Sequence[RetrievalResult],
    *,
    concepts: Sequence[Concept],
    level: LearnerLevel = "unknown",
    cycle: int = 1,
    focus: Sequence[str] = (),
    foundations: Mapping[str, Sequence[str]] | None = None,
    already_explained: str = "",
    max_concepts: int = 4,
) -> Explanation:
    """A lesson on the topic; from the second cycle on only on what was missed, in sentences not used before.

    Where the course has none left, what the concept is comes once more: on its foundations, or beside a neighbour.
    already_explained is all that earlier cycles said, not only the last one.
    """
    material = Material(passages, already_said=already_explained)
    if not material.units:
        return _nothing(topic)
    names = _missed(focus, concepts)[:max_concepts] if cycle >= 2 else []
    lesson = (
        another_way(
            material,
            names,
            cycle=cycle,
            foundations=foundations or {},
            neighbours=[concept.name for concept in concepts],
        )
        if names
        else first_lesson(material, concepts, topic=topic, level=level, most_concepts=max_concepts)
    )
    if not lesson.told and not lesson.example:
        return _nothing(topic)
    written = LessonText(lesson, material, concepts, topic=topic, level=level, cycle=cycle)
    return Explanation(
        text=written.text(),
        citations=written.citations,
        concepts_covered=tuple(told.name for told in lesson.told if told.points),
        concepts_retold=tuple(told.name for told in lesson.told if told.again),
        foundations_told=tuple(told.foundation.concept for told in lesson.told if told.foundation),
        examples=tuple(unit.text for unit in lesson.example if unit.is_block),
    )


def _nothing(topic: str) -> Explanation:
    text = f"I don't have information about {topic} in this course to teach from."
    return Explanation(
        text=text, citations=(), concepts_covered=(), concepts_retold=(), foundations_told=(), examples=()
    )


def _missed(focus: Sequence[str], concepts: Sequence[Concept]) -> list[str]:
    """The missed concepts by the course's names; nothing in particular missed means all of them."""
    known = {term_key(concept.name): concept.name for concept in concepts}
    named = [known.get(term_key(name), name.strip()) for name in focus if name.strip()]
    return list(dict.fromkeys(named)) or [concept.name for concept in concepts]
