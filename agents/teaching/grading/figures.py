"""What a text says in figures: each number with its unit, however it is written, and how exactly it is given.

'5.1 × 10⁴ g', '51,000 g', '51 kg', 'forty-six', '¾', '2.5 ± 0.1 cm', '10–15 km', '8 min 20 s', 'F = ma = 2·3 = 6 N'.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from unicodedata import normalize

from agents.language.words import NUMBER_WORDS, stem
from agents.teaching.grading.units import MeasureUnit, take_unit, with_degrees
from agents.teaching.grading.words import ABOUT, STOP

_MOST = 20  # quantities of one text


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number as it was written, with the unit that stands behind it."""

    value: float
    unit: MeasureUnit | None = None
    other_unit: MeasureUnit | None = (
        None  # the same without its last letter, which may name a substance: 2 mol N2
    )
    spread: float = 0.0  # half of a range, or what stands behind ±
    step: float = 0.0  # half a unit of the last significant figure; 0 where the writing does not tell
    is_whole: bool = False  # written as a whole number
    is_about: bool = False
    label: str = ""  # what is counted, where that is said: 3 nodes
    start: int = 0
    end: int = 0

    @property
    def is_count(self) -> bool:
        """A whole number without a unit that nobody has rounded."""
        return self.is_whole and self.unit is None and not self.is_about and not self.spread


# How it is written


_LATEX = (
    (
        re.compile(r"\\(?:text|mathrm|mathbf|mathit|textbf|rm|operatorname|unit|,|;|!|:)\s*\{([^{}]*)\}"),
        r" \1",
    ),
    (re.compile(r"\\d?t?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"(\1)/(\2)"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree\b"), "°"),
    (re.compile(r"\\(?:times|cdot|ast)\b"), "·"),
    (re.compile(r"\\pm\b"), "±"),
    (re.compile(r"\\(?:approx|simeq|sim)\b"), "≈"),
    (re.compile(r"\\(?:mu|micro)\b"), "μ"),
    (re.compile(r"\\(?:Omega|ohm)\b"), "Ω"),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\([%$#&_{}.*+()\[\]-])"), r"\1"),
    (re.compile(r"\\[,;:! ]|\\q?quad\b|~"), " "),
    (re.compile(r"\$(\S(?:[^$]*\S)?)\$(?!\d)"), r"\1"),
)
_MAY_BE_LATEX = re.compile(r"[\\$~{]")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾", "0123456789+-()")
RAISED_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾]+")
_BESIDE_A_FRACTION = re.compile(r"(?<=\d)(?=[¼½¾⅐-⅞])")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,2}|_{1,2})(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*])")
_MINUS_SIGNS = str.maketrans(dict.fromkeys("−‒﹣－", "-"))
_DASH_AS_SIGN = re.compile(r"(?<![\w)%°])[–—](?=\s?[\d.])|(?<=\^)[–—]|(?<=\^\()[–—]")
_CHARGE = re.compile(r"(?<![\w^.])(\d)([-+])(?=\s*(?:$|[;,.)]))")
_MINUS = re.compile(r"\b(?:minus|negative)\s+(?=[\d.])", re.IGNORECASE)


def unraised(run: str) -> str:
    """Raised figures as they stand on the line."""
    return run.translate(_RAISED)


def tidy(text: str) -> str:
    """One way to write a minus, a power and a fraction; no marks of emphasis or of LaTeX."""
    if _MAY_BE_LATEX.search(text):
        for pattern, kept in _LATEX:
            text = pattern.sub(kept, text)
    text = RAISED_RUN.sub(lambda found: f"^{unraised(found[0])}", text)
    text = normalize("NFKC", _BESIDE_A_FRACTION.sub(" ", text.translate(_MINUS_SIGNS)))
    text = text.replace("⁄", "/").translate(_MINUS_SIGNS)
    text = _CHARGE.sub(r"\2\1", _DASH_AS_SIGN.sub("-", _EMPHASIS.sub(r"\2", text)))
    return _MINUS.sub("-", with_degrees(in_figures(_PI.sub(_pi, text))))


_PI = re.compile(
    r"(?<![\w.])(?P<times>\d+(?:\.\d+)?\s*[·*]?\s*)?(?:π|pi\b)(?:\s*/\s*(?P<over>\d+))?(?![\w^])"
)


def _pi(found: re.Match[str]) -> str:
    """'2π' and 'π/4' as a number."""
    times = float((found["times"] or "1").strip(" ·*"))
    return f"{times * math.pi / (int(found['over'] or 1) or 1):.8g}"


