"""Numbers and their units: what an answer says in figures, whichever unit it says it in."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from unicodedata import normalize

from agents.language.words import NUMBER_WORDS, stem
from agents.teaching.grading.words import ABOUT, STOP
from agents.teaching.values import Grade, right, wrong

Dimension = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureUnit:
    """A factor (and, for temperatures, an offset) to the base unit of a dimension."""

    dimension: Dimension
    factor: float
    offset: float = 0.0

    @property
    def is_plain(self) -> bool:
        """A percentage and the like: no dimension."""
        return not self.dimension

    def apply(self, value: float) -> float:
        return value * self.factor + self.offset

    def undo(self, value: float) -> float:
        return (value - self.offset) / self.factor


# name(s): dimension, factor, offset. One line a unit, so that a new one is one line.
_TABLE = """
m meter metre meters metres: length 1
km kilometer kilometre kilometers kilometres: length 1000
cm centimeter centimetre centimeters centimetres: length 0.01
mm millimeter millimetre millimeters millimetres: length 0.001
um µm μm micrometer micrometre micrometers micrometres micron microns: length 1e-6
nm nanometer nanometre nanometers nanometres: length 1e-9
in inch inches: length 0.0254
ft foot feet: length 0.3048
yd yard yards: length 0.9144
mi mile miles: length 1609.344
kg kilogram kilograms kilo kilos: mass 1
g gram grams: mass 0.001
mg milligram milligrams: mass 1e-6
t ton tons tonne tonnes: mass 1000
lb lbs pound pounds: mass 0.45359237
oz ounce ounces: mass 0.028349523
s sec secs second seconds: time 1
ms millisecond milliseconds: time 0.001
us µs μs microsecond microseconds: time 1e-6
ns nanosecond nanoseconds: time 1e-9
min mins minute minutes: time 60
h hr hrs hour hours: time 3600
d day days: time 86400
week weeks: time 604800
year years yr yrs: time 31557600
A amp amps ampere amperes: current 1
mA milliamp milliamps: current 0.001
V volt volts: voltage 1
mV millivolt millivolts: voltage 0.001
kV kilovolt kilovolts: voltage 1000
ohm ohms Ω: resistance 1
W watt watts: power 1
kW kilowatt kilowatts: power 1000
MW megawatt megawatts: power 1e6
mW milliwatt milliwatts: power 0.001
J joule joules: energy 1
kJ kilojoule kilojoules: energy 1000
cal calorie calories: energy 4.184
kcal kilocalorie kilocalories: energy 4184
kWh: energy 3.6e6
N newton newtons: force 1
kN kilonewton kilonewtons: force 1000
Pa pascal pascals: pressure 1
kPa kilopascal kilopascals: pressure 1000
bar bars: pressure 100000
atm atmosphere atmospheres: pressure 101325
Hz hertz: frequency 1
kHz kilohertz: frequency 1000
MHz megahertz: frequency 1e6
GHz gigahertz: frequency 1e9
fps: frequency 1
L l liter litre liters litres: volume 0.001
ml mL milliliter millilitre milliliters millilitres: volume 1e-6
mol mole moles: substance 1
bit bits: data 1
byte bytes B: data 8
KB kB kilobyte kilobytes: data 8e3
MB megabyte megabytes: data 8e6
GB gigabyte gigabytes: data 8e9
rad radian radians: angle 1
deg degree degrees °: angle 0.017453292519943295
% percent pct: number 0.01
mph: speed 0.44704
kph kmh: speed 0.277777777777778
°C C celsius: temperature 1 273.15
°F F fahrenheit: temperature 0.555555555555556 255.372222
K kelvin: temperature 1
"""
_MADE_OF: Mapping[str, Dimension] = {
    "number": (),
    "volume": (("length", 3),),
    "speed": (("length", 1), ("time", -1)),
}
_POWERS = {"²": 2, "³": 3}
_PART = re.compile(r"([^\d^²³]+)\^?(\d|[²³])?$")


def _read_table() -> Iterator[tuple[str, MeasureUnit]]:
    for line in _TABLE.strip().splitlines():
        names, _, meaning = line.partition(":")
        kind, factor, *offset = meaning.split()
        dimension = _MADE_OF.get(kind, ((kind, 1),))
        unit = MeasureUnit(
            dimension=dimension, factor=float(factor), offset=float(offset[0]) if offset else 0.0
        )
        yield from ((name, unit) for name in names.split())


_UNITS = dict(_read_table())
_BY_LOWER = {name.lower(): unit for name, unit in reversed(_UNITS.items())}


@lru_cache(maxsize=1024)
def read_unit(text: str) -> MeasureUnit | None:
    """A unit such as 'm/s', 'km per hour', 'cm^2', '%', '°C'; None for other words."""
    text = text.strip()
    if known := _UNITS.get(text) or _BY_LOWER.get(text.lower()):
        return known
    above, *below = re.split(r"\s*(?:/|\bper\b)\s*", text)
    powers: Counter[str] = Counter()
    factor = 1.0
    for name, sign in [*((part, 1) for part in re.split(r"[·*\s]+", above)), *((part, -1) for part in below)]:
        found = _PART.match(name.strip())
        unit = _UNITS.get(found[1]) or _BY_LOWER.get(found[1].lower()) if found else None
        if not found or not unit:
            return None
        power = sign * (_POWERS.get(found[2]) or int(found[2]) if found[2] else 1)
        powers.update({dimension: each * power for dimension, each in unit.dimension})
        factor *= unit.factor**power
    kept = tuple(sorted((dimension, power) for dimension, power in powers.items() if power))
    return MeasureUnit(dimension=kept, factor=factor) if kept else None


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
    unit: MeasureUnit | None
    is_count: bool  # a whole number without a unit
    label: str = ""  # what is counted, where that is said: 3 nodes

    def equals(self, value: float) -> bool:
        """Within the tolerance; counts exactly."""
        if self.is_count:
            return self.value == value
        return math.isclose(self.value, value, rel_tol=_TOLERANCE, abs_tol=1e-12)


def grade_number(answer: str, references: Sequence[str], _options: Sequence[str]) -> Grade | None:
    """Compare quantities where a reference is nothing but one; None where none is."""
    found = [_only_quantity(reference) for reference in references]
    expected = [quantity for quantity in found if quantity is not None]
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
    if given.unit and expected.unit:
        return given.unit.dimension == expected.unit.dimension and expected.equals(given.value)
    # Where one has no unit, the figures are compared as they were written, too.
    written = expected.unit.undo(expected.value) if expected.unit else expected.value
    own = given.unit.undo(given.value) if given.unit and not given.unit.is_plain else given.value
    return replace(expected, value=written).equals(own) or expected.equals(given.value)


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
