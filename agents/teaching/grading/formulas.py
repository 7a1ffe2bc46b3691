"""Whether two formulas say the same: 'F = ma' and 'a = F/m', '½mv²' and 'm v^2 / 2', in LaTeX too.

A formula is read by a grammar of its own and compared by its values at a few points; nothing that somebody typed is ever
evaluated as code. Equations are the same when whatever solves one solves the other. Letters stand for positive numbers, as
those of measured things do: v = √(2gh) and v² = 2gh are the same here.
"""

import math
import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from unicodedata import normalize

from agents.teaching.grading.figures import RAISED_RUN, unraised
from agents.teaching.values import Grade, right, wrong

_MOST_CHARACTERS, _MOST_TOKENS, _DEEPEST = 300, 160, 30
_POINTS, _FEWEST_POINTS = 12, 4
_PLACES, _FEWEST_ROOTS = 3, 2  # for each letter that an equation is solved for, and for all of them
_CLOSE = 1e-6
_LEAST_VALUE, _MOST_VALUE = 0.3, 2.5


class _UnreadableError(Exception):
    """The text is no formula that this grammar knows."""


Node = tuple[str, tuple["Node", ...], str | float]  # what to do, with what, and a name or a number
Values = Mapping[str, float]

_FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "ln": math.log, "log": math.log10, "sqrt": math.sqrt, "abs": abs,
    "arcsin": math.asin, "arccos": math.acos, "arctan": math.atan, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "cot": lambda x: 1 / math.tan(x),
}  # fmt: skip
_GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau phi varphi chi psi "
        "omega Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega".split(),
        "αβγδεεζηθικλμνξρστφφχψωΓΔΘΛΞΣΦΨΩ",
        strict=True,
    )
)
_SIGNS = str.maketrans({
    "·": "*", "⋅": "*", "∙": "*", "×": "*", "∗": "*", "÷": "/", "∕": "/", "⁄": "/", "−": "-", "–": "-", "ϕ": "φ", "ϵ": "ε",
    "[": "(", "]": ")", "{": "(", "}": ")",
})  # fmt: skip
_COMMANDS = (
    (re.compile(r"\\(?:left|right|displaystyle|,|;|:|!|quad|qquad)(?![A-Za-z])|\\ |\$|~"), " "),
    (re.compile(r"\\(?:cdot|times|ast)(?![A-Za-z])"), "*"),
    (re.compile(r"\\(?:text|mathrm|mathbf|mathit|vec|operatorname)\s*\{([^{}]*)\}"), r" \1"),
    (re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"((\1)/(\2))"),
    (re.compile(r"\\[dt]?frac\s*(\d)\s*(\d)"), r"(\1/\2)"),
    (re.compile(r"\\sqrt\s*\{([^{}]*)\}"), r" sqrt(\1)"),
    (re.compile(r"\^\s*\{([^{}]*)\}"), r"^(\1)"),
    (re.compile(r"_\s*\{([^{}]*)\}"), r"_(\1)"),
)
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_VULGAR = re.compile(r"[¼½¾⅐-⅞]")
_LEAD = re.compile(r"^(?:[A-Za-z']{2,}[\s:]+)+(?=[^\s=]{1,12}\s*=)")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?|\.\d+)|(?P<name>(?:[Δ∆]\s?)?[A-Za-zα-ωΓΘΛΞΣΦΨΩℓħ]+)(?P<index>'*(?:_\s*(?:\([^()]{1,20}\)|[A-Za-z0-9]+)|\d+)?)"
    r"|(?P<root>√)|(?P<raise>\*\*|\^)|(?P<sign>[-+*/()!|=]))"
)
_JOINED = re.compile(r"[\w)]\s*(?<!\^)[-+*/]\s*[\w(]|√|sqrt|[α-ω]")
_WORDY = 4  # letters from which a run is a word: 'mgh' is a product, 'mass' is none


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    """A formula: an equation has two sides, an expression one."""

    sides: tuple[Node, ...]
    names: frozenset[str]


