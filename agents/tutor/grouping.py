"""Sentences with what they cannot do without: the sentence they lean on, the list they introduce."""

from collections.abc import Collection, Mapping, Sequence

from agents.tutor.reading import Unit

Place = tuple[str, int]

_MOST_STEPS_BACK = 2
_LONGEST_CODE = 40  # lines


def by_place(units: Sequence[Unit]) -> dict[Place, Unit]:
    return {unit.key: unit for unit in units}


def complete(unit: Unit, places: Mapping[Place, Unit], *, given: Collection[Unit] = ()) -> tuple[Unit, ...]:
    """The unit with its surroundings, in reading order; empty when it cannot stand in an answer."""
    if unit.is_block:
        return _block_with_lead(unit, places)
    before = _antecedents(unit, places, given=given)
    if before is None:
        return ()
    shown = any(each.is_block and each.source.chunk_id == unit.source.chunk_id for each in given)
    if unit.introduces or (unit.points_elsewhere and not shown):
        block = _through_block(unit, places)
        return (*before, unit, *block) if block else ()
    return (*before, unit)


def _antecedents(
    unit: Unit, places: Mapping[Place, Unit], *, given: Collection[Unit] = ()
) -> tuple[Unit, ...] | None:
    """What a sentence that starts with 'it' or 'these' refers to; None when that is not in the passage."""
    if unit.kind in ("item", "step"):  # what stands before it is another item, which it does not speak of
        return None if unit.leans_back else ()
    found: list[Unit] = []
    current = unit
    while (current.leans_back or current.goes_on) and len(found) < _MOST_STEPS_BACK:
        earlier = _before(current, places)
        if earlier in given:
            break
        if earlier is None or earlier.is_block or earlier.introduces or earlier.points_elsewhere:
            return None if current.leans_back else tuple(found)
        found.insert(0, earlier)
        current = earlier
    return (
        None
        if current.leans_back and current is not unit and len(found) == _MOST_STEPS_BACK
        else tuple(found)
    )


def _block_with_lead(block: Unit, places: Mapping[Place, Unit]) -> tuple[Unit, ...]:
    if block.kind == "code" and block.text.count("\n") > _LONGEST_CODE:
        return ()
    lead = _before(block, places)
    if (
        lead is None
        or lead.is_block
        or lead.kind in ("item", "step")
        or not (lead.introduces or lead.points_elsewhere)
    ):
        return (block,)
    return (*(_antecedents(lead, places) or ()), lead, block)


def _through_block(unit: Unit, places: Mapping[Place, Unit]) -> tuple[Unit, ...]:
    """The block that the sentence speaks of: right after it, or after one more sentence."""
    chunk, order = unit.key
    following = [places.get((chunk, order + step)) for step in (1, 2)]
    if following[0] and following[0].is_block:
        return (following[0],)
    if following[0] and following[1] and following[1].is_block:
        return following[0], following[1]
    return ()


def _before(unit: Unit, places: Mapping[Place, Unit]) -> Unit | None:
    """The unit before, where a list counts as its items."""
    return places.get((unit.source.chunk_id, unit.order - 1))
