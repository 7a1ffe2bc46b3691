"""Chemical formulas and equations: the same when they have the same atoms and charges, in the same proportions.

'H₂SO₄' and 'H2SO4', 'SO₄²⁻' and 'SO4^2-', '2H2 + O2 → 2H2O' and 'O2 + 2 H2 -> 2 H2O(l)'.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from unicodedata import normalize

from agents.teaching.grading.figures import RAISED_RUN, unraised
from agents.teaching.values import Grade, right, wrong

_UNBALANCED, _CHARGE_WRONG = 0.5, 0.5  # of a mark
_MOST_CHARACTERS, _MOST_TERMS, _DEEPEST = 400, 12, 4
_TWO = 2
_MOST_TIMES = 60  # of a substance in an equation; more is the mass of an isotope
_MOST_READINGS = 64  # of one side, where charges can be read in two ways

_ELEMENTS = frozenset(
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru "
    "Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At "
    "Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og D".split()
)
_ELECTRON = "e"

_LATEX = (
    (re.compile(r"\\(?:ce|mathrm|text|mathit|rm)\s*\{([^{}]*)\}"), r"\1"),
    (
        re.compile(
            r"\\(?:long)?(?:right|left|leftright)(?:arrow|harpoons)\b|\\rightleftharpoons\b|\\to\b|\\xrightarrow\s*(?:\{[^{}]*\})?"
        ),
        "→",
    ),
    (re.compile(r"([\^_])\s*\{([^{}]*)\}"), r"\1(\2)"),
    (re.compile(r"\\cdot\b"), "·"),
    (re.compile(r"\\[,;:! ]|\$"), " "),
)
_STATE = re.compile(r"\*?\(\s*\*?(?:s|l|g|aq)\*?\s*\)\*?")
_ARROW = re.compile(
    r"\s*(?:⟶|→|⟷|↔|⇌|⇄|⇋|⇒|⟹|<?=+>|<-*>|-{1,3}>|(?<=\s)=(?=\s)|\byields?\b|\bgives?\b|\bforms?\b)(?:\s*Δ(?=[\s\d(A-Z]))?\s*"
)
_RAISED_CHARGE = re.compile(
    r"\^\s*\(?\s*(?:(\d*)\s*([-+])|([-+])\s*(\d*))\s*\)?(?![\w])|\^\s*\(?\s*(?:(\d*)\s*([-+]))\s*\)?"
)
_BETWEEN = re.compile(r"\s\+\s|(?<=[\]})\w])\s*\+\s*(?=\d|[A-Z([{])|(?<=[+-])\s*\+\s*(?=\d|[A-Z([e])")
_COEFFICIENT = re.compile(r"\s*(?:\(?(\d+)\s*/\s*(\d+)\)?|(\d+(?:\.\d+)?))?\s*")
_DOT, _TIMES = re.compile(r"[·∙•⋅*.]"), re.compile(r"(\d{0,2})(.*)", re.DOTALL)
_GROUP, _PIECE = re.compile(r"\(([A-Za-z0-9]+)\)(\d{0,2})"), re.compile(r"([A-Z][a-z]?)(\d{0,3})")
_MOLECULE = re.compile(r"(?:H|N|O|F|Cl|Br|I)2|O3|P4|S8")
_CHARGE = re.compile(
    r"\^\s*\(?\s*(?:(\d*)\s*([-+])|([-+])\s*(\d*))\s*\)?(?![\w])|\^\s*\(?\s*(?:(\d*)\s*([-+]))\s*\)?"
)
_BETWEEN = re.compile(r"\s\+\s|(?<=[\]})\w])\s*\+\s*(?=\d|[A-Z([{])|(?<=[+-])\s*\+\s*(?=\d|[A-Z([e])")
_COEFFICIENT = re.compile(r"\s*(?:\(?(\d+)\s*/\s*(\d+)\)?|(\d+(?:\.\d+)?))?\s*")
_ATOMS = re.compile(
    r"(?P<element>[A-Z][a-z]?)|(?P<open>[(\[])|(?P<close>[)\]])|(?P<count>\d+)|(?P<dot>[·∙•⋅*.])|(?P<skip>[\s_])"
)
_CHARGE = re.compile(r"\{(\d*)([-+])\}$")
_TRAILING = re.compile(r"(\d*)\s?([-+])$")

Atoms = frozenset[tuple[str, int]]
Species = tuple[Atoms, int]  # what it is made of, and its charge


@dataclass(frozen=True, slots=True)
class _Side:
    terms: frozenset[tuple[Species, Fraction]]

    @property
    def species(self) -> frozenset[Species]:
        return frozenset(each for each, _ in self.terms)

    def atoms(self) -> Mapping[str, Fraction]:
        counts: dict[str, Fraction] = {}
        for (atoms, _), times in self.terms:
            for element, count in atoms:
                if element != _ELECTRON:
                    counts[element] = counts.get(element, Fraction(0)) + count * times
        return counts


def is_chemical(text: str) -> bool:
    """Whether a key is a balanced equation, or a formula that nothing else looks like: with a count or a charge."""
    plain = _plain(text)
    if _ARROW.search(plain.replace(" = ", "=")):
        return _is_balanced(_sides(text))
    formula = _STATE.sub("", plain).strip()
    is_marked = (
        bool(re.search(r"[A-Za-z)\]]\d|[-+}]$", formula)) or len(re.findall(r"[A-Z][a-z]", formula)) > 1
    )
    found = _species(formula) if is_marked and re.match(r"[A-Z(\[]\S*$", formula) else []
    return any(len(atoms) > 1 or charge for atoms, charge in found) or bool(_MOLECULE.fullmatch(formula))


def is_substance(text: str) -> bool:
    """Whether a text can be read as one formula, where it is known that one is asked for: 'CO', 'HF'."""
    formula = _STATE.sub("", _plain(text)).strip()
    return bool(re.match(r"[A-Z(\[]\S*$", formula) and _species(formula))


def grade_chemical(answer: str, references: Sequence[str]) -> Grade | None:
    """Whether an answer has the same substances in the same proportions; None where no key is chemical."""
    keys = [reference for reference in references if is_chemical(reference) or is_substance(reference)]
    if not keys:
        return None
    grades = [_compared(_sides(answer), _sides(key)) for key in keys]
    return max(grades, key=lambda grade: (grade.is_correct, grade.score))


def _is_balanced(sides: Sequence[Sequence[_Side]]) -> bool:
    """Whether an equation has the same atoms on both sides; charges may be read so that they are."""
    return len(sides) == _TWO and any(one.atoms() == other.atoms() for one in sides[0] for other in sides[1])


def _compared(given: Sequence[Sequence[_Side]], key: Sequence[Sequence[_Side]]) -> Grade:
    if not all(given) or not given:
        return wrong("I cannot read that as a chemical formula.", confident=False)
    if len(given) != len(key):
        what = "an equation with an arrow" if len(key) > 1 else "a single formula"
        return wrong(f"This asks for {what}.", confident=False)
    given_ways, key_ways = list(product(*given)), list(product(*key))
    pairs = [(one, other) for one in given_ways for other in key_ways]
    if any(_in_proportion(one, other) for one, other in pairs):
        return right("The equation is right." if len(key) > 1 else "The formula is right.")
    if len(key) > 1 and any(_same_species(one, other) for one, other in pairs):
        return wrong("The substances are right, but it is not balanced so.", score=_UNBALANCED)
    if any(_same_atoms(one, other) for one, other in pairs):
        return wrong("The atoms are right, but a charge is not.", score=_CHARGE_WRONG)
    return wrong("The substances are not all right." if len(key) > 1 else "That is another substance.")


def _in_proportion(one: Sequence[_Side], other: Sequence[_Side]) -> bool:
    if not _same_species(one, other):
        return False
    ratios = set()
    for mine, theirs in zip(one, other, strict=True):
        expected = dict(theirs.terms)
        ratios |= {count / expected[species] for species, count in mine.terms}
    return len(ratios) == 1 and (len(one) > 1 or ratios == {Fraction(1)})


def _same_species(one: Sequence[_Side], other: Sequence[_Side]) -> bool:
    return all(mine.species == theirs.species for mine, theirs in zip(one, other, strict=True))


def _same_atoms(one: Sequence[_Side], other: Sequence[_Side]) -> bool:
    return all(
        {atoms for atoms, _ in mine.species} == {atoms for atoms, _ in theirs.species}
        for mine, theirs in zip(one, other, strict=True)
    )


# Reading


def _plain(text: str) -> str:
    """One way to write counts and charges: '{2-}' is a charge."""
    text = text[:_MOST_CHARACTERS]
    for pattern, kept in _LATEX:
        text = pattern.sub(kept, text)
    text = RAISED_RUN.sub(lambda found: f"^({unraised(found[0])})", text)
    text = normalize("NFKC", text).replace("⁄", "/").replace("−", "-").replace("–", "-")
    text = re.sub(r"(?<![\w*])\*(\w+)\*(?![\w*])|(?<=\w)\*(\w)\*", r"\1\2", text)
    text = re.sub(r"_\(?(\d+)\)?", r"\1", text)
    return _RAISED_CHARGE.sub(_charge_mark, text).strip(" .;,`")


def _charge_mark(found: re.Match[str]) -> str:
    one, sign, before, other, third, last = found.groups()
    return f"{{{one or other or third or ''}{sign or before or last}}}"


def _sides(text: str) -> list[list[_Side]]:
    """The ways to read each side of an equation; a formula has one side."""
    plain = _STATE.sub("", _plain(text))
    return [_ways(side) for side in _ARROW.split(plain)]


def _ways(side: str) -> list[_Side]:
    terms = [_term(term) for term in _BETWEEN.split(side)]
    if not terms or len(terms) > _MOST_TERMS or not all(terms):
        return []
    ways = []
    for chosen in _some(product(*terms)):
        counts: Counter[Species] = Counter()
        for count, species in chosen:
            counts[species] += count  # type: ignore[assignment]
        ways.append(_Side(frozenset((species, Fraction(count)) for species, count in counts.items())))
    return ways


def _some(
    ways: Iterator[tuple[tuple[Fraction, Species], ...]],
) -> Iterator[tuple[tuple[Fraction, Species], ...]]:
    for number, way in enumerate(ways):
        if number >= _MOST_READINGS:
            return
        yield way


def _term(term: str) -> list[tuple[Fraction, Species]]:
    """A coefficient and a substance; more than one where a charge can be read in two ways."""
    found = _COEFFICIENT.match(term)
    assert found is not None  # it matches nothing, too
    count = Fraction(1)
    if found[1]:
        count = Fraction(int(found[1]), int(found[2])) if int(found[2]) else Fraction(0)
    elif found[3]:
        count = Fraction(found[3])
    return [(count, species) for species in _species(term[found.end() :])] if 0 < count <= _MOST_TIMES else []


def _species(text: str) -> list[Species]:
    """What a formula is made of, with its charge; 'SO42-' has two readings."""
    text = text.strip()
    if marked := _CHARGE.search(text):
        charges = [(text[: marked.start()], int(marked[1] or 1) * (1 if marked[2] == "+" else -1))]
    elif trailing := _TRAILING.search(text):
        sign = 1 if trailing[2] == "+" else -1
        digits, before = trailing[1], text[: trailing.start()]
        cuts = [(before + digits[:at], int(digits[at:] or 1) * sign) for at in range(len(digits) + 1)]
        charges = [(each, charge) for each, charge in cuts if abs(charge) < 10]
    else:
        charges = [(text, 0)]
    found = [(_atoms(formula), charge) for formula, charge in charges]
    return [(atoms, charge) for atoms, charge in found if atoms]


def _atoms(formula: str) -> Atoms:
    """How many atoms of each element; empty where it is no formula."""
    if formula.strip() == _ELECTRON:
        return frozenset({(_ELECTRON, 1)})
    counts: Counter[str] = Counter()
    for part in _DOT.split(re.sub(r"[\s_]", "", formula)):
        times, body = _TIMES.match(part).groups()  # type: ignore[union-attr]
        body = _without_groups(body)
        pieces = _PIECE.findall(body)
        if not pieces or "".join(map("".join, pieces)) != body:
            return frozenset()
        for element, count in pieces:
            counts[element] += int(count or 1) * int(times or 1)
    return frozenset(counts.items()) if _ELEMENTS.issuperset(counts) and all(counts.values()) else frozenset()


def _without_groups(formula: str) -> str:
    """'Mg(OH)2' as 'MgOHOH'."""
    formula = formula.replace("[", "(").replace("]", ")")
    for _ in range(_DEEPEST):
        formula = _GROUP.sub(lambda found: found[1] * int(found[2] or 1), formula)[:_MOST_CHARACTERS]
    return formula