def is_formula(text: str) -> bool:
    """Whether a key reads as a formula: an equation in letters, or an expression that joins letters by a sign."""
    plain = _plain(text)
    statements = _readings(text, words=())
    if not statements or not statements[0].names or _words(text):
        return False
    is_joined = bool(_JOINED.search(plain) and re.search(r"[\^√\d]|sqrt|[α-ω]", plain))
    is_measured = bool(re.search(r"\d\.\d", plain))
    signs = plain.count("=")
    return signs == 1 or ((signs > 1 or is_joined) and not is_measured)


def grade_formula(answer: str, references: Sequence[str], _options: Sequence[str]) -> Grade | None:
    """Whether an answer is the expected formula in other letters' order; None where the key or the answer is no formula."""
    words = {word for reference in references for word in _words(reference)}
    keys = [key for reference in references for key in _readings(reference, words=words)]
    given = _readings(answer, words=words)
    if not keys:
        return None
    if not given:
        return wrong("I cannot read that as a formula.", confident=False)
    pairs = list(product(given, keys))
    if any(_are_same(one, other) for one, other in pairs):
        return right("The formula is right.")
    if any(_are_same(_small(one), _small(other)) for one, other in pairs if _is_smallable(other)):
        return right("The formula is right.")
    missing = _missing(given[0], keys[0])
    return wrong(f"The formula is not right: {missing}." if missing else "The formula is not right.")


def _missing(given: _Statement, key: _Statement) -> str:
    foreign = sorted(given.names - key.names)
    if len(foreign) == 1:
        return f"{foreign[0]} does not belong in it"
    return "something that it depends on is left out" if given.names < key.names else ""


# Reading


def _plain(text: str) -> str:
    """One way to write what a formula is made of."""
    text = _VULGAR.sub(
        lambda found: f"({normalize('NFKC', found[0]).replace('⁄', '/')})", text[:_MOST_CHARACTERS]
    )
    text = RAISED_RUN.sub(lambda found: f"^({unraised(found[0])})", text)
    for _ in range(_DEEPEST):
        before = text
        for pattern, kept in _COMMANDS:
            text = pattern.sub(kept, text)
        if text == before:
            break
    text = normalize("NFKC", _COMMAND.sub(r" \1", text)).translate(_SIGNS).strip(" .,;:!?`*\n")
    return _LEAD.sub("", text)


def _without_functions(plain: str) -> str:
    return re.sub(
        rf"\b(?:{'|'.join([*_FUNCTIONS, *_GREEK, 'pi', 'exp'])})",
        " ",
        re.sub(r"_\s*(?:\([^()]*\)|\w+)", " ", plain),
    )


def _words(text: str) -> list[str]:
    return re.findall(rf"[A-Za-z]{{{_WORDY},}}", _without_functions(_plain(text)))


def _readings(text: str, *, words: Collection[str]) -> list[_Statement]:
    """The ways to read a text as a formula: in 1/2m the m stands beside or below; none where it is no formula."""
    plain = _plain(text)
    found: list[_Statement] = []
    for is_tight in (False, True):
        try:
            sides = tuple(_Parser(side, words=words, is_tight=is_tight).whole() for side in plain.split("="))
        except (_UnreadableError, RecursionError):
            continue
        # Of 'F = ma = 6' the first and the last side say it.
        ends = (sides[0], sides[-1]) if len(sides) > 1 else sides
        statement = _Statement(sides=ends, names=frozenset(name for side in ends for name in _names(side)))
        if statement not in found:
            found.append(statement)
    return found


