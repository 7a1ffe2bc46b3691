"""Explain a topic from its passages, with citations; the second time, another way."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.state import LearnerLevel
from agents.tutor.citations import Citation
from agents.tutor.defining import is_about, mentions
from agents.tutor.lesson_plan import Lesson, Told, another_way, first_lesson
from agents.tutor.lesson_words import closing, opening, turn_to, with_article
from agents.tutor.quoting import Citer
from agents.tutor.reading import Unit
from agents.tutor.teaching import Material
from rag.results import RetrievalResult
from rag.terms import term_key
from storage.course import Concept


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One lesson: what the learner reads, and what it rests on."""

    text: str
    citations: tuple[Citation, ...]
    concepts_covered: tuple[str, ...]
    examples: tuple[str, ...]


def explain(
    topic: str,
    passages: Sequence[RetrievalResult],
    *,
    concepts: Sequence[Concept],
    level: LearnerLevel = "unknown",
    cycle: int = 1,
    focus: Sequence[str] = (),
    already_explained: str = "",
    max_concepts: int = 4,
) -> Explanation:
    """A lesson on the topic; from the second cycle on only on what was missed, in sentences not used before."""
    material = Material(passages, already_said=already_explained)
    names = _missed(focus, concepts)[:max_concepts] if cycle >= 2 else []
    if names:
        lesson = another_way(material, names, cycle=cycle)
    else:
        lesson = first_lesson(material, concepts, topic=topic, level=level, most_concepts=max_concepts)
    return _rendered(lesson, material, topic=topic, level=level, cycle=cycle, concepts=concepts)


def _missed(focus: Sequence[str], concepts: Sequence[Concept]) -> list[str]:
    """The missed concepts by the course's names; nothing in particular missed means all of them."""
    known = {term_key(concept.name): concept.name for concept in concepts}
    named = [known.get(term_key(name), name.strip()) for name in focus if name.strip()]
    return list(dict.fromkeys(named)) or [concept.name for concept in concepts]


def _rendered(
    lesson: Lesson,
    material: Material,
    *,
    topic: str,
    level: LearnerLevel,
    cycle: int,
    concepts: Sequence[Concept],
) -> Explanation:
    told = [each for each in lesson.told if each.points]
    if not told and not lesson.example:
        return _nothing_new(topic, again=cycle >= 2)
    citer = Citer()
    shown = {each.name: _shown_name(each.name, material) for each in told}
    parts = [opening(list(shown.values()) or [topic], level=level, cycle=cycle, topic=topic)]
    for each in told:
        own = _turn(each, shown, concepts) if cycle >= 2 else ""
        parts.append(f"{own} {_emphasised(citer.quote(_in_order(each)), each.name)}".strip())
    if lesson.example:
        parts += ["**Worked example**", citer.quote(lesson.example)]
    if lesson.mistake:
        parts += ["**Watch out**", citer.quote(lesson.mistake.units)]
    parts.append(closing(cycle=cycle))
    return Explanation(
        text="\n\n".join(parts) + "\n" + citer.footer(topic),
        citations=citer.citations,
        concepts_covered=tuple(each.name for each in told),
        examples=tuple(unit.text for unit in lesson.example if unit.is_block),
    )


def _in_order(told: Told) -> list[Unit]:
    """The first point leads; what comes from the same passage follows in reading order."""
    first, *rest = told.points
    units = [unit for point in rest for unit in point.units]
    chunks = list(dict.fromkeys(unit.source.chunk_id for unit in [*first.units, *units]))
    return [*first.units, *sorted(units, key=lambda unit: (chunks.index(unit.source.chunk_id), unit.order))]


def _turn(told: Told, shown: dict[str, str], concepts: Sequence[Concept]) -> str:
    point = told.points[0]
    said = " ".join(unit.text for unit in point.units)
    others = (concept.name for concept in concepts if term_key(concept.name) != term_key(told.name))
    partner = next((name for name in others if mentions(said, name)), "")
    return turn_to(shown[told.name], role=point.role, partner=shown.get(partner, partner))


def _shown_name(name: str, material: Material) -> str:
    """The name with its article, from any sentence that opens with it."""
    sentence = next(
        (unit.text for unit in material.units if not unit.is_block and is_about(unit.text, name)), ""
    )
    return with_article(name, sentence)


def _emphasised(text: str, name: str) -> str:
    return re.sub(
        rf"(?<![\w`*]){re.escape(name)}(?![\w`*])", r"**\g<0>**", text, count=1, flags=re.IGNORECASE
    )


def _nothing_new(topic: str, *, again: bool) -> Explanation:
    why = "that we have not used yet" if again else "to teach it from"
    text = f"I don't have information about {topic} in this course {why}."
    return Explanation(text=text, citations=(), concepts_covered=(), examples=())
