"""What an answer starts with, by the kind of question."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from agents.coordinator.evidence import Evidence, has_both_sides, is_aside, ranked
from agents.coordinator.grounding import Grounding
from agents.coordinator.question import Question, side_names, without_setting
from agents.tutor.defining import ABOUT, DEFINES, defines
from agents.tutor.reading import Unit

_SHOWS = ("code", "table", "formula", "steps")
_DIRECT = 0.6  # of the question's words: a sentence that answers before the steps do


def openings(asked: Question, grounding: Grounding, evidence: Sequence[Evidence]) -> Iterator[list[Unit]]:
    """For each part of the opening its candidates, best first."""
    support = {result.chunk_id for result in grounding.supporting}
    supported = [each for each in ranked(evidence) if each.unit.source.chunk_id in support]
    best = [each.unit for each in supported]
    if asked.kind == "difference":
        yield from _comparing(asked, evidence)
    elif asked.kind in ("definition", "purpose") and asked.focus:
        yield [*_defining((without_setting(asked.focus[0]),), evidence), *best]
    elif asked.kind == "example":
        yield from _worked_example(evidence) or [best]
    elif best and best[0].kind == "steps":
        yield [each.unit for each in supported if each.unit.kind == "sentence" and each.coverage >= _DIRECT][
            :1
        ]
        yield best
    else:
        yield best


def _worked_example(evidence: Sequence[Evidence]) -> list[list[Unit]]:
    """The best block with the two sentences before it, which say what it shows."""
    blocks = [each.unit for each in ranked(evidence) if each.unit.kind in _SHOWS]
    if not blocks:
        return []
    block = blocks[0]
    before = [
        each.unit
        for each in evidence
        if each.unit.source.chunk_id == block.source.chunk_id
        and block.order - 3 < each.unit.order < block.order
        and not each.unit.is_block
    ]
    return [*([unit] for unit in before), [block]]


def _comparing(asked: Question, evidence: Sequence[Evidence]) -> Iterator[list[Unit]]:
    """Both definitions, then what sets the two apart: in one sentence, or in two that follow each other."""
    sides = side_names(*asked.focus)
    for names in sides:
        yield _defining(names, evidence)
    units = [each.unit for each in ranked(evidence) if not each.unit.is_block and not is_aside(each.unit)]
    contrasts = [unit for unit in units if has_both_sides(asked, unit)]
    yield contrasts
    yield contrasts[1:]
    if not contrasts:
        for unit in _side_by_side(sides, [each.unit for each in evidence]):
            yield [unit]


def _side_by_side(sides: Sequence[Sequence[str]], units: Sequence[Unit]) -> list[Unit]:
    """The first two neighbouring sentences of which one is about each side, apart from the definitions."""
    for first, second in pairwise(units):
        if (first.source.chunk_id, first.paragraph) != (second.source.chunk_id, second.paragraph):
            continue
        for one, other in (sides, sides[::-1]):
            if _tells_of(first, one) and _tells_of(second, other):
                return [first, second]
    return []


def _tells_of(unit: Unit, names: Sequence[str]) -> bool:
    return any(ABOUT <= defines(unit.text, name) < DEFINES for name in names)


def _defining(names: Sequence[str], evidence: Sequence[Evidence]) -> list[Unit]:
    """Sentences that define the first of the names that is defined at all, the clearest first."""
    for name in names:
        strength = {
            each.unit.key: defines(each.unit.text, name) for each in evidence if not each.unit.is_block
        }
        found = [each.unit for each in ranked(evidence) if strength.get(each.unit.key, 0.0) >= DEFINES]
        if found:
            return sorted(found, key=lambda unit: -strength[unit.key])
    return []
