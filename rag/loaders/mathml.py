"""MathML as LaTeX: the form that formulas have in a section's text.

What `latex2mathml` reads back draws the same formula (python -m evals lessons converts a whole book there and back).
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from xml.etree.ElementTree import Element

from latex2mathml.symbols_parser import SYMBOLS

_MAX_DEPTH = 60
_PLAIN_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_INVISIBLE = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff]")
_TALL = frozenset({"mfrac", "mtable", "munderover", "msqrt", "mroot"})
_BRACKETS = frozenset("()[]{}|")
_CLOSING = {"(": ")", "[": "]", "{": "}", "|": "|"}
_ALIGNED = {"left": "l", "right": "r", "center": "c"}
# Names whose signs mean something in LaTeX, and the minus that many books set as a dash.
_SIGNS = {
    "−": "-",
    "–": "-",
    "<": r"\lt ",
    ">": r"\gt ",
    "|": r"\vert ",
    "‖": r"\Vert ",
    "{": r"\{",
    "}": r"\}",
    "\\": r"\backslash ",
    "%": r"\%",
    "#": r"\#",
    "&": r"\&",
    "$": r"\$",
    "_": r"\_",
    "⟶": r"\longrightarrow ",
    "→": r"\rightarrow ",
    "⇌": r"\rightleftharpoons ",
    "×": r"\times ",
    "·": r"\cdot ",
    "…": r"\ldots ",
}
_ACCENTS = {
    "^": "hat",
    "ˆ": "hat",
    "→": "vec",
    "⃗": "vec",
    "~": "tilde",
    "˜": "tilde",
    "¯": "bar",
    "‾": "bar",
    "˙": "dot",
    "¨": "ddot",
}
_NOT_A_SIGN = frozenset("'\"`*:/;,.!?+=()[]-")


def latex_of(node: Element, *, depth: int = 0) -> str:
    """One element of a formula, with all that is in it."""
    name = name_of(node)
    if depth > _MAX_DEPTH:
        return _said("".join(node.itertext()))
    render = _ELEMENTS.get(name)
    if render:
        return render(node, depth + 1)
    if name in _LEAVES or not len(node):
        return _LEAVES.get(name, _said)(_text(node))
    return _row(list(node), depth)


def name_of(node: Element) -> str:
    """The element's name without its namespace."""
    return node.tag.rpartition("}")[2]


def _text(node: Element) -> str:
    return " ".join(_INVISIBLE.sub("", "".join(node.itertext())).split())


def _row(nodes: Sequence[Element], depth: int) -> str:
    """Elements one after the other; brackets grow with what is tall between them."""
    partner = _tall_brackets(nodes)
    parts: list[str] = []
    for place, node in enumerate(nodes):
        if name_of(node) == "mspace":
            parts.append(_space(node, beside=(*nodes[place - 1 : place], *nodes[place + 1 : place + 2])))
        elif place in partner:
            parts.append(f"{partner[place]}{_sign(_text(node)).strip()}")
        else:
            parts.append(latex_of(node, depth=depth))
    return _joined(parts)


def _joined(parts: Sequence[str]) -> str:
    """A space only where a name of letters would run into the next letter."""
    text = ""
    for part in parts:
        runs_on = (
            text[-1:].isalnum() and part[:1].isalnum() and not (text[-1].isdigit() and part[0].isalpha())
        )
        name_runs_on = re.search(r"\\[A-Za-z]+\Z", text) and part[:1].isalpha()
        # "2 in" would be read as a length.
        length = text[-1:].isdigit() and part[:1].isalpha()
        text += (" " if text and (runs_on or name_runs_on or length) else "") + part
    return text


def _tall_brackets(nodes: Sequence[Element]) -> dict[int, str]:
    found: dict[int, str] = {}
    opened: list[tuple[int, str]] = []
    for place, node in enumerate(nodes):
        sign = _text(node) if name_of(node) == "mo" else ""
        if opened and sign == _CLOSING[opened[-1][1]]:
            start = opened.pop()[0]
            if any(name_of(each) in _TALL for inner in nodes[start:place] for each in inner.iter()):
                found |= {start: r"\left", place: r"\right"}
        elif sign in _CLOSING and node.get("stretchy") != "false":
            opened.append((place, sign))
    return found