_ONES = {**NUMBER_WORDS, "one": "1", "a": "1"} | dict(
    zip(
        "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
        map(str, range(13, 20)),
        strict=True,
    )
)
_TENS = dict(
    zip(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(),
        map(str, range(20, 100, 10)),
        strict=True,
    )
)
_SCALES = {
    "dozen": 12,
    "hundred": 10**2,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
_SHARES = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
}
_SMALL = "|".join([*_ONES, *_TENS])
_SPELLED = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})[-\s](?P<ones>{'|'.join(each for each in _ONES if each != 'a')})|(?P<small>{_SMALL}))\b"
    rf"(?:[-\s]+(?P<share>{'|'.join(_SHARES)})s?\b)?",
    re.IGNORECASE,
)
_SCALED = re.compile(rf"(?<![\w.])(\d[\d.,]*)\s+({'|'.join(_SCALES)})s?\b", re.IGNORECASE)
_LONE = re.compile(rf"\b(?:half|{'|'.join(_SCALES)})\b", re.IGNORECASE)


def in_figures(text: str) -> str:
    """'forty-six' as 46, 'one half' as 1/2, '300 million' as 300000000; 'a' counts only before such a word."""

    def spelled(found: re.Match[str]) -> str:
        said = {name: (value or "").lower() for name, value in found.groupdict().items()}
        if said["tens"]:
            number = str(int(_TENS[said["tens"]]) + int(_ONES[said["ones"]]))
        else:
            number = _TENS.get(said["small"]) or _ONES[said["small"]]
        if said["share"]:
            return f"{number}/{_SHARES[said['share']]}"
        is_article = said["small"] == "a" and not re.match(
            rf"\s+(?:{'|'.join(_SCALES)})\b", text[found.end() :], re.IGNORECASE
        )
        return found[0] if is_article else number

    def scaled(found: re.Match[str]) -> str:
        try:
            return f"{float(found[1].replace(',', '')) * _SCALES[found[2].lower()]:.12g}"
        except ValueError:
            return found[0]

    def lone(found: re.Match[str]) -> str:
        word = found[0].lower()
        return "0.5" if word == "half" else str(_SCALES[word])

    return _LONE.sub(lone, _SCALED.sub(scaled, _SPELLED.sub(spelled, text)))


_DOTTED = r"[1-9]\d{0,2}(?:(?:\.\d{3}){2,}(?:,\d+)?|\.\d{3},\d+)(?![\d,])"
_GROUPED = rf"[1-9]\d{{0,2}}(?:,\d{{3}})+(?![\d,])(?:\.\d+)?|[1-9]\d{{0,2}}(?: \d{{3}})+(?![\d ]\d)(?:\.\d+)?|{_DOTTED}"
_MANTISSA = rf"(?:{_GROUPED}|\d+,\d+(?![,\d])|\d+(?:\.\d+)?|\.\d+)"
_EXPONENT = r"[({]?\s*([-+]?\s?\d{1,3})(?:\s*[)}])?(?!\.?\d)"
_NUMBER = re.compile(
    rf"(?<![\w.^)\]])(?<!\^[-+({{])(?P<sign>[-+](?=[\d.])|(?:^|(?<=[=(:])|(?<=[=(:] ))[-+]\s)?(?:"
    rf"10\s*(?:\^|\*\*)\s*(?P<bare>{_EXPONENT})"
    rf"|(?P<whole>\d{{1,4}})\s+(?P<above>\d{{1,3}})\s*/\s*(?P<below>\d{{1,3}})(?!\.?\d)"
    rf"|(?P<mantissa>{_MANTISSA})(?:(?:e(?P<e>[-+]?\d{{1,3}})(?!\w|\.\d))"
    rf"|\s*[x×*·⋅∙•]\s*10\s*(?:\^|\*\*|(?=-\d))\s*(?P<power>{_EXPONENT}))?"
    r"(?:\s*/\s*(?P<divisor>\d+(?:\.\d+)?)(?!\.?\d|\^|\s*[x×*·]\s*10))?)",
    re.IGNORECASE,
)
_PLUS_MINUS = re.compile(r"\s*(?:±|\+/-|\+-)\s*")
_TO = re.compile(r"\s*(?:[–—-]|\bto\b|\.{2,3}|…)\s*")
_AND = re.compile(r"\s*\band\s*")
_BETWEEN = re.compile(r"\bbetween\s*[$€£]?\s*$", re.IGNORECASE)
_OPENING = re.compile(r"(?:US)?([$€£])\s*$")
_ROUGHLY = re.compile(
    r"(?:\b(?:about|approximately|approx\.?|around|roughly|circa|nearly|almost|some)\s*(?:[$€£]\s*)?|[~≈]\s*)$",
    re.IGNORECASE,
)
_OR = re.compile(r"\s*,?\s*\bor\s*")
_BESIDE = re.compile(r"\s*(?:,|\band\b)?\s*")
_ROUNDED_FROM = 10_000  # below, a whole number that ends in zeros may be a count or a year
_WORD = re.compile(r"\s*([^\W\d_]+)")


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text in their order, ranges and mixed units as one; `text` is tidy."""
    if not any(map(str.isdigit, text)):
        return []
    return list(_joined(text, list(islice(_single(text), _MOST))))


def _single(text: str) -> Iterator[Quantity]:
    at = 0
    while match := _NUMBER.search(text, at):
        quantity = _read(text, match)
        at = max(quantity.end if quantity else 0, match.end())
        if quantity:
            yield quantity


def _read(text: str, match: re.Match[str]) -> Quantity | None:
    number = _number(match)
    if number is None:
        return None
    end = match.end()
    if (more := _PLUS_MINUS.match(text, end)) and (other := _NUMBER.match(text, more.end())):
        spread = _number(other)
        if spread is not None:
            is_share = text[other.end() :].lstrip().startswith("%")
            by = (
                abs(number.value) / 100 * spread.value
                if is_share and "%" not in text[end : more.end()]
                else spread.value
            )
            number, end = replace(number, spread=abs(by)), other.end()
            end += len(re.match(r"\s*\)?", text[end:])[0])  # type: ignore[index]
    before = text[: match.start()]
    opening = _OPENING.search(before)
    readings = take_unit(text[end:]) if not opening else take_unit(opening[1])
    unit = readings[0][0] if readings else None
    if readings and not opening:
        end += readings[0][1]
    return replace(
        number,
        unit=unit,
        other_unit=readings[1][0] if len(readings) > 1 else None,
        is_about=bool(_ROUGHLY.search(before)),
        label="" if unit else _label(text[end:]),
        start=opening.start() if opening else match.start(),
        end=end,
    )


def _number(match: re.Match[str]) -> Quantity | None:
    """A literal with how exactly it is given."""
    sign = -1.0 if (match["sign"] or "").startswith("-") else 1.0
    try:
        if match["bare"]:
            value = 10.0 ** _whole(match["bare"])
            return Quantity(value=sign * value, step=value / 2)
        if match["whole"]:
            value = int(match["whole"]) + int(match["above"]) / int(match["below"])
            return Quantity(value=sign * value)
        digits = _point(match["mantissa"])
        power = _whole(match["e"] or match["power"] or "0")
        value = float(digits) * 10.0**power
        if match["divisor"]:
            value /= float(match["divisor"])
    except (OverflowError, ZeroDivisionError, ValueError):
        return None
    if not math.isfinite(value):
        return None
    if match["divisor"]:
        return Quantity(value=sign * value)
    is_power = bool(match["e"] or match["power"])
    places = len(digits.partition(".")[2])
    significant = digits.replace(".", "").lstrip("0")
    is_rounded = "." not in digits and not is_power and significant.endswith("0")
    return Quantity(
        value=sign * value,
        step=0.0 if is_rounded else 0.5 * 10.0 ** (power - places),
        is_whole="." not in digits and not is_power and not (is_rounded and value >= _ROUNDED_FROM),
    )


def _whole(exponent: str) -> int:
    return int(re.sub(r"[^\d-]", "", exponent))


def _point(mantissa: str) -> str:
    """The digits with a point where the fraction begins, whatever the writer's country."""
    text = mantissa.replace(" ", "")
    if re.fullmatch(_DOTTED, text):
        return text.replace(".", "").replace(",", ".")
    if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", text):
        return text.replace(",", "")
    return text.replace(",", ".")


