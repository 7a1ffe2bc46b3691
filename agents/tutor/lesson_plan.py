"""What a lesson says about which concept, in which order, within a readable length."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from agents.state import LearnerLevel
from agents.tutor.examples import worked_example
from agents.tutor.reading import Unit
from agents.tutor.teaching import Material, Point, Role, in_teaching_order, says_the_same
from rag.terms import term_key
from storage.course import Concept

T = TypeVar("T")

MOST_WORDS = 205  # of the course's; the tutor's own words come on top
_ENOUGH_WORDS: dict[LearnerLevel, int] = {
    "unknown": 150,
    "beginner": 150,
    "intermediate": 160,
    "advanced": 130,
}
_ENOUGH_AGAIN = 80  # later cycles say less, so that something is left for the next
_LITTLE = 50
_CONCEPTS = 4  # as many as a topic has: all of them are asked about
_SUPPORT: dict[LearnerLevel, tuple[Role, ...]] = {
    "unknown": ("fact", "reason", "example"),
    "beginner": ("example", "fact", "reason"),
    "intermediate": ("reason", "fact", "example"),
    "advanced": ("reason", "contrast", "fact"),
}
# What each later cycle tries first, so that no two teach the same way.
_OTHER_WAYS: tuple[tuple[Role, ...], ...] = (
    ("mistake", "contrast", "reason", "fact", "example", "wording", "definition"),
    ("example", "wording", "definition", "fact", "reason", "contrast", "mistake"),
    ("reason", "fact", "wording", "contrast", "mistake", "example", "definition"),
)
_COMPACT_LINES = 8
_POINTS_A_CONCEPT = 3
_POINTS = 4


@dataclass(slots=True, kw_only=True)
class Told:
    """One concept and what is said about it; where all was said before, that again with something to hold it against."""

    name: str
    points: list[Point] = field(default_factory=list)
    again: list[Point] = field(default_factory=list)  # what it is, and one thing more
    foundation: Point | None = None
    neighbour: Point | None = None

    @property
    def said(self) -> list[Point]:
        beside = [point for point in (self.foundation, self.neighbour) if point]
        return [*self.points, *self.again, *beside]


@dataclass(slots=True, kw_only=True)
class Lesson:
    """A lesson while it is put together."""

    told: list[Told] = field(default_factory=list)
    mistake: Point | None = None
    example: tuple[Unit, ...] = ()

    @property
    def points(self) -> list[Point]:
        return [point for told in self.told for point in told.said] + ([self.mistake] if self.mistake else [])

    @property
    def words(self) -> int:
        return self.words_told + prose_words(self.example)

    @property
    def words_told(self) -> int:
        return sum(point.words for point in self.points)

    def has_room_for(self, words: int) -> bool:
        return self.words + words <= MOST_WORDS

    def add(self, point: Point, told: Told) -> bool:
        """Say it, unless it is said already or there is no room; what it leans on need not be said twice."""
        here = {unit.key for known in told.points for unit in known.units}
        there = {unit.key for known in self.points for unit in known.units} - here
        there |= {unit.key for unit in self.example}
        rest = tuple(unit for unit in point.units if unit.key not in here)
        if not rest or any(unit.key in there for unit in rest):
            return False
        point = replace(point, units=rest)
        if not self.has_room_for(point.words) or says_the_same(point, self.points):
            return False
        told.points.append(point)
        return True


def first_lesson(
    material: Material, concepts: Sequence[Concept], *, topic: str, level: LearnerLevel, most_concepts: int
) -> Lesson:
    """Definitions in teaching order, one example, one mistake, and facts until it is enough."""
    lesson = Lesson()
    for concept in in_teaching_order(concepts):
        if len(lesson.told) == min(most_concepts, _CONCEPTS):
            break
        _start(lesson, material, concept.name)
    if not lesson.told:
        _start(lesson, material, topic)
    _add_mistake(lesson, material)
    _fill(lesson, material, roles=_SUPPORT[level], enough=_ENOUGH_WORDS[level])
    names = [told.name for told in lesson.told] or [topic]
    _show(lesson, worked_example(material, names, most_lines=_COMPACT_LINES if level == "advanced" else None))
    return lesson


def another_way(
    material: Material,
    names: Sequence[str],
    *,
    cycle: int,
    foundations: Mapping[str, Sequence[str]],
    neighbours: Sequence[str],
) -> Lesson:
    """For each missed concept what was not said before, starting with what this cycle tries first."""
    lesson = Lesson(told=[Told(name=name) for name in names])
    for told in lesson.told:
        if not material.was_defined(told.name):
            any(lesson.add(point, told) for point in material.definitions(told.name))
    example = worked_example(material, names)
    if cycle >= 3:
        _show(lesson, example)
    roles = _OTHER_WAYS[(cycle - 2) % len(_OTHER_WAYS)]
    _fill(lesson, material, roles=roles, enough=_ENOUGH_AGAIN)
    dry = [told for told in lesson.told if not told.points]
    for told in dry:
        _say_again(lesson, told, material.whole.definitions(told.name))
    for told in dry:
        _say_again(lesson, told, _turned(material.whole.points(told.name), by=cycle))
        if told.again:
            needs = foundations.get(told.name, ())
            _hold_against(lesson, material, told, needs=needs, others=_turned(neighbours, by=cycle))
    if lesson.words_told < _LITTLE:
        _show(lesson, example)
    return lesson


def _say_again(lesson: Lesson, told: Told, points: Sequence[Point]) -> None:
    point = _first_that_fits(lesson, points)
    if point:
        told.again.append(point)


def _hold_against(
    lesson: Lesson, material: Material, told: Told, *, needs: Sequence[str], others: Sequence[str]
) -> None:
    """A foundation that was not told yet, or else a neighbour that the lesson does not tell anyway."""
    here = {term_key(point.concept) for point in lesson.points}
    untold = [need for need in needs if term_key(need) not in here and not material.was_defined(need)]
    new = [material.definitions(need)[:1] for need in untold]
    told.foundation = _first_that_fits(lesson, [point for points in new for point in points])
    if not told.foundation:
        known = [material.whole.definitions(name)[:1] for name in others if term_key(name) not in here]
        told.neighbour = _first_that_fits(lesson, [point for points in known for point in points])


def _turned(things: Sequence[T], *, by: int) -> list[T]:
    """Another first one each cycle."""
    at = by % max(1, len(things))
    return [*things[at:], *things[:at]]


def _first_that_fits(lesson: Lesson, points: Sequence[Point]) -> Point | None:
    shown = {unit.key for point in lesson.points for unit in point.units}
    shown |= {unit.key for unit in lesson.example}

    def fits(point: Point) -> bool:
        is_shown = any(unit.key in shown for unit in point.units)
        return not is_shown and lesson.has_room_for(point.words) and not says_the_same(point, lesson.points)

    return next(filter(fits, points), None)


def _show(lesson: Lesson, example: tuple[Unit, ...]) -> None:
    """Add the example without the sentences that were said before, if there is room."""
    said = {unit.key for point in lesson.points for unit in point.units}
    fresh = tuple(unit for unit in example if unit.key not in said)
    if not lesson.example and lesson.has_room_for(prose_words(fresh)):
        lesson.example = fresh


def _start(lesson: Lesson, material: Material, name: str) -> None:
    """Begin a concept with what it is, or else with the first thing that is said about it."""
    told = Told(name=name)
    if any(lesson.add(point, told) for point in [*material.definitions(name), *material.points(name)]):
        lesson.told.append(told)


def _add_mistake(lesson: Lesson, material: Material) -> None:
    """The mistake about most of the lesson's concepts."""
    found = [point for told in lesson.told for point in material.points(told.name) if point.role == "mistake"]
    shared = Counter(point.units for point in found)
    for point in sorted(found, key=lambda point: -shared[point.units]):
        told = Told(name=point.concept)
        if lesson.add(point, told):
            lesson.mistake = told.points[0]
            return


