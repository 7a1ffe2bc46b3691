"""The elements of a web page as blocks of Markdown."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag.loaders.blocks import bold
from rag.loaders.mathml import exponent, math_text
from rag.loaders.tables import pipe_table

if TYPE_CHECKING:
    from bs4 import PageElement, Tag

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    "address article blockquote body center dd details div dl dt fieldset figcaption figure footer header "
    "hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
) | set(_HEADINGS)
_BOLD = frozenset({"b", "strong"})
_CODE = frozenset({"code", "kbd", "samp", "tt"})
_PERMALINK = re.compile(r"\s*[¶#§]$")
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_LANGUAGE = re.compile(r"lang(?:uage)?-([\w+#-]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    level: int
    text: str


def blocks(node: "Tag") -> Iterator[Heading | str]:
    """The headings and text blocks of an element, in reading order."""
    line: list[str] = []
    for child in node.children:
        if _is_block(child):
            yield from _paragraph(line)
            line = []
            yield from _block(child)
        else:
            line.append(_inline(child))
    yield from _paragraph(line)


def inline_text(node: "Tag") -> str:
    """All of an element's text on one line, without emphasis."""
    text = " ".join("".join(_inline(child) for child in node.children).split())
    return _PERMALINK.sub("", text.replace("**", ""))


def _block(tag: "Tag") -> Iterator[Heading | str]:
    render = _RENDERERS.get(tag.name)
    if tag.name in _HEADINGS:
        yield Heading(level=_HEADINGS[tag.name], text=inline_text(tag))
    elif render:
        yield render(tag)
    else:
        yield from blocks(tag)


def _is_block(node: "PageElement") -> "TypeIs[Tag]":
    from bs4 import Tag  # noqa: PLC0415 - already loaded whenever this runs

    # An inline element around blocks (a link around a card, say) counts as one of them.
    return isinstance(node, Tag) and (node.name in _BLOCKS or node.find(_BLOCKS) is not None)


def _paragraph(line: list[str]) -> Iterator[str]:
    text = "\n".join(part.strip() for part in _joined(line).split("\n")).strip()
    if text:
        yield text


def _joined(line: list[str]) -> str:
    # Spaces collapse across elements; only <br> and formulas bring their own line ends.
    return re.sub(r"[ \t]*\n[ \t]*", "\n", re.sub(r"[ \t]{2,}", " ", "".join(line)))
