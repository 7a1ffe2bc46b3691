"""Whether a number is right: within the key's tolerance, in any unit that says the same, and told what is missing.

The tolerance is what the key's significant figures leave open, at least 2% and at most 5%; 5% where they do not tell. What
is counted is exact. A right number with a wrong or a missing unit is partly right: without its unit it could be anything.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agents.teaching.grading.figures import Quantity, quantities, tidy
from agents.teaching.grading.units import MeasureUnit, named_unit, take_unit
from agents.teaching.grading.words import ABOUT, STOP
from agents.teaching.values import Grade, right, wrong

_LEAST, _MOST = 0.02, 0.05
_OF_KELVIN = 0.005  # two percent of 298 K would be six degrees
_NEARLY = 1 + 1e-9  # for what floating point makes of a border
_UNIT_MISSING, _UNIT_WRONG = 0.7, 0.5  # of a mark
_SAME_DIGITS, _OTHER_SIGN = 0.2, 0.3

_RESULT = re.compile(r"=|≈|≅|\b(?:so|therefore|equals|makes|gives)\b", re.IGNORECASE)
_RESULT_SIGN = re.compile(r"=|≈|≅")
_TWO = 2
_ASKED_IN = re.compile(r"\b(?:in|how many|what(?=\s+percent)|which(?=\s+percent))\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    quantity: Quantity
    asked_in: MeasureUnit | None  # the unit that the question names, where the key has none


def grade_number(
    answer: str, references: Sequence[str], *, question: str = "", is_number: bool = False
) -> Grade | None:
    """Compare quantities where a reference is nothing but one, or is said to be a number; None where none is."""
    found = [quantity_of(reference) if is_number else _only_quantity(reference) for reference in references]
    expected = [each for each in found if each is not None]
    if not expected:
        return None
    asked_in = _unit_asked(question)
    keys = [_Key(quantity=each, asked_in=None if each.unit else asked_in) for each in expected]
    said = tidy(answer)
    given = quantities(said)
    is_said_in_words = not is_number and any(each.label for each in expected)
    if not given and (len(keys) < len(references) or is_said_in_words):
        return None
    if not given:
        return wrong("A number is expected here, and I see none in your answer.")
    grades = [_mark(said, given, key) for key in keys]
    return max(grades, key=lambda grade: (grade.is_correct, grade.score))


def quantity_of(text: str) -> Quantity | None:
    """The quantity that a key comes to: the last after an equals sign, or its only one, in whatever units it is told."""
    said = tidy(text)
    found = quantities(said)
    if results := list(_results(said, found)):
        return results[-1]
    return found[0] if found and all(_is_near(each, found[0]) for each in found[1:]) else None


_FEW_WORDS = 4  # beside the result: 'of air', 'to the right'
_MOST_CHARACTERS = 4000
_SET_OFF = re.compile(r"\*\*([^*\n]+)\*\*|\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_PIECES = re.compile(r"[;.]\s+|\n\s*\n")
_BROKEN = re.compile(r"(?<=[=×·*/+(≈])\s*\n\s*|\s*\n\s*(?=[=×·*/≈])")
_JOINED = re.compile(r"[;,\n]|\band\b|[A-Za-z]{4,}")
_NAME = re.compile(r"[-+]?\d+-?(?:[A-Za-z](?![A-Za-z°])|[A-Z][a-z]?(?![A-Za-z]))|\d+-[A-Za-z]{3}")
_LEADS_TO_A_RESULT = re.compile(
    r"(?:^|\b(?:is|are|was|were|equals?|about|approximately|roughly|takes|yields|gives|needs|be))[\s~≈+(-]*$",
    re.IGNORECASE,
)
_BESIDE_A_RESULT = re.compile(r"[,;:×*/+<>?]|(?<![A-Za-z)\]\d])\d")


def result_of(solution: str) -> str:
    """The number that a solution comes to, where that is clear: its only one, the last result, or one that is set off."""
    if "```" in solution or "~~~" in solution:
        return ""  # the numbers of code are none of its results
    said = whole_lines(solution[-_MOST_CHARACTERS:])
    pieces = [piece for each in _PIECES.split(said) if (piece := " ".join(each.split()).strip(" ."))]
    # Where several are told one after the other, none of them is the result.
    told = [piece for piece in pieces if len(_RESULT_SIGN.split(piece)) <= _TWO and _is_result(piece)]
    if len(told) > 1:
        return ""
    text = " ".join(said.split())
    if _is_result(text):
        return _behind_sign(text)
    set_off = [one or other for one, other in _SET_OFF.findall(said)]
    if set_off and _is_result(set_off[-1]):
        return _behind_sign(set_off[-1])
    is_last = len(pieces) > 1 and _is_result(pieces[-1]) and not (told and told != pieces[-1:])
    is_set_off = is_last and (_RESULT_SIGN.search(pieces[-1]) or len(pieces[-1].split()) <= _TWO)
    return _behind_sign(pieces[-1]) if is_set_off else ""


def whole_lines(text: str) -> str:
    """A text whose formulas do not run over their lines."""
    return _BROKEN.sub(" ", text)


def _behind_sign(text: str) -> str:
    return _RESULT_SIGN.split(text)[-1].strip(" .*")


def _is_result(text: str) -> bool:
    """Whether a text is one quantity, or names one that its own calculation leads to, with few other words."""
    said = tidy(text)
    *before, last = _RESULT_SIGN.split(said)
    found = quantities(last)
    if not found or not all(_is_near(each, found[0]) for each in found[1:]):
        return False
    # 'x = 2 m and y = 3 m' are two results, '2 · 3 m = 6 m' is one; '6s' and '57Mn' are names.
    is_one = not any(_JOINED.search(each) for each in before[1:])
    is_name = any(_NAME.match(last[each.start :]) for each in found)
    before_it, behind_it = last[: found[0].start], last[found[-1].end :]
    words = re.findall(r"[^\W\d_]{2,}", behind_it)
    return (
        is_one
        and not is_name
        and len(words) <= _FEW_WORDS
        and bool(_LEADS_TO_A_RESULT.search(before_it))
        and not _BESIDE_A_RESULT.search(f"{before_it} {behind_it}")
    )


def _only_quantity(text: str) -> Quantity | None:
    """The quantity of a text that is nothing else."""
    said = tidy(text)
    found = quantities(said)
    if len(found) != 1 or "=" in said:
        return None
    rest = f"{said[: found[0].start]} {said[found[0].end :]}".lower()
    words = [word for word in re.findall(r"[^\W\d_]+", rest) if word not in STOP | ABOUT]
    if found[0].label:
        words = words[1:]
    return found[0] if not words else None


def _unit_asked(question: str) -> MeasureUnit | None:
    """The unit that a question wants its answer in: 'in newtons', 'how many grams'."""
    asked = tidy(question)
    for found in _ASKED_IN.finditer(asked):
        if readings := take_unit(asked[found.end() :]):
            return readings[0][0]
    return None


def _mark(said: str, given: Sequence[Quantity], key: _Key) -> Grade:
    meant = _meant(said, given, key)
    if meant is None:
        return wrong(
            "You name more than one number, so I cannot tell which you mean.", score=0.4, confident=False
        )
    grades = list(_ways(meant, key))
    return max(grades, key=lambda grade: (grade.is_correct, grade.score))


def _meant(said: str, given: Sequence[Quantity], key: _Key) -> Quantity | None:
    """The result of a calculation, or the only one of the kind that is asked for; None where that cannot be told."""
    results = list(_results(said, given))
    if results:
        return results[-1]
    meant = [each for each in given if _is_of_a_kind(each, key)] or given
    is_settled = len(meant) == 1 or not any(_fits(each, key) for each in meant)
    return meant[0] if is_settled or all(_fits(each, key) for each in meant) else None


def _is_of_a_kind(given: Quantity, key: _Key) -> bool:
    """Whether it is in such a unit, or counts the same thing."""
    unit = key.quantity.unit or key.asked_in
    if given.unit and unit:
        return given.unit.dimension == unit.dimension
    return not given.unit and not key.quantity.unit and key.quantity.label in ("", given.label)


def _results(said: str, given: Sequence[Quantity]) -> Iterator[Quantity]:
    """The first number behind each sign of a result, where it is the only one up to the next."""
    signs = [found.end() for found in _RESULT.finditer(said)]
    for start, end in zip(signs, [*signs[1:], len(said) + 1], strict=False):
        behind = [each for each in given if start <= each.start < end]
        if len(behind) == 1:
            yield behind[0]


def _ways(given: Quantity, key: _Key) -> Iterator[Grade]:
    """The grades of every way to read the answer's unit, and the key's."""
    other = key.quantity.other_unit
    keys = [key, replace(key, quantity=replace(key.quantity, unit=other))] if other else [key]
    yield from (_compared(each, one) for one in keys for each in _readings(given, one))


def _readings(meant: Quantity, key: _Key) -> Iterator[Quantity]:
    """The ways to read its unit: with or without a last letter, and C as what the key is about."""
    yield meant
    if meant.other_unit:
        yield replace(meant, unit=meant.other_unit)
    if meant.unit and key.quantity.unit and key.quantity.unit.is_temperature:
        if meant.unit.name in ("C", "F"):
            yield replace(meant, unit=named_unit(f"°{meant.unit.name}"))
        elif meant.unit.name.startswith(("°", "deg")):
            yield replace(meant, unit=key.quantity.unit)


def _compared(given: Quantity, key: _Key) -> Grade:
    expected, own = key.quantity, given.unit
    unit = expected.unit or (key.asked_in if own and key.asked_in else None)
    if own is None:
        return _without_unit(given, expected)
    is_alike = unit is not None and unit.dimension == own.dimension
    if is_alike and _is_near(given, replace(expected, unit=unit)):
        return right("The number is right.")
    if unit is None and own.is_plain and _is_near(_in_base(given), expected):
        return right("The number is right.")
    if _is_written_alike(given, expected) and unit != own:
        return wrong("The number is right, but its unit is not.", score=_UNIT_WRONG)
    return _missed(given, expected)


def _without_unit(given: Quantity, expected: Quantity) -> Grade:
    """A bare number: as the key's is written; of a percentage also as the share."""
    unit = expected.unit
    is_share = unit is not None and unit.is_plain and _is_near(given, _in_base(expected))
    if not (is_share or _is_written_alike(given, expected)):
        return _missed(given, expected)
    if unit is not None and not unit.is_plain:
        return wrong(
            "The number is right, but its unit is missing, and without one it could be anything.",
            score=_UNIT_MISSING,
        )
    if expected.label and given.label not in {"", expected.label}:
        return wrong("The number is right, but it counts something else.", score=0.4, confident=False)
    return right("The number is right.")


