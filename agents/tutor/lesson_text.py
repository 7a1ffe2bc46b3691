"""Write a planned lesson down: the tutor's words around the course's, with markers and sources."""

import re
from collections.abc import Sequence

from agents.state import LearnerLevel
from agents.tutor.citations import Citation
from agents.tutor.defining import defines, mentions
from agents.tutor.lesson_plan import Lesson, Told
from agents.tutor.lesson_words import (
    but_the_other,
    closing,
    once_more,
    opening,
    reread,
    try_it,
    turn_to,
    with_article,
)
from agents.tutor.quoting import Citer
from agents.tutor.reading import Unit
from agents.tutor.teaching import Material
from rag.terms import term_key
from storage.course import Concept

_MIX_UP = re.compile(r"^\w+ (?:\w+ )?confuse (?P<a>[^.]+?) (?:with|and) (?P<b>[^.,]+)\.", re.IGNORECASE)


class LessonText:
    """One lesson on its way to the learner."""

    def __init__(
        self,
        lesson: Lesson,
        material: Material,
        concepts: Sequence[Concept],
        *,
        topic: str,
        level: LearnerLevel,
        cycle: int,
    ) -> None:
        self._lesson = lesson
        self._material = material
        self._concepts = concepts
        self._topic, self._level, self._cycle = topic, level, cycle
        self._again = cycle >= 2
        self._citer = Citer()
        self._names = {told.name: self._shown_name(told.name) for told in lesson.told}

    @property
    def citations(self) -> tuple[Citation, ...]:
        return self._citer.citations

    def text(self) -> str:
        """Opening, concepts, example, mistake, something to try, the way to the quiz, sources."""
        names = list(self._names.values())
        parts = [opening(names or [self._topic], level=self._level, cycle=self._cycle, topic=self._topic)]
        parts += [self._paragraph(told) for told in self._lesson.told]
        if self._lesson.example:
            parts += ["**Worked example**", self._citer.quote(self._lesson.example)]
        if self._lesson.mistake:
            parts += ["**Watch out**", self._citer.quote(self._lesson.mistake.units)]
        if self._again:
            parts += [try_it(name) for name in names[:1]]
        parts.append(closing(cycle=self._cycle))
        return "\n\n".join(parts) + "\n" + self._citer.footer(self._topic)

    def _paragraph(self, told: Told) -> str:
        shown = self._names[told.name]
        if not told.points:
            return self._once_more(told)
        quoted = _emphasised(self._citer.quote(self._in_order(told)), told.name)
        if not self._again:
            return quoted
        turn = turn_to(shown, role=told.points[0].role, partner=self._partner(told))
        return f"{turn} {quoted}"

    def _once_more(self, told: Told) -> str:
        """All is said: what it is, on what it builds on or beside a neighbour; or back to the source."""
        shown = self._names[told.name]
        if not told.again:
            units = self._material.about(told.name) or self._material.units
            return reread(shown, place=units[0].source.place, marker=self._citer.refer(units[0].source))
        below, beside = (
            self._shown_name(point.concept) if point else "" for point in (told.foundation, told.neighbour)
        )
        is_first = told is next(each for each in self._lesson.told if each.again)
        parts = [once_more(shown, foundation=below, neighbour=beside, is_first=is_first)]
        if told.foundation:
            parts += [self._citer.quote(told.foundation.units), f"Here is {shown} again, with that in mind."]
        units = [unit for point in told.again for unit in point.units]
        parts.append(_emphasised(self._citer.quote(units), told.name))
        if told.neighbour:
            parts += [but_the_other(beside), self._citer.quote(told.neighbour.units)]
        return " ".join(parts)

    def _in_order(self, told: Told) -> list[Unit]:
        """The first point leads; what comes from the same passage follows in reading order."""
        first, *rest = told.points
        units = [unit for point in rest for unit in point.units]
        chunks = list(dict.fromkeys(unit.source.chunk_id for unit in [*first.units, *units]))
        units.sort(key=lambda unit: (chunks.index(unit.source.chunk_id), unit.order))
        # The tutor's own words have named the mix-up already.
        lead = [unit for unit in first.units if not (self._again and _MIX_UP.match(unit.text))]
        return [*(lead or first.units), *units]

    def _partner(self, told: Told) -> str:
        """What the concept is mixed up with: the text says so, or names another concept."""
        key = term_key(told.name)
        said = " ".join(unit.text for unit in told.points[0].units)
        if mixed := _MIX_UP.match(said):
            return next((side for side in (mixed["a"], mixed["b"]) if term_key(side) != key), "")
        others = [concept.name for concept in self._concepts if term_key(concept.name) != key]
        partner = next((name for name in others if mentions(said, name)), "")
        return self._shown_name(partner) if partner else ""

    def _shown_name(self, name: str) -> str:
        """The name with the article that its definition gives it; a heading is a title and goes in quotes."""
        if any(concept.name == name and concept.kind == "heading" for concept in self._concepts):
            return f"“{name}”"
        sentences = [unit.text for unit in self._material.units if not unit.is_block]
        return with_article(name, max(sentences, key=lambda sentence: defines(sentence, name), default=""))


def _emphasised(text: str, name: str) -> str:
    """The first mention in bold, as in a textbook; of several things, if one is never spoken of."""
    for ending in ("", "s", "es"):
        mention = rf"(?<![\w`*$]){re.escape(name)}{ending}(?![\w`*$])"
        bold, times = re.subn(mention, r"**\g<0>**", text, count=1, flags=re.IGNORECASE)
        if times:
            return bold
    return text