def _fill(lesson: Lesson, material: Material, *, roles: Sequence[Role], enough: int) -> None:
    """Add points in turns, concept by concept, until the lesson is long enough."""
    waiting = {told.name: _by_use(material, roles, told) for told in lesson.told}
    for _ in range(max(_POINTS_A_CONCEPT, _POINTS // max(1, len(lesson.told)))):
        for told in lesson.told:
            if lesson.words_told < enough or not told.points:
                any(lesson.add(point, told) for point in waiting[told.name])


def _by_use(material: Material, roles: Sequence[Role], told: Told) -> list[Point]:
    """What is about the concept itself before what only mentions it, then by role."""
    home = {(unit.source.chunk_id, unit.paragraph) for point in told.points for unit in point.units}

    chunks = {chunk for chunk, _ in home}

    def use(point: Point) -> tuple[bool, bool, int, bool, float]:
        last = point.units[-1]
        about = material.is_about(last, point.concept) or (last.source.chunk_id, last.paragraph) in home
        away = bool(chunks) and last.source.chunk_id not in chunks
        return not about, away, roles.index(point.role), last.kind != "sentence", -point.weight

    return sorted((point for point in material.points(told.name) if point.role in roles), key=use)


def prose_words(units: Sequence[Unit]) -> int:
    """Code is looked at rather than read."""
    return sum(unit.words for unit in units if unit.kind != "code")
