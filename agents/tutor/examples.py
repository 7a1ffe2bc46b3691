"""The worked example of a lesson: a block with the sentences that belong to it."""

from collections.abc import Sequence

from agents.tutor.grouping import complete
from agents.tutor.reading import Unit, UnitKind
from agents.tutor.teaching import Material
from agents.tutor.wording import stems

_LIMITS: dict[UnitKind, int] = {"code": 32, "table": 9, "formula": 12}  # lines
_WORTH: dict[UnitKind, float] = {"code": 0.5, "table": 0.0, "formula": 0.1}


def worked_example(
    material: Material, names: Sequence[str], *, most_lines: int | None = None
) -> tuple[Unit, ...]:
    """The new block that has most to do with the names, introduced and explained; empty when there is none."""
    wanted = [set(stems(name)) for name in names]
    blocks = [
        unit
        for unit in material.units
        if _fits(unit, most_lines)
        and material.is_new(unit)
        and any(name <= _about(material, unit) for name in wanted)
    ]
    best = max(blocks, key=lambda block: _worth(material, block, set().union(*wanted)), default=None)
    return _with_surroundings(material, best) if best else ()


def _fits(unit: Unit, most_lines: int | None) -> bool:
    limit = _LIMITS.get(unit.kind, 0)
    return unit.text.count("\n") < (min(limit, most_lines) if most_lines else limit)


def _worth(material: Material, block: Unit, wanted: set[str]) -> float:
    heading = " ".join(block.source.heading_hierarchy[-1:]).lower()
    return (
        len(_about(material, block) & wanted) / max(1, len(wanted))
        + _WORTH[block.kind]
        + 0.4 * ("example" in heading)
    )


def _about(material: Material, block: Unit) -> set[str]:
    before = material.places.get((block.source.chunk_id, block.order - 1))
    heading = set(stems(" ".join(block.source.heading_hierarchy[-1:])))
    return heading | block.stems | (before.stems if before else frozenset())


def _with_surroundings(material: Material, block: Unit) -> tuple[Unit, ...]:
    """The block with the sentence that leads to it and the one that explains it, unless those were said before."""
    led = complete(block, material.places)
    before = material.places.get((block.source.chunk_id, block.order - 1))
    if len(led) == 1 and before and before.kind == "sentence" and not before.leans_back:
        led = (before, block)
    after = material.places.get((block.source.chunk_id, block.order + 1))
    if after and after.kind == "sentence" and not (after.introduces or after.points_elsewhere):
        led = led if material.defines_a_term(after) else (*led, after)
    return tuple(unit for unit in led if unit is block or material.is_new(unit))
