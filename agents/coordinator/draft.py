"""An answer in the making: takes a part only whole, only once, and only while there is room."""

import re
from collections.abc import Mapping

from agents.tutor.grouping import Place, complete
from agents.tutor.reading import Unit

FEWEST_WORDS = 60
MOST_WORDS = 140
_MOST_SENTENCES = 5
_SAME = 0.75  # two units that share this much of their words say the same
_NOTHING_NEW = 0.85  # so does one whose words were nearly all said


_MISTAKES = re.compile(r"mistakes|pitfalls|misconceptions|errors", re.IGNORECASE)


class Draft:
    """Collects units; the opening keeps its order, the rest is put in reading order."""

    def __init__(self, places: Mapping[Place, Unit]) -> None:
        self._places = places
        self._lead: list[Unit] = []
        self._rest: list[Unit] = []

    @property
    def units(self) -> list[Unit]:
        return [*self._lead, *self._rest]

    @property
    def words(self) -> int:
        return _words(self.units)

    @property
    def is_full(self) -> bool:
        return self.words >= FEWEST_WORDS or sum(not unit.is_block for unit in self.units) >= _MOST_SENTENCES

    def lead(self, unit: Unit) -> bool:
        """Open with the unit, or go on opening with it."""
        group = self._fitting(unit)
        self._lead += group
        return bool(group)

    def add(self, unit: Unit) -> bool:
        """Go on with the unit, but not by way of code or a table that nobody asked for."""
        group = self._fitting(unit)
        if not unit.is_block and any(each.kind in ("code", "table", "formula") for each in group):
            return False
        self._rest += group
        return bool(group)

    def in_order(self) -> list[Unit]:
        """The opening as it was given; the rest by source, in reading order."""
        chunks = list(dict.fromkeys(unit.source.chunk_id for unit in self.units))
        rest = sorted(self._rest, key=lambda unit: (chunks.index(unit.source.chunk_id), unit.order))
        if not rest or not _MISTAKES.search(" ".join(self._lead[0].source.heading_hierarchy[-1:])):
            return [*self._lead, *rest]
        # First the mistake, then what is right: the other way round it makes no sense.
        mates = [unit for unit in rest if _follows(self._lead[0], unit)]
        return [*mates, *self._lead, *(unit for unit in rest if unit not in mates)]

    def _fitting(self, unit: Unit) -> list[Unit]:
        """The unit with what it needs; nothing when that is said already or there is no room."""
        given = self.units
        group = [each for each in complete(unit, self._places, given=given) if each not in given]
        if unit not in group or self._says(unit) or (given and self.words + _words(group) > MOST_WORDS):
            return []
        return group

    def _says(self, unit: Unit) -> bool:
        alike = [each for each in self.units if each.is_block == unit.is_block]
        said = {word for each in alike for word in each.stems}
        return any(is_repeated(unit, each) for each in self.units) or (
            bool(alike) and len(unit.stems & said) >= _NOTHING_NEW * len(unit.stems)
        )


def is_repeated(unit: Unit, said: Unit) -> bool:
    """Whether one unit tells nearly all that another does."""
    return unit.text in said.text or len(unit.stems & said.stems) >= _SAME * len(unit.stems)


def _follows(lead: Unit, unit: Unit) -> bool:
    same = (unit.source.chunk_id, unit.paragraph) == (lead.source.chunk_id, lead.paragraph)
    return same and unit.order < lead.order


def _words(units: list[Unit]) -> int:
    """Code is looked at rather than read, so it does not count."""
    return sum(unit.words for unit in units if unit.kind != "code")
