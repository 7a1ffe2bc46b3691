"""The elements of a web page as blocks of Markdown."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from textwrap import indent
from typing import TypeGuard

from bs4.element import PageElement, Tag

from rag.loaders.blocks import bold
from rag.loaders.htmlinline import heading_text, line_text
from rag.loaders.tables import pipe_table

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = re.compile(
    "^(?:h[1-6r]|address|article|blockquote|body|center|d[dltv]|div|details|fieldset|figcaption|figure|footer|header"
    "|html|li|main|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$"
)
_LIST_START = re.compile(r"- |\d+\. ")
_LANGUAGE = re.compile(r"\blang(?:uage)?-([\w+#-]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    level: int
    text: str


def blocks(node: Tag) -> Iterator[Heading | str]:
    """The headings and text blocks of an element, in reading order."""
    line: list[PageElement] = []
    for child in node.children:
        if not _is_block(child):
            line.append(child)
            continue
        yield from _paragraph(line)
        line = []
        yield from _block(child)
    yield from _paragraph(line)


def _block(tag: Tag) -> Iterator[Heading | str]:
    render = _RENDERERS.get(tag.name)
    if tag.name in _HEADINGS:
        yield Heading(level=_HEADINGS[tag.name], text=heading_text(tag))
    elif render:
        yield render(tag)
    else:
        yield from blocks(tag)


def _is_block(node: PageElement) -> TypeGuard[Tag]:
    # An inline element around blocks (a link around a card, say) counts as one of them.
    return isinstance(node, Tag) and (bool(_BLOCKS.match(node.name)) or node.find(_BLOCKS) is not None)


def _paragraph(line: list[PageElement]) -> Iterator[str]:
    text = line_text(line) if line else ""
    if text:
        yield text


def _texts(tag: Tag) -> list[str]:
    """The blocks of an element that cannot hold sections, its headings as plain lines."""
    found = (block.text if isinstance(block, Heading) else block for block in blocks(tag))
    return [text for text in found if text]


def _list(tag: Tag) -> str:
    lines: list[str] = []
    for child in tag.find_all(True, recursive=False):
        text = _item(child)
        marker = f"{len(lines) + 1}. " if tag.name == "ol" else "- "
        if text:
            lines.append(marker + indent(text, " " * len(marker)).lstrip())
    return "\n".join(lines)


def _item(tag: Tag) -> str:
    """What a list item holds; a list in it follows on the next line, anything else after a blank one."""
    text = ""
    for block in _texts(tag) if tag.name == "li" else _block(tag):
        block_text = block.text if isinstance(block, Heading) else block
        text += ("\n" if _LIST_START.match(block_text) else "\n\n") + block_text
    return text.strip()


def _definitions(tag: Tag) -> str:
    terms: list[str] = []
    entries: list[str] = []
    for child in tag.find_all(["dt", "dd"]):
        text = " ".join(_texts(child)) if child.name == "dt" else "\n\n".join(_texts(child))
        if child.name == "dt":
            terms.append(text)
        elif text:
            names = ", ".join(bold(term) for term in terms if term)
            entries.append(f"{names}: {text}" if names else text)
            terms.clear()
    return "\n\n".join(entries)


def _code(tag: Tag) -> str:
    for line_end in tag.find_all("br"):
        line_end.replace_with("\n")
    inner = tag.find("code")
    classes = " ".join(
        [*tag.get_attribute_list("class"), *(inner.get_attribute_list("class") if inner else [])]
    )
    language = _LANGUAGE.search(classes)
    code = tag.get_text().strip("\n")
    mark = "~~~" if "```" in code else "```"
    return f"{mark}{language[1] if language else ''}\n{code}\n{mark}" if code.strip() else ""


def _table(tag: Tag) -> str:
    rows = [
        row.find_all(["th", "td"], recursive=False)
        for row in tag.find_all("tr")
        if row.find_parent("table") is tag  # tables in cells have rows of their own
    ]
    if all(len(row) <= 1 for row in rows):  # it only lays out the page
        return "\n\n".join(text for row in rows for cell in row for text in _texts(cell))
    has_header = any(cell.name == "th" for cell in rows[0])
    table = pipe_table([[" ".join(_texts(cell)) for cell in row] for row in rows], has_header=has_header)
    caption = heading_text(tag.caption) if tag.caption else ""
    return f"{caption}\n\n{table}".strip()


_RENDERERS: dict[str, Callable[[Tag], str]] = {
    "ul": _list,
    "ol": _list,
    "dl": _definitions,
    "pre": _code,
    "table": _table,
}
