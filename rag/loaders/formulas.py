"""Formulas of a page in the one form that sections have: LaTeX, `$…$` in a sentence and `$$…$$` on its own.

A source's line breaks say little: converters set every formula on a line of its own, in the middle of sentences too.
What is around it says whether the sentence goes on.
"""

import re
from collections.abc import Callable
from html import unescape
from xml.etree import ElementTree

from rag.loaders.mathml import latex_of, name_of

_ANY_TAG = re.compile(r"<[^<>]*>")
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z]\w*;")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)")
_TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms"})
_STOP_INSIDE = re.compile(
    r"(?:\\text\{(?P<said>[)\].,;:?])\}|(?<!\\left)(?<!\\right)(?<!\\)(?P<set>[)\].,;:?]))\Z"
)
_LEAF = re.compile(r"[^\s\\{}$`*_|]+")

_MATHML = re.compile(r"<math\b(?:(?!<math\b).)*?</math\s*>", re.DOTALL | re.IGNORECASE)
_EQUATION = re.compile(
    r"""<div\b[^<>]*\bdata-type=["']equation["'][^<>]*>(?P<inside>(?:(?!</?div\b).)*?)</div\s*>""", re.DOTALL
)
# kramdown's way to write <br>: a rule with an attribute.
_LINE_BREAK = re.compile(r"\* \* \*[ \t]*\n[ \t]*\{:[^{}\n]*\bnewline\b[^{}\n]*\}\s*")
_NEAR = 300  # characters of what is around a formula
_BREAK = "\u2028"
_GAP = re.compile(r"[ \t]*\n(?:[ \t]*\n)+(?P<indent>[ \t]*)(?=\S)")
_INDENT = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?")
_NEW_BLOCK = re.compile(
    r"[-*+] |\d{1,3}[.)][ \t]|#{1,6} |\||\{:|!\[|:::|</?(?!math\b|su[bp]\b|em\b|strong\b|b\b|i\b)\w|\ue000|"
    + _BREAK
)
_GOES_ON = re.compile(r"[a-zß-öø-ÿ]|[.,;:!?)\]}%=+·…’”–—−-]")
# A stop, or the mark that ends bold words.
_STUCK_ON = re.compile(r"[.,;:!?)\]}%’”]|\*{1,3}(?=[{\s.,;:)]|\Z)")
# A sign with nothing behind it waits for what it belongs to.
_OPEN_END = re.compile(
    r"(?:[=+×÷±<>≤≥≈→⇌⟶←-]|\\(?:times|cdot|longrightarrow|rightarrow|rightleftharpoons|approx|leq?|geq?|pm) ?)\$?\Z"
)
_BOX_OPENS = re.compile(r"<(?:div|p|section|blockquote|figure)\b[^<>]*>\s*\Z")
_ENDS_HERE = re.compile(r"[ \t]*(?:\n|</|\Z)")
_IN_TEXT_BEFORE = re.compile(r"[^\s>}][ \t]*\n[ \t]*\Z")


def math_text(markup: str) -> str:
    """One <math> element as LaTeX between dollar signs; a single sign or word needs none, broken markup loses its tags."""
    try:
        # No document type can stand inside the element, so no entity can expand.
        root = ElementTree.fromstring(_ENTITY.sub("&amp;", _known_entities(markup)))
    except ElementTree.ParseError:
        return " ".join(_ANY_TAG.sub(" ", markup).split())
    source = next((node for node in root.iter() if name_of(node) == "annotation" and _is_tex(node)), None)
    if source is not None and source.text:
        return as_formula(source.text)
    said = " ".join("".join(root.itertext()).split())
    leaves = [node for node in root.iter() if name_of(node) in _TOKENS]
    is_word = len(leaves) == 1 and name_of(leaves[0]) != "mi" and _LEAF.fullmatch(said)
    if is_word or not leaves:
        return said
    return _stops_behind(as_formula(latex_of(root)))


def _stops_behind(formula: str) -> str:
    """Stops and brackets of the sentence, which some books set in the formula, stand behind it."""
    kept, stops = formula.strip("$"), ""
    while (found := _STOP_INSIDE.search(kept)) and (sign := found["said"] or found["set"]):
        before = kept[: found.start()].rstrip()
        closes = sign in ")]" and before.count("(") + before.count("[") > before.count(")") + before.count(
            "]"
        )
        if closes or not before:  # what was opened in the formula
            break
        kept, stops = before, sign + stops
    return f"${kept}${stops}" if kept else formula


def as_formula(latex: str, *, is_block: bool = False) -> str:
    """LaTeX as it stands in a section: on one line, and no sign in it that would end a table's cell."""
    latex = " ".join(latex.replace(r"\|", r"\Vert ").replace("|", r"\vert ").split()).strip("$ ")
    mark = "$$" if is_block else "$"
    return f"{mark}{latex}{mark}" if latex else ""


