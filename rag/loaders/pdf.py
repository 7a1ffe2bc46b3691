"""PDF files: sections by the bookmarks and where their lines stand, or by the size of the type."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pypdfium2

from rag.loaders.document import LoadedDocument
from rag.loaders.files import read_bytes
from rag.loaders.outline import Outline, title_from_path
from rag.loaders.pdflines import (
    blocks,
    heading_levels,
    is_heading,
    notes_apart,
    printed_title,
    without_furniture,
)
from rag.loaders.pdftext import Line, page_lines, plain
from storage.errors import DocumentError

_BROKEN = "cannot be read as a PDF; open it in a viewer and save or export it again"
_ENCRYPTED = "is encrypted; save a copy without a password first"
_WRITTEN_BY_PROGRAM = re.compile(r"untitled|microsoft word|.*\.\w{2,4}$", re.IGNORECASE)
_NUMBERING = re.compile(
    r"^(?:(?i:chapter|section|appendix|part)\s+[\dA-ZIVXL]+(?:\.\d+)*|\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|[A-Z][.:)]|[IVXL]+[.:])[.:)]?\s+"
)
_LETTER = re.compile(r"^[A-Z]\s+(?=\S)")
_NUMBER = re.compile(r"^(?:(?i:chapter|appendix)\s+)?((?:\d+|[A-Z](?=[.\s]))(?:\.\d+)*)[.:]?\s+\S")
_NOT_WORDS = re.compile(r"[^\w]+")
_MOST_PAGES = 5000
_MOST_WRAPPED = 3  # lines that a heading may run over


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading and the lines that it is printed on: from `at` up to `end` on its page."""

    title: str
    level: int
    page: int  # 0-based
    at: int
    end: int


def load(path: Path) -> LoadedDocument:
    document = _open(read_bytes(path))
    try:
        pages = without_furniture(
            [_lines(document, number) for number in range(min(len(document), _MOST_PAGES))]
        )
        if not any(pages):
            raise DocumentError("has no text; run OCR on it first")
        headings = _bookmarked(document, pages) or _by_type(pages)
        title = _title(document) or printed_title(pages)
    finally:
        document.close()
    outline = Outline(title or title_from_path(path))
    for heading, lines in _parts(pages, headings):
        if heading:
            outline.heading(heading.title, level=heading.level)
        _add(outline, lines)
    return outline.document()


def _open(data: bytes) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(data)
        has_pages = len(document) > 0
    except pypdfium2.PdfiumError as err:
        raise DocumentError(_ENCRYPTED if "assword" in str(err) else _BROKEN) from err
    if not has_pages:
        raise DocumentError(_BROKEN)
    return document


def _lines(document: pypdfium2.PdfDocument, number: int) -> list[Line]:
    try:
        return page_lines(document[number].get_textpage(), number=number)
    except pypdfium2.PdfiumError:  # one torn page does not spoil the others
        return []


def _title(document: pypdfium2.PdfDocument) -> str:
    title = " ".join(plain(document.get_metadata_value("Title") or "").split())
    return "" if _WRITTEN_BY_PROGRAM.match(title) else title


def _bookmarked(document: pypdfium2.PdfDocument, pages: Sequence[list[Line]]) -> list[Heading]:
    """The outline's entries at the lines where they are printed, else at the height that they point to."""
    found: list[Heading] = []
    for mark in document.get_toc():
        target = mark.get_dest()
        page = target.get_index() if target else None
        title = " ".join(plain(mark.get_title() or "").split())
        if page is None or not 0 <= page < len(pages) or not title:
            continue
        start = found[-1].end if found and found[-1].page == page else 0
        at, end = _place(title, pages[page], start=start, height=_height(target))
        found.append(Heading(title=title, level=mark.level + 1, page=page, at=at, end=end))
    return sorted(found, key=lambda heading: heading.page)


def _height(target: Any) -> float | None:
    mode, view = target.get_view()
    return view[1] if mode == 1 and len(view) > 1 and view[1] else None


