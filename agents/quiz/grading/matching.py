"""Does a word of the answer meet a word of the reference: same stem, a slip, a synonym, or the opposite?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agents.quiz.grading.lexicon import Sides
from agents.quiz.grading.vocabulary import STOP
from agents.quiz.grading.words import Token

EXACT, SLIP, KIN = 1.0, 0.95, 0.8
_FAR = 3
_NEGATIVE_PREFIXES = ("un", "in", "im", "dis", "non")


@dataclass(frozen=True, slots=True)
class Match:
    """How one word is met on the other side."""

    level: float  # best likeness that agrees
    opposite: float  # best likeness that says the contrary
    at: int  # place of the best agreeing word, -1 for none
    against: int  # place of the best opposite word, -1 for none

    @property
    def is_opposed(self) -> bool:
        return self.opposite > self.level

    @property
    def is_seen(self) -> bool:
        return self.level > 0 or self.opposite > 0


def align(targets: Sequence[Token], found: Sequence[Token]) -> list[Match]:
    """For each target, its best agreeing and its best contradicting word."""
    return [_best(target, found) for target in targets]


def is_slip(first: str, second: str) -> bool:
    """Could one be a misspelling of the other?"""
    shorter = min(len(first), len(second))
    if shorter < 4 or not (first.isalpha() and second.isalpha()):
        return False
    if first[0] != second[0] and shorter < 6:
        return False
    return edits(first, second) <= (1 if shorter < 7 else 2)


@lru_cache(maxsize=50_000)
def edits(first: str, second: str) -> int:
    """Insertions, deletions, changes and swaps of neighbours between two words; 3 stands for more."""
    if abs(len(first) - len(second)) >= _FAR or max(len(first), len(second)) > 40:
        return 0 if first == second else _FAR
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        after = [i]
        for j, b in enumerate(second, 1):
            cost = min(row[j] + 1, after[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == second[j - 2] and first[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            after.append(cost)
        before, row = row, after
    return min(row[-1], _FAR)


def _best(target: Token, found: Sequence[Token]) -> Match:
    level = opposite = 0.0
    at = against = -1
    for token in found:
        likeness, side = _kinship(
            token.stem, token.concepts, token.text, target.stem, target.concepts, target.text
        )
        if not likeness:
            continue
        if (side if token.negated == target.negated else -side) > 0:
            if likeness > level:
                level, at = likeness, token.place
        elif likeness > opposite:
            opposite, against = likeness, token.place
    return Match(level, opposite, at, against)


@lru_cache(maxsize=50_000)
def _kinship(
    stem: str, sides: Sides, text: str, other: str, other_sides: Sides, other_text: str
) -> tuple[float, int]:
    """How alike two words are, and whether they stand on the same side (+1) or on opposite sides (-1)."""
    if stem == other:
        return EXACT, 1
    lines = dict(other_sides)
    shared = [side * lines[line] for line, side in sides if line in lines]
    if shared:
        return KIN, 1 if max(shared) >= 0 else -1
    if _is_negated_form(stem, other) or _is_negated_form(other, stem):
        return KIN, -1
    if text not in STOP and is_slip(text, other_text):
        return SLIP, 1
    return 0.0, 1


def _is_negated_form(longer: str, base: str) -> bool:
    return len(base) > 3 and any(longer == prefix + base for prefix in _NEGATIVE_PREFIXES)
