"""Word documents: heading styles as sections, lists, tables and bold text."""

import io
import re
from collections import Counter
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import docx
from docx.document import Document
from docx.table import Table
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from rag.loaders.document import (
    LoadedDocument,
    Outline,
    fenced,
    open_archive,
    pipe_table,
    read_bytes,
    reading,
    title_from_path,
)

_BROKEN = "cannot be read as a Word document; open it in Word and save it as .docx again"
_HEADING = re.compile(r"Heading (\d)")
_MAX_STYLE_DEPTH = 11  # Word's own limit; a damaged file may go round in circles
_CODE_STYLES = frozenset({"Code", "Source Code", "HTML Preformatted", "Preformatted Text"})
# Runs also stand in links and tracked changes; moved text would be there twice, boxes repeat theirs.
_PIECES = ".//w:r[not(ancestor::w:txbxContent or ancestor::w:moveFrom)] | .//m:t"


@reading(_BROKEN)
def load(path: Path) -> LoadedDocument:
    data = read_bytes(path)
    open_archive(data, broken=_BROKEN).close()
    return _read(docx.Document(io.BytesIO(data)), path=path)


def _read(document: Document, *, path: Path) -> LoadedDocument:
    parts: list[tuple[str, Any]] = [(_kind(part), part) for part in document.iter_inner_content()]
    outline = Outline(_title(document, parts=parts) or title_from_path(path))
    counted: Counter[str] = Counter()
    for kind, group in groupby(parts, key=itemgetter(0)):
        members = [part for _, part in group]
        if kind == "item":
            outline.text(_list(members, counted=counted))
        elif kind == "code":
            outline.text(fenced("\n".join(part.text for part in members)))
        elif kind == "table":
            outline.text("\n\n".join(_table(part) for part in members))
        else:
            _add_paragraphs(outline, paragraphs=members)
    return outline.document()


def _add_paragraphs(outline: Outline, *, paragraphs: list[Paragraph]) -> None:
    for paragraph in paragraphs:
        level = _heading_level(paragraph)
        if level:
            outline.heading(_plain(paragraph), level=level)
        elif _style(paragraph) != "Title":
            outline.text(_text(paragraph))


def _kind(part: Any) -> str:
    if isinstance(part, Table):
        return "table"
    style = _style(part)
    if style in _CODE_STYLES:
        return "code"
    is_item = style.startswith(("List Bullet", "List Number")) or part._p.xpath("./w:pPr/w:numPr")
    return "item" if is_item and not _heading_level(part) else "paragraph"


def _title(document: Document, *, parts: list[tuple[str, Any]]) -> str:
    paragraphs = [part for kind, part in parts if kind == "paragraph"]
    titles = [_plain(part) for part in paragraphs if _style(part) == "Title"]
    headings = [_plain(part) for part in paragraphs if _heading_level(part) == 1]
    return next((text for text in [*titles, *headings, document.core_properties.title] if text), "")


def _style(paragraph: Paragraph) -> str:
    return (paragraph.style.name if paragraph.style else "") or ""


def _heading_level(paragraph: Paragraph) -> int:
    """Zero for ordinary text; styles that an author derived from a heading count as one."""
    style = paragraph.style
    for _ in range(_MAX_STYLE_DEPTH):
        found = _HEADING.fullmatch(style.name or "") if style else None
        if found or style is None:
            return int(found[1]) if found else 0
        style = style.base_style
    return 0


def _plain(paragraph: Paragraph) -> str:
    return " ".join(_text(paragraph).replace("**", "").split())


def _text(paragraph: Paragraph) -> str:
    """A paragraph with bold runs marked, spaces left outside the marks."""
    pieces = [_piece(element, paragraph=paragraph) for element in paragraph._p.xpath(_PIECES)]
    text = ""
    for is_bold, group in groupby(pieces, key=itemgetter(0)):
        part = "".join(piece for _, piece in group)
        words = part.strip()
        text += part.replace(words, f"**{words}**") if is_bold and words else part
    return text.replace("\xa0", " ").strip()


def _piece(element: Any, *, paragraph: Paragraph) -> tuple[bool, str]:
    if not element.tag.endswith("}r"):
        return False, element.text or ""
    run = Run(element, paragraph)
    return bool(run.bold) or run.style.name == "Strong", run.text


def _list(paragraphs: list[Paragraph], *, counted: Counter[str]) -> str:
    """Items with their marks; a numbered list goes on counting after what stood between."""
    lines: list[str] = []
    number = 0
    letters: dict[int, int] = {}
    for paragraph in paragraphs:
        depth = _depth(paragraph)
        letters = {level: count for level, count in letters.items() if level <= depth}
        if depth == 0:  # a bullet ends the numbering
            list_id = next(iter(paragraph._p.xpath("./w:pPr/w:numPr/w:numId/@w:val")), "")
            is_numbered = _is_numbered(paragraph)
            counted[list_id] += is_numbered
            number = (counted[list_id] if list_id else number + 1) if is_numbered else 0
        marker = f"{number}." if number and depth == 0 else "-"
        if depth and "Letter" in _number_format(paragraph, level=depth):
            letters[depth] = letters.get(depth, 0) + 1
            marker = f"{chr(ord('a') + (letters[depth] - 1) % 26)}."
        lines.append(f"{'  ' * depth}{marker} {_text(paragraph)}")
    return "\n".join(lines)


def _depth(paragraph: Paragraph) -> int:
    levels = paragraph._p.xpath("./w:pPr/w:numPr/w:ilvl/@w:val")
    suffix = _style(paragraph)[-1:]
    return int(levels[0]) if levels else int(suffix) - 1 if suffix.isdecimal() else 0


def _is_numbered(paragraph: Paragraph) -> bool:
    if not paragraph._p.xpath("./w:pPr/w:numPr/w:numId/@w:val"):
        return "Number" in _style(paragraph)
    return _number_format(paragraph, level=0) not in ("", "bullet")


def _number_format(paragraph: Paragraph, *, level: int) -> str:
    """'decimal', 'lowerLetter', 'bullet'; '' where the paragraph names no list."""
    ids = paragraph._p.xpath("./w:pPr/w:numPr/w:numId/@w:val")
    if not ids:
        return ""
    part: Any = paragraph.part
    numbering = part.numbering_part.element
    abstract = numbering.xpath(f"./w:num[@w:numId='{int(ids[0])}']/w:abstractNumId/@w:val")
    formats = numbering.xpath(
        f"./w:abstractNum[@w:abstractNumId='{int(abstract[0]) if abstract else -1}']/w:lvl[@w:ilvl='{level}']/w:numFmt/@w:val"
    )
    return str(formats[0]) if formats else ""


def _table(table: Table) -> str:
    rows = []
    for row in table.rows:
        # A merged cell is listed once for every column it spans.
        cells = {id(cell._tc): cell for cell in row.cells}
        rows.append([" ".join(_text(paragraph) for paragraph in cell.paragraphs) for cell in cells.values()])
    return pipe_table(rows)