def _place(title: str, lines: Sequence[Line], *, start: int, height: float | None) -> tuple[int, int]:
    """Where a heading begins and where the text after it does; a heading may wrap."""
    wanted = _keys(title)
    for at in range(start, len(lines)):
        for end in range(at + 1, min(at + _MOST_WRAPPED, len(lines)) + 1):
            if wanted & _keys(" ".join(line.text for line in lines[at:end])):
                return at, end
    if height is None:
        return start, start
    below = next((at for at in range(start, len(lines)) if lines[at].top <= height + 1), len(lines))
    return below, below


def _keys(text: str) -> set[str]:
    """A heading with and without its number: print and outline may differ in that."""
    return {_key(text), _NOT_WORDS.sub("", text).casefold(), _key(_LETTER.sub("", text))}


def _key(text: str) -> str:
    words = _NOT_WORDS.sub("", _NUMBERING.sub("", text.strip())).casefold()
    return words or _NOT_WORDS.sub("", text).casefold()


def _by_type(pages: Sequence[list[Line]]) -> list[Heading]:
    levels = heading_levels([line for page in pages for line in page])
    found: list[Heading] = []
    for number, lines in enumerate(pages):
        at = 0
        while at < len(lines):
            line = lines[at]
            if not is_heading(line, levels=levels):
                at += 1
                continue
            end = at + 1
            while end < min(at + _MOST_WRAPPED, len(lines)) and _wraps(line, lines[end]):
                end += 1
            title = " ".join(each.text.strip() for each in lines[at:end])
            level = levels[(line.size, line.is_bold)]
            found.append(Heading(title=title, level=level, page=number, at=at, end=end))
            at = end
    return _numbered(found)


def _numbered(headings: list[Heading]) -> list[Heading]:
    """Where most headings have numbers, these tell the levels better than sizes, which may be the same for two."""
    depths = [_depth(heading.title) for heading in headings]
    if sum(map(bool, depths)) * 2 < len(headings):
        return headings
    of_size: dict[int, int] = {}
    for heading, depth in zip(headings, depths, strict=True):
        if depth:
            of_size[heading.level] = min(of_size.get(heading.level, depth), depth)
    deepest = max(depths, default=0)
    return [
        replace(heading, level=depth or of_size.get(heading.level, 1 if heading.level == 1 else deepest + 1))
        for heading, depth in zip(headings, depths, strict=True)
    ]


def _depth(title: str) -> int:
    number = _NUMBER.match(title)
    return number[1].count(".") + 1 if number else 0


def _wraps(first: Line, line: Line) -> bool:
    is_same = (first.size, first.is_bold) == (line.size, line.is_bold)
    return is_same and not _NUMBERING.match(line.text) and 0 < first.bottom - line.bottom < first.size * 1.6


def _parts(
    pages: Sequence[list[Line]], headings: Sequence[Heading]
) -> Iterator[tuple[Heading | None, list[Line]]]:
    """Each heading with the lines up to the next one, wherever that is."""
    ends = [(heading.page, heading.at) for heading in headings]
    starts: list[tuple[Heading | None, tuple[int, int]]] = [(None, (0, 0))]
    starts += [(heading, (heading.page, heading.end)) for heading in headings]
    for (heading, start), end in zip(starts, [*ends, (len(pages), 0)], strict=True):
        yield heading, _between(pages, start, end)


def _between(pages: Sequence[list[Line]], start: tuple[int, int], end: tuple[int, int]) -> list[Line]:
    lines: list[Line] = []
    for number in range(start[0], min(end[0] + 1, len(pages))):
        first = start[1] if number == start[0] else 0
        last = end[1] if number == end[0] else len(pages[number])
        lines += pages[number][first:last]
    return lines


def _add(outline: Outline, lines: Sequence[Line]) -> None:
    text, notes = notes_apart(lines)
    _add_blocks(outline, text)
    _add_blocks(outline, notes)


def _add_blocks(outline: Outline, lines: Sequence[Line]) -> None:
    items: list[str] = []
    page = -1
    for block in blocks(lines):
        if block.page != page and not items:
            page = block.page
            outline.page(page + 1)
        if block.is_item:
            items.append(block.text)
            continue
        if items:
            outline.text("\n".join(items))
            items = []
        outline.text(block.text)
    if items:
        outline.text("\n".join(items))
