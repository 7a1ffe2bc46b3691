"""The running text of a web page: emphasis, code, formulas, line breaks."""

import re
from collections.abc import Iterable

from bs4.element import NavigableString, PageElement, Tag

from rag.loaders.mathml import exponent, math_text

_BOLD = frozenset({"b", "strong"})
_CODE = frozenset({"code", "kbd", "samp", "tt"})
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_SPACES_AT_BREAK = re.compile(r" *\n *")
_PERMALINK = re.compile(r"\s*[¶#§]$")


def line_text(nodes: Iterable[PageElement]) -> str:
    """Nodes that stand on one line, with a line end only where the page has <br>."""
    return _SPACES_AT_BREAK.sub("\n", re.sub(" {2,}", " ", _text(nodes))).strip()


def heading_text(tag: Tag) -> str:
    text = " ".join(_text(tag.children).replace("**", "").replace("`", "").split())
    return _PERMALINK.sub("", text)


def _text(nodes: Iterable[PageElement]) -> str:
    parts: list[str] = []
    for node in nodes:
        text = _inline(node)
        if getattr(node, "name", None) == "sup":
            text = exponent(text, base=parts[-1] if parts else "")
        if text:
            parts.append(text)
    return "".join(parts)


def _inline(node: PageElement) -> str:
    if type(node) is NavigableString:  # not a comment or a declaration, which are strings as well
        return _SPACES.sub(" ", node)
    if not isinstance(node, Tag):
        return ""
    if node.name == "br":
        return "\n"
    if node.name == "math":
        return math_text(str(node))
    if node.name in _CODE:
        return _code(node.get_text())
    text = _text(node.children)
    return _bold(text) if node.name in _BOLD else text


def _code(text: str) -> str:
    text = " ".join(text.split())
    mark = "``" if "`" in text else "`"
    return f"{mark}{text}{mark}" if text else ""


def _bold(text: str) -> str:
    words = text.strip()
    if not words or "**" in words:
        return text
    return text.replace(words, f"**{words}**")