def _space(node: Element, *, beside: Sequence[Element]) -> str:
    """Operators and fractions have their own room; elsewhere the author's gap is one."""
    width = re.match(r"\d*\.?\d+", node.get("width", ""))
    if width and float(width[0]) >= 1:
        return r"\quad "
    return "" if any(map(_has_room, beside)) else r"\,"


def _has_room(node: Element) -> bool:
    return name_of(node) == "mspace" or (name_of(node) == "mo" and _text(node) not in _BRACKETS)


def _script(node: Element, depth: int) -> str:
    base, *scripts = [*_inner(node, depth), ""][: max(len(node), 1)]
    marks = {"msub": "_", "msup": "^", "msubsup": "_^"}[name_of(node)]
    written = "".join(f"{mark}{{{script}}}" for mark, script in zip(marks, scripts, strict=False))
    # What some books put into the element by mistake follows it.
    return _joined([_base(base) + written, *scripts[len(marks) :]])


def _base(text: str) -> str:
    """What a script is put on: one letter, one number or one group."""
    return text if re.fullmatch(r"[A-Za-z0-9]|\\(?:text|mathbf)\{[^{}]*\}", text) else f"{{{text}}}"


def _fraction(node: Element, depth: int) -> str:
    above, below = [*_inner(node, depth), "", ""][:2]
    return rf"\frac{{{above}}}{{{below}}}"


def _root(node: Element, depth: int) -> str:
    if name_of(node) == "msqrt":
        return rf"\sqrt{{{_row(list(node), depth)}}}"
    base, degree = [*_inner(node, depth), "", ""][:2]
    return rf"\sqrt[{degree}]{{{base}}}"


def _above_or_below(node: Element, depth: int) -> str:
    base, *marks = [*_inner(node, depth), ""][: max(len(node), 1)]
    if name_of(node) == "mover" and len(node) == 2 and (accent := _ACCENTS.get(_text(node[1]))):
        return rf"\{accent}{{{base}}}"
    commands = {"mover": ("overset",), "munder": ("underset",), "munderover": ("underset", "overset")}
    text = base
    for command, mark in reversed([*zip(commands[name_of(node)], marks, strict=False)]):
        text = rf"\{command}{{{mark}}}{{{text}}}"
    return text


def _prescripts(node: Element, depth: int) -> str:
    """Letters around a base: those behind <mprescripts> stand before it."""
    children = list(node)
    names = [name_of(each) for each in children]
    middle = names.index("mprescripts") if "mprescripts" in names else len(children)
    behind, before = children[1:middle], children[middle + 1 :]
    base = latex_of(children[0], depth=depth) if children else ""
    return f"{_pairs(before, depth, on='{}')}{_pairs(behind, depth, on=f'{{{base}}}') or base}"


def _pairs(nodes: Sequence[Element], depth: int, *, on: str) -> str:
    parts: list[str] = []
    for below, above in zip(nodes[::2], [*nodes[1::2], *nodes[:0]], strict=False):
        scripts = [("_", latex_of(below, depth=depth)), ("^", latex_of(above, depth=depth))]
        parts.append(
            (on if not parts else "{}") + "".join(f"{mark}{{{text}}}" for mark, text in scripts if text)
        )
    return "".join(parts)


def _fenced(node: Element, depth: int) -> str:
    opening, closing = node.get("open", "("), node.get("close", ")")
    separators = node.get("separators", ",").split() or [""]
    inner = _inner(node, depth)
    text = ""
    for place, part in enumerate(inner):
        text += (_sign(separators[min(place - 1, len(separators) - 1)]) if place else "") + part
    return rf"\left{_sign(opening).strip() or '.'}{text}\right{_sign(closing).strip() or '.'}"


