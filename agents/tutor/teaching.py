"""What each sentence of the passages is good for in a lesson, concept by concept."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from agents.tutor.defining import DEFINES, defines, is_about
from agents.tutor.grouping import by_place, complete
from agents.tutor.reading import Unit
from agents.tutor.telling import tellable
from agents.tutor.wording import flat
from rag.headings import heading_name
from rag.results import RetrievalResult
from rag.terms import TermFinder, term_key
from storage.course import Concept

Role = Literal["definition", "contrast", "mistake", "reason", "example", "wording", "fact"]

_MISTAKES = re.compile(r"mistakes|pitfalls|misconceptions", re.IGNORECASE)
_WORKED = re.compile(r"\bexample\b", re.IGNORECASE)
_SUMMING_UP = re.compile(r"summary|glossary|key terms", re.IGNORECASE)
_GLOSSARY = re.compile(r"glossary|key terms", re.IGNORECASE)
_ENTRY = re.compile(r"(?P<name>[^:.]{2,60}): ")
_ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    ("contrast", re.compile(r"\b(?:whereas|unlike|differs?|rather than|in contrast)\b", re.IGNORECASE)),
    ("reason", re.compile(r"\b(?:because|so that|therefore|otherwise)\b|, so\b", re.IGNORECASE)),
    ("example", re.compile(r"\b(?:for example|such as|for instance)\b|\d", re.IGNORECASE)),
)
_BOLD = re.compile(r"\*\*([^*\n]{2,60}?)\*\*")
_FOOTER_LINE = re.compile(r"^(?:\[\d+\] .+\(.+, score: [\d.]+\)|\*\*Sources:\*\*|---)\s*$", re.MULTILINE)
_LONGEST_GROUP = 70  # words
_SAME = 0.85


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Sentences that say one thing about a concept, in reading order."""

    concept: str
    role: Role
    units: tuple[Unit, ...]
    weight: float

    @property
    def words(self) -> int:
        return sum(unit.words for unit in self.units if unit.kind != "code")


class Material:
    """The passages of a lesson, read once."""

    def __init__(self, passages: Sequence[RetrievalResult], *, already_said: str = "") -> None:
        self._passages = passages
        self.units = tellable(passages)
        self.places = by_place(self.units)
        self._said = flat(_FOOTER_LINE.sub("", already_said))
        self._terms = {
            key for result in passages for bold in _BOLD.findall(result.chunk_text) if (key := term_key(bold))
        }

    @cached_property
    def whole(self) -> "Material":
        """The same passages as if nothing had been said yet."""
        return Material(self._passages)

    def is_new(self, unit: Unit) -> bool:
        """Whether an earlier explanation has not said this already."""
        return flat(unit.text) not in self._said

    def was_defined(self, name: str) -> bool:
        """Whether an earlier explanation said what the concept is."""
        return any(not self.is_new(unit) for unit in self.about(name) if defines(unit.text, name) >= DEFINES)

    def definitions(self, name: str) -> list[Point]:
        """Sentences that say what the thing is: the chapter's before the glossary's, the clearest first."""
        found = [point for point in self.points(name) if defines(point.units[-1].text, name) >= DEFINES]
        return sorted(found, key=lambda point: (point.role != "definition", -point.weight))

    def points(self, name: str) -> list[Point]:
        """Everything new that the passages say about the concept."""
        return [point for unit in self.about(name) if (point := self._point(unit, name))]

    def about(self, name: str) -> list[Unit]:
        """The sentences that name the concept, and those in the paragraph that defines it.

        Where nothing defines it, the section of that name comes first; a topic that nothing names is told by all.
        """
        sentences = [unit for unit in self.units if unit.kind in ("sentence", "item")]
        named = [
            unit
            for unit in sentences
            if not _WORKED.search(_heading(unit))
            and not _explains_another(unit, name)
            and self._names(unit, name)
        ]
        homes = {
            _paragraph_of(unit)
            for unit in named
            if defines(unit.text, name) >= DEFINES and unit.kind == "sentence"
        }
        if homes:
            return [unit for unit in sentences if unit in named or _paragraph_of(unit) in homes]
        under = [unit for unit in sentences if term_key(heading_name(_heading(unit))) == term_key(name)]
        return [*under, *(unit for unit in named if unit not in under)] or sentences

    def is_about(self, unit: Unit, name: str) -> bool:
        """Whether the sentence opens with the concept, and not with a longer term such as 'joint origin' for 'joint'."""
        key = term_key(name)
        longer = [" ".join(term) for term in self._terms if term != key and term[: len(key)] == key]
        return is_about(unit.text, name) and not any(is_about(unit.text, term) for term in longer)

    def defines_a_term(self, unit: Unit) -> bool:
        """Whether the sentence begins something new."""
        return any(defines(unit.text, " ".join(term)) >= DEFINES for term in self._terms)

    def _names(self, unit: Unit, name: str) -> bool:
        key = term_key(name)
        return bool(key) and key in TermFinder(self._terms | {key}).find(unit.text)

    def _point(self, unit: Unit, name: str) -> Point | None:
        role = role_of(unit, name)
        group = self._group(unit, role)
        readable = (
            not any(each.is_block for each in group) and sum(each.words for each in group) <= _LONGEST_GROUP
        )
        if not group or not readable or not all(map(self.is_new, group)):
            return None
        weight = (
            defines(unit.text, name) + 0.5 * self.is_about(unit, name) + 0.1 * unit.source.similarity_score
        )
        return Point(concept=name, role=role, units=group, weight=weight)

    def _group(self, unit: Unit, role: Role) -> tuple[Unit, ...]:
        if role == "mistake":
            return self._paragraph(unit)
        # What stands before an entry of a glossary is another entry.
        return (unit,) if _entry(unit) else complete(unit, self.places)

    def _paragraph(self, unit: Unit) -> tuple[Unit, ...]:
        """A mistake and its correction belong together."""
        return tuple(each for each in self.units if _paragraph_of(each) == _paragraph_of(unit))