def as_block(formula: str) -> str:
    """A formula that stands on its own, with the stop behind it."""
    found = re.fullmatch(r"\$(.+)\$([^$]*)", formula)
    return f"$${found[1]}{found[2]}$$" if found else formula


def _known_entities(markup: str) -> str:
    """XML knows five entities by name, pages use hundreds."""
    return _NAMED.sub(lambda found: unescape(found[0]), markup)


def _is_tex(node: ElementTree.Element) -> bool:
    return "tex" in (node.get("encoding") or "").lower()


def formulas_in_place(text: str, *, hide: Callable[[str], str]) -> str:
    """MathML in Markdown as hidden LaTeX, inside its sentence where there is one around it."""
    if "<math" not in text:
        return _LINE_BREAK.sub(_line_end, text)
    text = _LINE_BREAK.sub(f"\n\n{_BREAK}\n\n", text)
    text = _EQUATION.sub(lambda div: _equation(div, hide=hide), text)
    parts: list[str] = []
    at = indent = 0
    goes_on = False  # the paragraph that the last formula stands in
    for found in _MATHML.finditer(text):
        before, after = text[at : found.start()], text[found.end() : found.end() + _NEAR]
        if not goes_on or "\n" in before:
            indent = _width(_line_before(text, found.start()))
        is_wrapped = bool(_IN_TEXT_BEFORE.search(text[max(0, found.start() - _NEAR) : found.start()]))
        opens = not (is_wrapped or (goes_on and not before.strip())) and _opens(text, found.start())
        formula = math_text(found[0])
        gap = _GAP.match(after)
        at = found.end()
        goes_on = gap is not None and _continues(
            after, gap=gap, formula=formula, indent=indent, opens=opens, is_wrapped=is_wrapped
        )
        if goes_on and gap:
            at += gap.end()
        if opens and not goes_on and (gap or _ENDS_HERE.match(after)):
            parts += [before.rstrip(" \t"), "\n\n", hide(as_block(formula)), "\n\n"]
            continue
        before = before.rstrip() + " " if is_wrapped else before
        parts += [before, " " if before[-1:].isalnum() and formula.startswith("$") else "", hide(formula)]
        parts.append(_room(text[at : at + 5], goes_on=goes_on))
    return "".join([*parts, text[at:]]).replace(_BREAK, "")


def _room(following: str, *, goes_on: bool) -> str:
    """What stands between a formula and the next sign: nothing before a stop."""
    if not following or _STUCK_ON.match(following) or following[0] in " \t\n|":
        return ""
    return "" if following.startswith("<") and not goes_on else " "


def _line_end(found: re.Match[str]) -> str:
    """A break inside a sentence is one of its spaces."""
    following = found.string[found.end() : found.end() + 1]
    return "\n" if following.islower() else "\n\n"


def _equation(div: re.Match[str], *, hide: Callable[[str], str]) -> str:
    """What its author set apart; several formulas in it stand one below the other."""
    formulas = [math_text(each) for each in _MATHML.findall(div["inside"])]
    rest = _MATHML.sub("", div["inside"])
    blocks = [hide(as_block(each)) for each in formulas if each]
    return "\n\n" + "\n\n".join([*blocks, rest.strip()] if blocks else [rest.strip()]) + "\n\n"


def _width(line: str) -> int:
    found = _INDENT.match(line)
    width = len(found[0]) if found else 0
    return width - width % 2 if line.startswith(" ") and width == 1 else width


def _line_before(text: str, at: int) -> str:
    """What stands before a place on its line, or the end of it."""
    near = text[max(0, at - _NEAR) : at]
    return near[near.rfind("\n") + 1 :]


def _opens(text: str, at: int) -> bool:
    """Whether nothing of its paragraph stands before a place; a table's cell, a list's item or a line of words does."""
    line = _line_before(text, at)
    return not line.strip() or bool(_BOX_OPENS.search(line))


def _continues(
    after: str, *, gap: re.Match[str], formula: str, indent: int, opens: bool, is_wrapped: bool
) -> bool:
    """Whether what stands below a formula belongs to its sentence."""
    rest = after[gap.end() :]
    if _OPEN_END.search(formula) and not opens and rest[:1].isdigit():
        return True
    if _NEW_BLOCK.match(rest):
        return False
    # The author's space survives in front of what followed the formula; inside a list everything is as far in.
    if len(gap["indent"]) == indent + 1 or (is_wrapped and len(gap["indent"]) == indent > 0):
        return True
    if opens and not rest.startswith("<math"):
        return bool(_STUCK_ON.match(rest)) and not rest.startswith(("(", "["))
    return bool(_GOES_ON.match(rest) or _STUCK_ON.match(rest) or _OPEN_END.search(formula))
