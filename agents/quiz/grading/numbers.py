"""Quantities: numbers in all their spellings, with units that convert into one another."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize

from agents.quiz.grading.grade import Grade, right, wrong
from agents.quiz.grading.stems import stem
from agents.quiz.grading.units import Unit, read_unit
from agents.quiz.grading.vocabulary import ABOUT, NUMBER_WORDS, STOP

_TOLERANCE = 0.02
_WORDS = {
    **NUMBER_WORDS,
    "one": "1",
    "half": "0.5",
    "dozen": "12",
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
}
_SPELLED = re.compile(rf"\b({'|'.join(_WORDS)})\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<![\w.])([-+−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d{1,3})?"
    r"(?:\s*[x×*]\s*10\s*(?:\^|\*\*)\s*[-+−]?\d{1,3})?(?:\s*/\s*\d+(?![\d.]))?)\s*([^\d\s,;()=+^]*(?:\^\d)?(?:\s*(?:/|per|·|\*)\s*[A-Za-z²³^0-9°]+)?)",
    re.IGNORECASE,
)
_POWER = re.compile(r"\s*[x×*]\s*10\s*(?:\^|\*\*)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A value, in base units where a unit was read."""

    value: float
    unit: Unit | None
    is_count: bool  # a whole number without a unit
    label: str = ""  # what is counted, where that is said: 3 nodes

    def equals(self, other: "Quantity") -> bool:
        """Within the tolerance; counts exactly."""
        if self.is_count:
            return self.value == other.value
        return math.isclose(self.value, other.value, rel_tol=_TOLERANCE, abs_tol=1e-12)


def grade_number(answer: str, references: Sequence[str], _options: Sequence[str]) -> Grade | None:
    """Compare quantities where a reference is nothing but one; None where none is."""
    return _grade(answer, references, [_only_quantity(reference) for reference in references])


def grade_numeric(answer: str, references: Sequence[str], _options: Sequence[str]) -> Grade | None:
    """Compare quantities where a reference names one, among other words too."""
    named = [_quantities(reference) for reference in references]
    return _grade(answer, references, [found[0] if len(found) == 1 else None for found in named])


def _grade(answer: str, references: Sequence[str], quantities: Sequence[Quantity | None]) -> Grade | None:
    expected = [quantity for quantity in quantities if quantity is not None]
    given = _quantities(answer)
    if not expected or (
        not given and (len(expected) < len(references) or any(each.label for each in expected))
    ):
        return None
    if not given:
        return wrong("A number is expected here, and I see none in your answer.")
    grades = [_compare(_meant(answer, given), given, each) for each in expected]
    return max(grades, key=lambda grade: (grade.is_correct, grade.score))


def _compare(meant: Quantity, given: Sequence[Quantity], expected: Quantity) -> Grade:
    several = any(not _same(other, expected) for other in given) and len(given) > 1
    if _same(meant, expected):
        if expected.unit is not None and meant.unit is None and not expected.unit.is_plain:
            return right("The number is right; say the unit too.", score=0.9, confident=False)
        if expected.label and meant.label not in {"", expected.label}:
            return wrong("The number is right, but it counts something else.", score=0.4, confident=False)
        return right("The number is right.", confident=not several or meant is not given[0])
    if any(_same(other, expected) for other in given):
        return wrong(
            "You name more than one number, so I cannot tell which you mean.", score=0.4, confident=False
        )
    if expected.unit and meant.unit and expected.unit.dimension != meant.unit.dimension:
        return wrong("The unit does not fit what is asked.")
    return wrong("The number is not right.")


def _same(given: Quantity, expected: Quantity) -> bool:
    if given.unit is None or expected.unit is None:
        bare = (
            Quantity(value=expected.unit.undo(expected.value), unit=None, is_count=False)
            if expected.unit
            else expected
        )
        own = given.unit.undo(given.value) if given.unit and not given.unit.is_plain else given.value
        return bare.equals(Quantity(value=own, unit=None, is_count=False)) or expected.equals(given)
    return given.unit.dimension == expected.unit.dimension and expected.equals(given)


def _meant(answer: str, given: Sequence[Quantity]) -> Quantity:
    """The result of a calculation is its last number; otherwise the first is meant."""
    return (
        given[-1]
        if "=" in answer or re.search(r"\b(?:so|therefore|equals|makes)\b", answer, re.IGNORECASE)
        else given[0]
    )


def _only_quantity(text: str) -> Quantity | None:
    """The quantity of a reference that is nothing else."""
    found = _quantities(text)
    if len(found) != 1:
        return None
    rest = _NUMBER.sub(" ", _spell_out(text)).lower()
    words = [word for word in re.findall(r"[a-z]+", rest) if word not in STOP and word not in ABOUT]
    return found[0] if not words else None


def _spell_out(text: str) -> str:
    return _SPELLED.sub(lambda found: _WORDS[found[1].lower()], normalize("NFKC", text).replace("⁄", "/"))


def _quantities(text: str) -> list[Quantity]:
    found = []
    for match in _NUMBER.finditer(_spell_out(text)):
        value = _value(match[1])
        if value is None or not math.isfinite(value):
            continue
        named = match[2].strip(" .!?")
        unit = read_unit(named)
        whole = unit is None and value == int(value) and "." not in match[1] and "e" not in match[1].lower()
        label = (
            stem(named.lower())
            if unit is None and named.isalpha() and named.lower() not in STOP | ABOUT
            else ""
        )
        found.append(
            Quantity(value=unit.apply(value) if unit else value, unit=unit, is_count=whole, label=label)
        )
    return found[:20]


def _value(written: str) -> float | None:
    text = written.replace("−", "-").replace(",", "").replace(" ", "")
    over, _, under = text.partition("/")
    base, *power = _POWER.split(over)
    try:
        value = float(base) * (10.0 ** int(power[0]) if power else 1.0)
        return value / float(under) if under else value
    except (ValueError, OverflowError, ZeroDivisionError):
        return None