def _paragraph_of(unit: Unit) -> tuple[str, int]:
    return unit.source.chunk_id, unit.paragraph


def _heading(unit: Unit) -> str:
    return " ".join(unit.source.heading_hierarchy[-1:])


def _entry(unit: Unit) -> str:
    """What an entry of a glossary explains."""
    found = _ENTRY.match(unit.text) if _GLOSSARY.search(_heading(unit)) else None
    return found["name"] if found else ""


def _explains_another(unit: Unit, name: str) -> bool:
    """A glossary's entry for a calyx speaks of sepals, but does not say what they are."""
    entry = _entry(unit)
    return bool(entry) and term_key(entry) != term_key(name)


def role_of(unit: Unit, name: str) -> Role:
    """What the sentence does for the concept."""
    heading = _heading(unit)
    if _SUMMING_UP.search(heading):
        return "wording"
    if defines(unit.text, name) >= DEFINES:
        return "definition"
    if _MISTAKES.search(heading):
        return "mistake"
    return next((role for role, cue in _ROLES if cue.search(unit.text)), "fact")


def says_the_same(point: Point, others: Collection[Point]) -> bool:
    """Whether nearly all of its words were said by the other points."""
    words = {word for unit in point.units for word in unit.stems}
    said = {word for other in others for unit in other.units for word in unit.stems}
    return len(words & said) >= _SAME * len(words)


def in_teaching_order(concepts: Sequence[Concept]) -> list[Concept]:
    """As the course has them, but none before one that its own definition leans on."""
    waiting = sorted(concepts, key=lambda concept: concept.position)
    ordered: list[Concept] = []
    while waiting:
        ready = next((each for each in waiting if not _leans_on(each, waiting)), waiting[0])
        waiting.remove(ready)
        ordered.append(ready)
    return ordered


def _leans_on(concept: Concept, others: Sequence[Concept]) -> bool:
    """Whether its definition names another of them, which does not name it in turn."""
    return any(
        _names(concept.definition, other.name) and not _names(other.definition, concept.name)
        for other in others
        if term_key(other.name) != term_key(concept.name)
    )


def _names(text: str, name: str) -> bool:
    key = term_key(name)
    return bool(key) and key in TermFinder([key]).find(text)
