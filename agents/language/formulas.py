"""Formulas as text: for a terminal, a heading, a search. 'v_0^2' in LaTeX is v₀² to read."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import unescape
from xml.etree.ElementTree import Element

_UP = dict(
    zip(
        "0123456789+-−–=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW°′*",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ°′*",
        strict=True,
    )
)
_DOWN = dict(
    zip("0123456789+-−–=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True)
)
# One character for one, so that places in a text stay what they are.
LEVEL = str.maketrans(
    {
        raised: plain
        for plain, raised in (*reversed(_UP.items()), *reversed(_DOWN.items()))
        if raised != plain and plain not in "−–()="
    }
)
_FRACTIONS = {
    ("1", "2"): "½",
    ("1", "3"): "⅓",
    ("2", "3"): "⅔",
    ("1", "4"): "¼",
    ("3", "4"): "¾",
    ("1", "5"): "⅕",
    ("1", "6"): "⅙",
    ("1", "8"): "⅛",
    ("3", "8"): "⅜",
    ("5", "8"): "⅝",
    ("7", "8"): "⅞",
}
_ACCENTS = {
    "^": "\u0302",
    "→": "\u20d7",
    "~": "\u0303",
    "¯": "\u0304",
    "―": "\u0304",
    "˙": "\u0307",
    "¨": "\u0308",
}
_PLAIN_SIGNS = {
    "⟶": "→",
    "⟵": "←",
    "⟹": "⇒",
    "∗": "*",
    "⁄": "/",
    "∶": ":",
    "∼": "~",
    "⋅": "·",
    "∘": "°",
    "\u2061": "",
    "|": "|",
}
_SPACED = frozenset("=≠<>≤≥≈≡~≅∝+−±∓×÷→←⇌⇒⇔↔∈∉⊂⊆⊃∪∩∧∨∣")
_SIGNED = frozenset("+−±∓-")
_OPENING, _CLOSING = "([{⟨", ")]}⟩,;:.!%°′"
_MOST_FORMULA = 4000  # characters; the reader's time grows with nesting
_MAX_DEPTH = 40

# Code is no formula, and neither are two prices.
_FORMULA = re.compile(
    r"(?P<code>^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=fence)[^\n]*$|\Z)|(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`))"
    r"|\$\$(?P<block>(?:[^$\\]|\\.)+?)\$\$"
    r"|(?<![\\$\w])\$(?![\s$])(?P<line>(?:[^$\\\n`]|\\[^\n])+?)(?<![\s\\])\$(?![\d$])"
    r"|\\\((?P<round>(?:[^\\]|\\[^)(]){1,2000}?)\\\)|\\\[(?P<square>(?:[^\\]|\\[^\]\[]){1,2000}?)\\\]",
    re.MULTILINE | re.DOTALL,
)


def readable_formulas(text: str) -> str:
    """A text with its formulas as text; its code stays as it is."""
    if "$" not in text and "\\" not in text:
        return text
    return _FORMULA.sub(lambda found: found[0] if found["code"] else formula_text(_inside(found)), text)


def formulas_and_code(text: str) -> list[tuple[int, int]]:
    """Where formulas and code stand in a text."""
    return [found.span() for found in _FORMULA.finditer(text)]


def _inside(found: re.Match[str]) -> str:
    return found["block"] or found["line"] or found["round"] or found["square"]


@lru_cache(maxsize=8192)
def formula_text(latex: str) -> str:
    """One formula on one line; what cannot be read stays as it was written."""
    from latex2mathml.converter import convert_to_element

    plain = " ".join(latex.split())
    if len(plain) > _MOST_FORMULA:
        return plain
    try:
        tree = convert_to_element(plain)
    except Exception:  # the converter has no error of its own for what it does not know
        return plain
    return re.sub(" {2,}", " ", _text(tree, depth=0)).strip()


def raised(text: str, *, base: str = "") -> str:
    """A superscript as text: 10⁴, Ca²⁺; 1st stays what it is."""
    plain = _unstressed(text)
    if not plain or (base[-1:].isdigit() and re.fullmatch("st|nd|rd|th", plain)):
        return text
    return _script(plain, _UP, mark="^") + (" " if text.endswith(" ") else "")


def lowered(text: str) -> str:
    """A subscript as text: H₂O."""
    plain = _unstressed(text)
    return (_script(plain, _DOWN, mark="_") if plain else text) + (" " if text.endswith(" ") else "")


def _unstressed(text: str) -> str:
    """Without the marks of italics: a star alone is one."""
    return text.strip().replace("*", "").strip("_ ") or text.strip()


def _script(text: str, signs: dict[str, str], *, mark: str) -> str:
    text = text.strip()
    if not text:
        return ""
    compact = text.replace(" ", "")
    if all(sign in signs for sign in compact):
        return "".join(signs[sign] for sign in compact)
    return f"{mark}{text}" if len(text) == 1 else f"{mark}({text})"


def _text(node: Element, *, depth: int) -> str:
    name = node.tag
    if depth > _MAX_DEPTH:
        return unescape("".join(node.itertext()))
    if name in ("mi", "mn", "mo", "mtext", "ms"):
        return _leaf(node)
    if name == "mphantom":
        return ""
    if name == "mspace":
        return " "
    if name == "mtable":
        rows = ("".join(f"{_row([*cell], depth)} " for cell in row).strip() for row in node)
        return "; ".join(row for row in rows if row)
    compose = _COMPOSED.get(name)
    if compose and len(node) >= 2:
        return compose([_text(child, depth=depth + 1) for child in node])
    inner = _row([*node], depth)
    return f"√{_as_one(inner)}" if name == "msqrt" else inner


def _leaf(node: Element) -> str:
    text = unescape("".join(node.itertext())).replace("\xa0", " ")
    return _PLAIN_SIGNS.get(text, text)


def _row(nodes: Sequence[Element], depth: int) -> str:
    """Elements side by side: room around operators, none behind a sign."""
    text = ""
    for place, node in enumerate(nodes):
        part = _text(node, depth=depth + 1)
        if part in _SPACED:
            is_sign = part in _SIGNED and (
                not text.strip() or text.rstrip()[-1] in (*_SPACED, *_OPENING, ",")
            )
            text = text + part if is_sign else f"{text.rstrip()} {part} "
        elif part == ",":
            text = f"{text.rstrip()}, "
        else:
            follows = nodes[place + 1] if place + 1 < len(nodes) else None
            is_factor = _is_division(node) and "/" in part
            part = f"({part})" if is_factor and (_runs_on(text) or _is_factor(follows)) else part
            gap = " " if _is_name(node) and _runs_on(text) else ""
            after = " " if _is_name(node) and _is_operand(follows) and not _is_bracket(follows) else ""
            text += f"{gap}{part}{after}"
    return text


def _is_division(node: Element) -> bool:
    return node.tag == "mfrac" or (len(node) == 1 and node.tag == "mrow" and _is_division(node[0]))


def _runs_on(text: str) -> bool:
    return bool(text) and (text[-1].isalnum() or text[-1] == ")")


def _is_operand(node: Element | None) -> bool:
    if node is None or node.tag == "mspace":
        return False
    first = "".join(node.itertext())[:1]
    return node.tag != "mo" and (node.tag != "mtext" or first not in ("&", " ", "\xa0")) and bool(first)


def _is_factor(node: Element | None) -> bool:
    return _is_operand(node) or (_is_bracket(node) and node is not None and _leaf(node)[:1] != "")


def _is_bracket(node: Element | None) -> bool:
    return node is not None and _leaf(node)[:1] in (*_OPENING, "")


def _is_name(node: Element) -> bool:
    """'sin', 'log': a function by its name."""
    return node.tag in ("mi", "mo") and len(_leaf(node)) > 1 and _leaf(node).isalpha()


def _as_one(text: str) -> str:
    """Brackets around what is not one thing."""
    text = text.strip()
    is_one = re.fullmatch(r"[\w.,°′₀-₉⁰-⁹]*|\([^()]*\)", text) is not None
    return text if is_one else f"({text})"


def _fraction(parts: Sequence[str]) -> str:
    above, below = parts[0].strip(), parts[1].strip()
    return _FRACTIONS.get((above, below)) or f"{_as_one(above)}/{_as_one(below)}"


def _sub(parts: Sequence[str]) -> str:
    return parts[0] + _script(parts[1], _DOWN, mark="_")


def _sup(parts: Sequence[str]) -> str:
    return _based(parts[0]) + _script(parts[1], _UP, mark="^")


def _both(parts: Sequence[str]) -> str:
    below, above = _script(parts[1], _DOWN, mark="_"), _script(parts[2], _UP, mark="^")
    # In front of a nucleus the upper number comes first.
    return f"{parts[0]}{below}{above}" if parts[0] else f"{above}{below}"


def _based(text: str) -> str:
    return f"({text})" if re.search(r"[ /]", text.strip()) and not text.endswith(")") else text


def _over(parts: Sequence[str]) -> str:
    accent = _ACCENTS.get(parts[1].strip())
    if accent:
        return parts[0] + accent if len(parts[0]) == 1 else parts[0]
    return f"{parts[0]}({parts[1].strip()})" if parts[1].strip() else parts[0]


def _root(parts: Sequence[str]) -> str:
    sign = {"3": "∛", "4": "∜"}.get(parts[1].strip()) or f"{_script(parts[1], _UP, mark='^')}√"
    return f"{sign}{_as_one(parts[0])}"


def _under(parts: Sequence[str]) -> str:
    if parts[1].strip() in ("―", "_", "¯", ""):
        return parts[0]
    return f"{parts[0]}_({parts[1].strip()})"


def _under_and_over(parts: Sequence[str]) -> str:
    return f"{_under(parts)}^({parts[2].strip()})" if len(parts) > 2 else _under(parts)


_COMPOSED: dict[str, Callable[[Sequence[str]], str]] = {
    "mfrac": _fraction,
    "msub": _sub,
    "msup": _sup,
    "msubsup": _both,
    "mroot": _root,
    "mover": _over,
    "munder": _under,
    "munderover": _under_and_over,
}
