"""Units as people write them: 'm/s²', 'm s^-1', 'km per hour', '°C', '%', '$'.

What a unit is worth is pint's to say. It only hears single names; what joins them is read here, so that nothing which
somebody typed is ever evaluated.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pint import UnitRegistry

Dimension = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureUnit:
    """A factor (and, for temperatures, an offset) to the base unit of a dimension."""

    dimension: Dimension
    factor: float
    offset: float = 0.0
    name: str = ""  # of a temperature that is written with a letter which means something else, too

    @property
    def is_plain(self) -> bool:
        """A percentage and the like: no dimension."""
        return not self.dimension

    @property
    def is_temperature(self) -> bool:
        return self.dimension == _TEMPERATURE

    @property
    def as_difference(self) -> "MeasureUnit":
        """Of a temperature how far it rose or fell: 7 °C are 7 K then."""
        return replace(self, dimension=_DIFFERENCE, offset=0.0) if self.is_temperature else self

    def apply(self, value: float) -> float:
        return value * self.factor + self.offset

    def undo(self, value: float) -> float:
        return (value - self.offset) / self.factor


_TEMPERATURE: Dimension = (("[temperature]", 1.0),)
_DIFFERENCE: Dimension = (("[temperature difference]", 1.0),)
# Of pint's units those that courses use: to pint a link, a hand, a point and a turn are units, too.
_WITH_PREFIXES = frozenset(
    "meter gram second ampere kelvin mole candela newton joule watt pascal hertz volt ohm farad coulomb weber tesla henry "
    "siemens electron_volt calorie liter bar byte bit becquerel gray sievert curie lumen lux watt_hour molar dalton parsec "
    "dyne erg gauss poise year meter_Hg torr unified_atomic_mass_unit".split()
)
_ALONE = frozenset(
    "minute hour day week month century percent ppm degree radian arcminute arcsecond revolutions_per_minute inch foot yard "
    "mile nautical_mile pound ounce metric_ton acre hectare gallon standard_atmosphere pound_force_per_square_inch knot "
    "mile_per_hour kilometer_per_hour horsepower degree_Celsius degree_Fahrenheit cubic_centimeter angstrom astronomical_unit "
    "light_year micron british_thermal_unit pound_force steradian".split()
)
_PREFIXES = frozenset(
    ["", *"pico nano micro milli centi deci hecto kilo mega giga tera peta femto kibi mebi gibi tebi".split()]
)
_ALSO = {
    "ton": "metric_ton",
    "tons": "metric_ton",
    "kilo": "kilogram",
    "kilos": "kilogram",
    "gm": "gram",
    "gms": "gram",
    "KB": "kilobyte",
    "kmh": "kilometer_per_hour",
    "kmph": "kilometer_per_hour",
    "°": "degree",
    "°C": "degree_Celsius",
    "°F": "degree_Fahrenheit",
    "°K": "kelvin",
    "centigrade": "degree_Celsius",
    "percentage": "percent",
    "‰": "ppt",
    "y": "year",
    "Cal": "kilocalorie",
    "Calorie": "kilocalorie",
    "Calories": "kilocalorie",
}
_CURRENCIES = {
    **dict.fromkeys(("$", "usd", "dollar", "dollars"), "dollar"),
    **dict.fromkeys(("€", "eur", "euro", "euros"), "euro"),
    **dict.fromkeys(("£", "gbp"), "pound sterling"),
}
# pint counts both as plain numbers; for a learner 45° is not 45, nor 8 MB 8.
_OWN_DIMENSIONS = {
    **dict.fromkeys(("degree", "radian", "arcminute", "arcsecond"), "angle"),
    **dict.fromkeys(("bit", "byte"), "data"),
}
_LEFT_OUT_OF_COMPOUNDS = frozenset({"angle"})  # rad/s is mostly written 1/s
_MOST_FACTORS = 8
_LONGEST_NAME = 28
# 'Nm' is no nanometre, but 'KG' is a kilogram: only what begins like a unit that is often multiplied is cut in two.
_GLUED = re.compile(r"(?:N|kN|J|kg|g|mol|V|A|W|kW|Pa|L)[A-Za-z]{1,3}")

_FACTOR = re.compile(
    r"(?P<open>[(\[{]\s*)?(?:(?P<shape>square|cubic|sq\.?|cu\.?)\s+)?"
    r"(?P<name>°\s?[CFK](?![A-Za-z])|[°%‰$€£]|[A-Za-zμΩÅ]{1,28}(?![A-Za-zμΩÅ]))"
    r"(?:\s*(?:\^|\*\*)\s*[({]?\s*(?P<raised>[-+]?\d)(?:\s*[)}])?(?!\d)|(?P<beside>-?\d)(?![\w.,(])|\s+(?P<word>squared|cubed)\b)?(?!\d)"
)
_JOIN = re.compile(r"\s*(?P<below>/|\bper\b)\s*|\s*[·*⋅∙×]\s*|-(?=[A-Za-zμΩ])|\s+|(?=[°(])")
_CLOSE = re.compile(r"\s*[)\]}]")
_DEGREES = re.compile(
    r"\b(?:degrees?|deg\.?)\s+(celsius|centigrade|fahrenheit|kelvin|[CFK])\b", re.IGNORECASE
)
_POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3, "squared": 2, "cubed": 3}
_SUBSTANCE = re.compile(r"[CFHKNOPSVW]\d?")  # '2 mol N2' is of nitrogen


@cache
def _registry() -> "UnitRegistry[float]":
    from pint import UnitRegistry  # 0.3 s that only who meets a unit pays

    return UnitRegistry(cache_folder=None)


@lru_cache(maxsize=1024)
def named_unit(name: str) -> MeasureUnit | None:
    """What one name stands for: 'km', 'Newtons', '°C'; None for other words."""
    if not 0 < len(name) <= _LONGEST_NAME:
        return None
    if currency := _CURRENCIES.get(name.lower()):
        return MeasureUnit(dimension=((currency, 1.0),), factor=1.0)
    canonical = _ALSO.get(name) or _ALSO.get(name.lower()) or _exactly(name)
    if not canonical and (halves := _glued(name)):
        return _product([_Factor(unit=unit) for half in halves if (unit := named_unit(half))])
    canonical = canonical or _known(name, is_exact=False)
    if not canonical:
        return None
    if canonical in ("degree_Celsius", "degree_Fahrenheit"):
        is_celsius = canonical == "degree_Celsius"
        factor, offset = (1.0, 273.15) if is_celsius else (5 / 9, 273.15 - 32 * 5 / 9)
        return MeasureUnit(dimension=_TEMPERATURE, factor=factor, offset=offset)
    worth: Any = _registry().Quantity(1.0, canonical).to_root_units()
    dimension: dict[str, float] = {
        each: float(power) for each, power in worth.dimensionality.items() if power
    }
    own = next((kind for base, kind in _OWN_DIMENSIONS.items() if canonical.endswith(base)), None)
    if own:
        dimension[own] = 1.0
    return MeasureUnit(
        dimension=tuple(sorted(dimension.items())),
        factor=float(worth.magnitude),
        name=name if name in ("C", "F", "K", "°") or own == "angle" else "",
    )


def _glued(name: str) -> tuple[str, str] | None:
    """'Nm' and 'kgK' as two units."""
    if not _GLUED.fullmatch(name):
        return None
    halves = ((name[:at], name[at:]) for at in range(1, len(name)))
    return next((pair for pair in halves if all(map(_exactly, pair))), None)


def _exactly(name: str) -> str:
    return _known(name, is_exact=True)


def _known(name: str, *, is_exact: bool) -> str:
    for prefix, unit, plural in _registry().parse_unit_name(name, case_sensitive=is_exact):
        is_name = not plural or len(name) > 2
        if is_name and (unit in _WITH_PREFIXES or (not prefix and unit in _ALONE)) and prefix in _PREFIXES:
            return f"{prefix}{unit}"
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Factor:
    unit: MeasureUnit
    power: int = 1
    end: int = 0
    may_be_substance: bool = False


def take_unit(text: str) -> list[tuple[MeasureUnit, int]]:
    """The unit that a text begins with, and where it ends; the longest reading first, none where it begins with no unit."""
    factors = list(_factors(text))
    readings = [(_product(factors), factors[-1].end)] if factors else []
    if len(factors) > 1 and factors[-1].may_be_substance:
        readings.append((_product(factors[:-1]), factors[-2].end))
    return readings


def read_unit(text: str) -> MeasureUnit | None:
    """A text that is a unit and nothing else."""
    return next((unit for unit, end in take_unit(text.strip()) if end == len(text.strip())), None)


def with_degrees(text: str) -> str:
    """'degrees Celsius' as '°C'."""
    return _DEGREES.sub(lambda found: f"°{found[1][0].upper()}", text)


def _factors(text: str) -> Iterator[_Factor]:
    at, is_below, groups = 0, False, list[bool]()
    for number in range(_MOST_FACTORS):
        join = _JOIN.match(text, at)
        found = _FACTOR.match(text, join.end() if join else at)
        unit = named_unit(found["name"].replace(" ", "")) if found else None
        goes_below = bool(join and join["below"])
        is_apart = bool(number and not join) or (goes_below and not number)
        if not found or not unit or is_apart or _is_a_word(found, text, is_first=not number):
            return
        before, is_below = is_below, is_below or goes_below
        if found["open"]:
            groups.append(before)
        written = found["raised"] or found["beside"]
        power = (
            int(written) if written else _POWERS.get((found["shape"] or found["word"] or "").rstrip("."), 1)
        )
        power = -abs(power) if is_below else power
        at = found.end()
        while groups and (closing := _CLOSE.match(text, at)):
            at, is_below = closing.end(), groups.pop()
        is_loose = bool(join and number and join[0].isspace())
        yield _Factor(
            unit=unit, power=power, end=at, may_be_substance=is_loose and bool(_SUBSTANCE.fullmatch(found[0]))
        )


def _is_a_word(found: re.Match[str], text: str, *, is_first: bool) -> bool:
    """Whether 'in' is no inch, which only the last thing that is said can be; and 'a' is no year."""
    is_last = is_first and not re.match(r"\s+\w", text[found.end() :])
    return found["name"] == "a" or (found["name"] == "in" and not is_last)


def _product(factors: Sequence[_Factor]) -> MeasureUnit:
    if len(factors) == 1 and factors[0].power == 1:
        return factors[0].unit
    powers: dict[str, float] = {}
    factor = 1.0
    for each in factors:
        for dimension, power in each.unit.dimension:
            if dimension not in _LEFT_OUT_OF_COMPOUNDS:
                powers[dimension] = powers.get(dimension, 0.0) + power * each.power
        factor *= each.unit.factor**each.power
    kept = tuple(sorted((dimension, float(power)) for dimension, power in powers.items() if power))
    return MeasureUnit(dimension=kept, factor=factor)