def _in_base(quantity: Quantity) -> Quantity:
    """25% as 0.25."""
    unit = quantity.unit
    if unit is None:
        return quantity
    return replace(
        quantity,
        value=unit.apply(quantity.value),
        step=quantity.step * unit.factor,
        unit=None,
        is_whole=False,
    )


def _missed(given: Quantity, expected: Quantity) -> Grade:
    if given.value and _is_written_alike(replace(given, value=-given.value), expected):
        return wrong("The size is right, but the sign is not.", score=_OTHER_SIGN)
    return wrong("The number is not right.")


def _fits(given: Quantity, key: _Key) -> bool:
    return any(grade.score >= _UNIT_WRONG for grade in _ways(given, key))


def _is_written_alike(given: Quantity, expected: Quantity) -> bool:
    """Whether the numbers are the same, whatever their units."""
    return _is_near(replace(given, unit=None), replace(expected, unit=None))


def _is_near(given: Quantity, expected: Quantity) -> bool:
    """Whether a value meets the expected one in its unit: within the tolerance, or rounded to two figures and more."""
    value, step = given.value, given.step
    if given.unit and expected.unit and given.unit != expected.unit:
        value = expected.unit.undo(given.unit.apply(value))
        step *= given.unit.factor / expected.unit.factor
    off = abs(value - expected.value)
    if expected.is_count:
        return off == 0
    room = _tolerance(expected)
    is_rounded = abs(value) >= 20 * step > 0 and off <= min(step, _MOST * abs(expected.value)) * _NEARLY
    is_spread = given.spread <= max(expected.spread, 2 * room)
    return is_spread and (off <= room * _NEARLY or (is_rounded and not expected.spread))


def _tolerance(expected: Quantity) -> float:
    """How far off a value may be, in the unit of the key."""
    size = abs(expected.value)
    if expected.spread or not size:
        return expected.spread or expected.step
    is_told = expected.step and not expected.is_about
    room = size * (max(_LEAST, min(_MOST, expected.step / size)) if is_told else _MOST)
    if expected.unit and expected.unit.is_temperature:
        room = min(room, _OF_KELVIN * abs(expected.unit.apply(expected.value)))
    return room