def _table(node: Element, depth: int) -> str:
    rows = [row for row in node if name_of(row) in ("mtr", "mlabeledtr")]
    cells = [list(row)[name_of(row) == "mlabeledtr" :] for row in rows]
    width = max((len(row) for row in cells), default=0) or 1
    first = next((row for row in cells if len(row) == width), [])
    columns = "".join(_ALIGNED.get(_alignment(cell, node), "c") for cell in first) or "c"
    lines = ["&".join(_row(list(cell), depth) or "{}" for cell in row) or "{}" for row in cells]
    body = r" \\ ".join(lines)
    return rf"\begin{{array}}{{{columns}}}{body}\end{{array}}"


def _alignment(cell: Element, table: Element) -> str:
    return cell.get("columnalign") or (table.get("columnalign") or "").partition(" ")[0]


def _enclosed(node: Element, depth: int) -> str:
    inner, notation = _row(list(node), depth), node.get("notation", "")
    if "strike" in notation:
        return rf"\cancel{{{inner}}}"
    return rf"\boxed{{{inner}}}" if notation in ("box", "roundedbox") else inner


def _phantom(node: Element, depth: int) -> str:
    return rf"\phantom{{{_row(list(node), depth)}}}"


def _styled(node: Element, depth: int) -> str:
    return _row(list(node), depth)


def _semantics(node: Element, depth: int) -> str:
    shown = [each for each in node if not name_of(each).startswith("annotation")]
    return _row(shown[:1], depth)


def _inner(node: Element, depth: int) -> list[str]:
    return [latex_of(child, depth=depth) for child in node]


_ELEMENTS: dict[str, Callable[[Element, int], str]] = {
    **dict.fromkeys(("msub", "msup", "msubsup"), _script),
    **dict.fromkeys(("mover", "munder", "munderover"), _above_or_below),
    **dict.fromkeys(("msqrt", "mroot"), _root),
    "mfrac": _fraction,
    "mmultiscripts": _prescripts,
    "mfenced": _fenced,
    "mtable": _table,
    "menclose": _enclosed,
    "mphantom": _phantom,
    "semantics": _semantics,
    "mstyle": _styled,
}


def _identifier(text: str) -> str:
    if len(text) == 1:
        return text if text.isascii() and text.isalpha() else _sign(text)
    return rf"\{text}" if rf"\{text}" in _functions() else _said(text)


def _number(text: str) -> str:
    return text if _PLAIN_NUMBER.fullmatch(text) else _said(text)


def _operator(text: str) -> str:
    if len(text) <= 1:
        return _sign(text)
    return rf"\{text} " if rf"\{text}" in _functions() else _said(text)


def _sign(sign: str) -> str:
    """One sign as a command where LaTeX has one."""
    if sign in _SIGNS:
        return _SIGNS[sign]
    if len(sign) != 1 or sign.isascii():
        return sign if sign in _NOT_A_SIGN or sign.isalnum() else _said(sign)
    command = _commands().get(sign, "")
    return f"{command} " if command else sign


def _said(text: str) -> str:
    """Words in a formula: a number in front of a unit stays one, no sign of them means anything to LaTeX."""
    number = re.match(r"\d+(?:[.,]\d+)*(?=\s|\Z)", text)
    front, rest = (number[0], text[number.end() :]) if number else ("", text)
    parts = [front]
    for piece in re.split(r"([\\{}%$&])", rest):
        if piece in _SIGNS:
            parts.append(_SIGNS[piece])
        elif piece:
            parts.append(rf"\text{{{piece}}}")
    return "".join(parts)


_LEAVES: dict[str, Callable[[str], str]] = {
    "mi": _identifier,
    "mn": _number,
    "mo": _operator,
    "mtext": _said,
    "ms": _said,
}


@cache
def _functions() -> frozenset[str]:
    from latex2mathml.commands import FUNCTIONS

    return frozenset(FUNCTIONS)


@cache
def _commands() -> dict[str, str]:
    """The shortest command of letters for each sign beyond ASCII."""
    found: dict[str, str] = {}
    for command, code in SYMBOLS.items():
        sign = chr(int(code, 16)) if re.fullmatch(r"[0-9A-Fa-f]{4,6}", code) else ""
        if sign and not sign.isascii() and re.fullmatch(r"\\[A-Za-z]+", command):
            found[sign] = min(
                found.get(sign, command), command, key=lambda each: (len(each), each != each.lower(), each)
            )
    return found
