"""Explain a topic from its passages, with citations; the second time, another way."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.state import LearnerLevel
from agents.tutor.citations import Citation
from agents.tutor.defining import defines, mentions
from agents.tutor.lesson_plan import Lesson, Told, another_way, first_lesson
from agents.tutor.lesson_words import closing, opening, reread, try_it, turn_to, with_article
from agents.tutor.quoting import Citer
from agents.tutor.reading import Unit
from agents.tutor.teaching import Material
from rag.results import RetrievalResult
from rag.terms import term_key
from storage.course import Concept

_MIX_UP = re.compile(r"^\w+ (?:\w+ )?confuse (?P<a>[^.]+?) (?:with|and) (?P<b>[^.,]+)\.", re.IGNORECASE)


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
        parts.append(
            f"{own} {_emphasised(citer.quote(_in_order(each, again=cycle >= 2)), each.name)}".strip()
        )
    if lesson.example:
        parts += ["**Worked example**", citer.quote(lesson.example)]
    if lesson.mistake:
        parts += ["**Watch out**", citer.quote(lesson.mistake.units)]
    if again and shown:
        parts.append(try_it(list(shown.values())))
    parts.append(closing(cycle=cycle))
    return Explanation(
        text="\n\n".join(parts) + "\n" + citer.footer(topic),
        citations=citer.citations,
        concepts_covered=tuple(each.name for each in told),
        examples=tuple(unit.text for unit in lesson.example if unit.is_block),
    )


def _in_order(told: Told, *, again: bool) -> list[Unit]:
    """The first point leads; what comes from the same passage follows in reading order."""
    first, *rest = told.points
    units = [unit for point in rest for unit in point.units]
    chunks = list(dict.fromkeys(unit.source.chunk_id for unit in [*first.units, *units]))
    rest_units = sorted(units, key=lambda unit: (chunks.index(unit.source.chunk_id), unit.order))
    # Our own words have named the mix-up already.
    lead = [unit for unit in first.units if not (again and _MIX_UP.match(unit.text))] or list(first.units)
    return [*lead, *rest_units]


def _turn(told: Told, shown: dict[str, str], concepts: Sequence[Concept]) -> str:
    point = told.points[0]
    said = " ".join(unit.text for unit in point.units)
    return turn_to(shown[told.name], role=point.role, partner=_partner(told.name, said, shown, concepts))


def _partner(name: str, said: str, shown: dict[str, str], concepts: Sequence[Concept]) -> str:
    """What the concept is mixed up with: the text says so, or names another concept."""
    if mixed := _MIX_UP.match(said):
        other = mixed["b"] if term_key(mixed["a"]) == term_key(name) else mixed["a"]
        return "" if term_key(other) == term_key(name) else other
    others = (concept.name for concept in concepts if term_key(concept.name) != term_key(name))
    partner = next((other for other in others if mentions(said, other)), "")
    return shown.get(partner, partner)


def _shown_name(name: str, material: Material, concepts: Sequence[Concept]) -> str:
    """The name with the article that its definition gives it; a heading is a title and goes in quotes."""
    if any(concept.name == name and concept.kind == "heading" for concept in concepts):
        return f"“{name}”"
    sentences = [unit.text for unit in material.units if not unit.is_block]
    best = max(sentences, key=lambda sentence: defines(sentence, name), default="")
    return with_article(name, best)


def _emphasised(text: str, name: str) -> str:
    return re.sub(
        rf"(?<![\w`*]){re.escape(name)}(?![\w`*])", r"**\g<0>**", text, count=1, flags=re.IGNORECASE
    )


def _nothing(topic: str) -> Explanation:
    text = f"I don't have information about {topic} in this course to teach from."
    return Explanation(text=text, citations=(), concepts_covered=(), examples=())