def _label(following: str) -> str:
    word = _WORD.match(following)
    name = word[1].lower() if word else ""
    return stem(name) if len(name) > 1 and name not in STOP | ABOUT else ""


def _joined(text: str, found: Sequence[Quantity]) -> Iterator[Quantity]:
    at = 0
    while at < len(found):
        first, at = found[at], at + 1
        while at < len(found) and (both := _as_one(text, first, found[at])):
            first, at = both, at + 1
        if at < len(found) and not first.unit and _OR.fullmatch(text[first.end : found[at].start]):
            first = replace(first, unit=found[at].unit)
        yield first


def _as_one(text: str, first: Quantity, second: Quantity) -> Quantity | None:
    """A range, or one value in two units: '10–15 km', '8 min 20 s'."""
    between = text[first.end : second.start]
    if first.unit and second.unit and first.unit.dimension != second.unit.dimension:
        return None
    unit = second.unit or first.unit
    one, other = (_in(unit, each) for each in (first, second))
    is_between = _AND.fullmatch(between) and _BETWEEN.search(text[: first.start])
    if (_TO.fullmatch(between) or is_between) and 0 <= one < other:
        return replace(
            second, value=(one + other) / 2, spread=(other - one) / 2, unit=unit, start=first.start, step=0.0
        )
    is_mixed = first.unit and second.unit and first.is_whole and not first.unit.is_temperature
    if is_mixed and _BESIDE.fullmatch(between) and 0 <= other < _in(unit, replace(first, value=1.0)):
        return replace(second, value=one + other, start=first.start, is_whole=False)
    return None


def _in(unit: MeasureUnit | None, quantity: Quantity) -> float:
    """The value in a unit; what has none of its own is taken to be in that."""
    if unit is None or quantity.unit is None or quantity.unit == unit:
        return quantity.value
    return unit.undo(quantity.unit.apply(quantity.value))
