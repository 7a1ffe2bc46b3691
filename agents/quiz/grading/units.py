"""Units of measure: what they measure, and how they convert."""

import re
from dataclasses import dataclass
from functools import lru_cache

Dimension = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
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


# name(s): base dimension, factor. One line a unit, so that a new one is one line.
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
"""
_SPEEDS = {
    "mph": (("length", 1), ("time", -1), 0.44704),
    "kph": (("length", 1), ("time", -1), 1 / 3.6),
    "kmh": (("length", 1), ("time", -1), 1 / 3.6),
}
_TEMPERATURES = {
    "°c": (1.0, 273.15), "c": (1.0, 273.15), "celsius": (1.0, 273.15), "°f": (5 / 9, 255.372222), "f": (5 / 9, 255.372222),
    "fahrenheit": (5 / 9, 255.372222), "k": (1.0, 0.0), "kelvin": (1.0, 0.0),
}  # fmt: skip
_PLAIN = {"%": 0.01, "percent": 0.01, "pct": 0.01}
_POWERS = {"²": 2, "³": 3}
_PART = re.compile(r"([^\d^²³]+)\^?(\d|[²³])?$")


def _read_table() -> dict[str, tuple[str, float]]:
    found: dict[str, tuple[str, float]] = {}
    for line in _TABLE.strip().splitlines():
        names, _, meaning = line.partition(":")
        dimension, factor = meaning.split()
        found.update({name: (dimension, float(factor)) for name in names.split()})
    return found


_UNITS = _read_table()
_BY_LOWER = {name.lower(): unit for name, unit in reversed(_UNITS.items())}


@lru_cache(maxsize=1024)
def read_unit(text: str) -> Unit | None:
    """A unit such as 'm/s', 'km per hour', 'cm^2', '%', '°C'; None for other words."""
    text = text.strip()
    lowered = text.lower()
    if lowered in _PLAIN:
        return Unit(dimension=(), factor=_PLAIN[lowered])
    if lowered in _TEMPERATURES:
        factor, offset = _TEMPERATURES[lowered]
        return Unit(dimension=(("temperature", 1),), factor=factor, offset=offset)
    if lowered in _SPEEDS:
        *dimension, speed = _SPEEDS[lowered]
        return Unit(dimension=tuple(dimension), factor=speed)
    above, *below = re.split(r"\s*(?:/|\bper\b)\s*", text)
    parts = [(part, 1) for part in re.split(r"[·*\s]+", above.strip()) if part] + [
        (part.strip(), -1) for part in below
    ]
    return _product(parts)


def _product(parts: list[tuple[str, int]]) -> Unit | None:
    powers: dict[str, int] = {}
    factor = 1.0
    for name, sign in parts:
        found = _PART.match(name)
        base = _UNITS.get(found[1]) or _BY_LOWER.get(found[1].lower()) if found else None
        if not found or not base:
            return None
        power = sign * (_POWERS.get(found[2]) or int(found[2]) if found[2] else 1)
        dimension, one = base
        if dimension == "volume":
            dimension, power, one = "length", power * 3, one ** (1 / 3)
        powers[dimension] = powers.get(dimension, 0) + power
        factor *= one**power
    kept = tuple(sorted((dimension, power) for dimension, power in powers.items() if power))
    return Unit(dimension=kept, factor=factor) if kept and parts else None
