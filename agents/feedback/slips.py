"""Answers that are nearly right: misspelt, a number gone wrong, a forgotten conversion."""

import difflib
import math
import re
from typing import Literal

from rag.terms import words_of

NumberSlip = Literal["digits", "unit", "conversion"]

_NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")
_ALIKE = 0.8
_LEAST_LETTERS = 4
_MOST_WORDS = 4
# Thousands, minutes and hours, degrees and radians: what a forgotten conversion leaves.
_FACTORS = (10, 100, 1000, 1_000_000, 60, 3600, 180 / math.pi)
_NO_ANSWER = re.compile(
    r"(?:(?:sorry|um+|hm+)\W+)?(?:i\W+)?(?:really\W+|just\W+|honestly\W+)?"
    r"(?:don['’]?t\s+know|do\s+not\s+know|dunno|idk|(?:have\s+)?no\s+(?:idea|clue)|(?:['’]?m\s+|am\s+)?not\s+sure|"
    r"pass|skip|can['’]?t\s+remember|forgot)\b[\s\w',.!?’]{0,20}",
    re.IGNORECASE,
)


def is_no_answer(answer: str) -> bool:
    """Nothing, or a way to say 'I don't know'."""
    return not words_of(answer) or _NO_ANSWER.fullmatch(answer.strip()) is not None


def is_misspelt(answer: str, *, expected: str) -> bool:
    """A short answer that is the expected one but for a few letters."""
    wrote, meant = " ".join(words_of(answer)), " ".join(words_of(expected))
    if len(meant) < _LEAST_LETTERS or len(meant.split()) > _MOST_WORDS or _NUMBER.search(expected):
        return False
    return wrote != meant and difflib.SequenceMatcher(None, wrote, meant).ratio() >= _ALIKE


def number_slip(answer: str, *, expected: str) -> NumberSlip | None:
    """How a wrong number came about, where that can be seen; only for answers of one number."""
    wrote, meant = _only_number(answer), _only_number(expected)
    if wrote is None or meant is None:
        return None
    unit, right_unit = _words_around(answer), _words_around(expected)
    if wrote == meant:
        return "unit" if unit != right_unit else None
    if unit not in ([], right_unit):
        return None  # another number in another unit may be as right as the expected one
    ratio = abs(wrote / meant) if wrote and meant else 1.0
    off = max(ratio, 1 / ratio)
    if any(math.isclose(off, factor, rel_tol=0.01) for factor in _FACTORS):
        return "conversion"
    return "digits" if wrote == -meant or _digits(answer) == _digits(expected) else None


def _only_number(text: str) -> float | None:
    found = _NUMBER.findall(text)
    return float(found[0].replace(",", "").replace("−", "-")) if len(found) == 1 else None


def _digits(text: str) -> list[str]:
    """In one order, so that 27 and 72 are the same."""
    return sorted(character for character in _NUMBER.findall(text)[0] if character.isdigit())


def _words_around(text: str) -> list[str]:
    return sorted(words_of(_NUMBER.sub(" ", text)))