class _Parser:
    """A Pratt parser of sums, products, powers, roots and functions, with or without a sign for a product."""

    def __init__(self, text: str, *, words: Collection[str], is_tight: bool) -> None:
        self._tokens = list(_tokens(text, words=words))
        self._at = self._depth = 0
        self._is_tight = is_tight

    def whole(self) -> Node:
        node = self._expression(0)
        if self._at < len(self._tokens):
            raise _UnreadableError
        return node

    def _peek(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _next(self) -> _Token:
        token = self._peek()
        if token is None:
            raise _UnreadableError
        self._at += 1
        return token

    def _expression(self, power: int) -> Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _UnreadableError
        left = self._operand()
        while (token := self._peek()) and (strength := self._strength(token)) > power:
            if token.kind == "raise":
                self._next()
                left = ("^", (left, self._expression(strength - 1)), "")
            elif token.text in ("+", "-", "*", "/") and token.kind == "sign":
                self._next()
                left = (token.text, (left, self._expression(strength)), "")
            else:
                left = ("*", (left, self._expression(strength)), "")
        self._depth -= 1
        return left

    def _strength(self, token: _Token) -> int:
        if token.kind == "raise":
            return 50
        if token.kind == "sign":
            beside = 30 if self._is_tight else 20
            return {"+": 10, "-": 10, "*": 20, "/": 20, "(": beside}.get(token.text, 0)
        return 30 if self._is_tight else 20

    def _operand(self) -> Node:
        token = self._next()
        match token.kind:
            case "number":
                return ("number", (), float(token.text))
            case "name":
                return ("number", (), math.pi) if token.text in ("π", "pi") else ("name", (), token.text)
            case "function":
                return self._function(token.text)
            case "root":
                return ("call", (self._expression(40),), "sqrt")
        match token.text:
            case "-":
                return ("-", (("number", (), 0.0), self._expression(20)), "")
            case "+":
                return self._expression(20)
            case "(" | "|":
                inside = self._expression(0)
                if self._next().text != {"(": ")", "|": "|"}[token.text]:
                    raise _UnreadableError
                return inside if token.text == "(" else ("call", (inside,), "abs")
        raise _UnreadableError

    def _function(self, name: str) -> Node:
        """'sin 2θ', 'sin²θ', 'ln(x)'."""
        raised = None
        if (token := self._peek()) and token.kind == "raise":
            self._next()
            raised = self._operand()
        is_closed = (token := self._peek()) is not None and token.text == "("
        inside = self._operand() if is_closed else self._expression(25 if self._is_tight else 19)
        if name == "exp":
            return ("^", (("name", (), "e"), inside), "")
        called: Node = ("call", (inside,), name)
        return ("^", (called, raised), "") if raised else called


def _tokens(text: str, *, words: Collection[str]) -> Iterator[_Token]:
    at = count = 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        count += 1
        if not found or count > _MOST_TOKENS:
            raise _UnreadableError
        at = found.end()
        if found["name"]:
            yield from _named(found["name"].replace(" ", ""), _index(found["index"]), words=words)
        else:
            kind = next(name for name in ("number", "root", "raise", "sign") if found[name])
            yield _Token(kind, found[kind])


def _index(written: str) -> str:
    index = re.sub(r"[\s()_]", "", written)
    return f"_{index}" if index else ""


def _named(run: str, index: str, *, words: Collection[str]) -> Iterator[_Token]:
    """A run of letters: a word of the key, a function, a Greek letter, or a product of letters."""
    rest = run
    while rest:
        if rest in words:
            yield _Token("name", rest + index)
            return
        function = next((name for name in ("exp", *_FUNCTIONS, "pi", *_GREEK) if rest.startswith(name)), "")
        change = rest[0] in "Δ∆" and len(rest) > 1
        if function in _GREEK and function != rest and len(function) < _WORDY:
            function = ""  # 'mu' may be m·u, but 'eta' in 'beta' is none
        taken = function or rest[: 2 if change else 1]
        is_last = len(taken) == len(rest)
        if function and function not in _GREEK and function != "pi":
            yield _Token("function", function)
        else:
            yield _Token("name", _GREEK.get(taken, taken) + (index if is_last else ""))
        rest = rest[len(taken) :]
        if len(rest) >= _WORDY and not any(
            rest.startswith(each) for each in (*_FUNCTIONS, *_GREEK, "exp", "pi")
        ):
            raise _UnreadableError  # a word of everyday language


# Comparing


def _names(node: Node) -> Iterator[str]:
    kind, parts, said = node
    if kind == "name":
        yield str(said)
    for part in parts:
        yield from _names(part)


def _value(node: Node, values: Values) -> float:
    kind, parts, said = node
    if kind == "number":
        return float(said)
    if kind == "name":
        return values[str(said)]
    if kind == "call":
        return _FUNCTIONS[str(said)](_value(parts[0], values))
    left, other = (_value(part, values) for part in parts)
    match kind:
        case "+":
            return left + other
        case "-":
            return left - other
        case "*":
            return left * other
        case "/":
            return left / other
    result = left**other
    if isinstance(result, complex):
        raise ValueError("a root of a negative number")
    return float(result)


def _value_or_none(node: Node, values: Values) -> float | None:
    try:
        value = _value(node, values)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def _points(names: Collection[str]) -> Iterator[dict[str, float]]:
    """The same points every time: a mark must not be a matter of luck."""
    chance = random.Random(7)
    for _ in range(_POINTS):
        yield {name: chance.uniform(_LEAST_VALUE, _MOST_VALUE) for name in sorted(names)}


def _are_same(one: _Statement, other: _Statement) -> bool:
    if len(one.sides) == len(other.sides) == 2:
        return one.names == other.names and _solve_each_other(one, other)
    # 'ma' for 'F = ma', or 'F = ma' for 'ma': the quantity that is asked for is in the question.
    first, second = (
        each.sides[-1] if len(each.sides) == 1 or _is_name(each.sides[0]) else None for each in (one, other)
    )
    return first is not None and second is not None and _agree(first, second)


def _is_name(node: Node) -> bool:
    return node[0] == "name"


def _agree(one: Node, other: Node) -> bool:
    """Whether two expressions have the same value wherever both have one."""
    seen = 0
    for values in _points({*_names(one), *_names(other)}):
        first, second = _value_or_none(one, values), _value_or_none(other, values)
        if first is None or second is None:
            continue
        if not math.isclose(first, second, rel_tol=_CLOSE, abs_tol=1e-12):
            return False
        seen += 1
    return seen >= _FEWEST_POINTS


def _solve_each_other(one: _Statement, other: _Statement) -> bool:
    if _told_of(one) and _told_of(one) == _told_of(other):
        return _agree(one.sides[-1], other.sides[-1])
    return _solves(one, other) and _solves(other, one)


def _told_of(equation: _Statement) -> str:
    """The letter that an equation is solved for already; empty where it is not."""
    left, behind = equation.sides
    name = str(left[2]) if _is_name(left) else ""
    return name if name not in set(_names(behind)) else ""


def _solves(one: _Statement, other: _Statement) -> bool:
    """Whether what solves the one equation solves the other, for each of its letters."""
    seen = 0
    for name in sorted(one.names):
        roots = (
            {**values, name: root} for values in _points(one.names) for root in _roots(one, name, values)
        )
        for values in islice(roots, _PLACES):
            left, side = (_value_or_none(each, values) for each in other.sides)
            if left is None or side is None:
                continue
            if not math.isclose(left, side, rel_tol=1e-4, abs_tol=1e-7):
                return False
            seen += 1
    return seen >= _FEWEST_ROOTS


def _roots(equation: _Statement, name: str, values: Values) -> Iterator[float]:
    """Where the sides meet as one letter grows: found by halving wherever their difference changes its sign."""

    def off(at: float) -> float | None:
        left, side = (_value_or_none(each, {**values, name: at}) for each in equation.sides)
        return None if left is None or side is None else left - side

    places = [0.01 * 1.25**step for step in range(52)]
    before: tuple[float, float] | None = None
    for place in places:
        here = off(place)
        if here is None:
            before = None
            continue
        if before is not None and before[1] * here < 0:
            low, high = before[0], place
            for _ in range(60):
                middle = (low + high) / 2
                value = off(middle)
                if value is None:
                    break
                low, high = (middle, high) if value * before[1] > 0 else (low, middle)
            difference = off((low + high) / 2)
            if difference is not None and abs(difference) < _CLOSE * (1 + abs(here) + abs(before[1])):
                yield (low + high) / 2
        before = (place, here)


def _is_smallable(statement: _Statement) -> bool:
    """Whether its letters stay apart when all are small."""
    return len({name.lower() for name in statement.names}) == len(statement.names)


def _small(statement: _Statement) -> _Statement:
    def small(node: Node) -> Node:
        kind, parts, said = node
        return (kind, tuple(map(small, parts)), str(said).lower() if kind == "name" else said)

    return _Statement(
        sides=tuple(map(small, statement.sides)), names=frozenset(name.lower() for name in statement.names)
    )
