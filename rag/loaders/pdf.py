"""PDF files: a section for each page, or several where bookmarks say so."""

import io
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pypdf import PdfReader

from rag.loaders.document import LoadedDocument
from rag.loaders.files import read_bytes
from rag.loaders.outline import Outline, title_from_path
from rag.loaders.pdflines import lines_of, paragraphs, without_furniture
from storage.errors import DocumentError

_BROKEN = "cannot be read as a PDF; open it in a viewer and save or export it again"
_ENCRYPTED = "is encrypted; save a copy without a password first"
_WRITTEN_BY_PROGRAM = re.compile(r"untitled|microsoft word|.*\.\w{2,4}$", re.IGNORECASE)
_NUMBERING = re.compile(r"^(?:chapter|section)?\s*[\d.]+[.:]?\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bookmark:
    title: str
    level: int
    page: int  # 0-based


def load(path: Path) -> LoadedDocument:
    reader = _open(read_bytes(path))
    pages = without_furniture(_pages(reader))
    if not any(line for page in pages for line in page):
        raise DocumentError("has no text; run OCR on it first")
    bookmarks = _bookmarks(reader)
    outline = Outline(_title(reader) or title_from_path(path))
    for number, lines in enumerate(pages):
        outline.page(number + 1)
        _add_page(outline, lines=lines, bookmarks=[mark for mark in bookmarks if mark.page == number])
    return outline.document()


def _open(data: bytes) -> PdfReader:
    # What pypdf has to say about a damaged file is for programmers; ours is in the error.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(io.BytesIO(data))
        # Many files are locked only against changes, and open with an empty password.
        locked = reader.is_encrypted and not reader.decrypt("")
        unlocked_pages = 0 if locked else len(reader.pages)
    except Exception as err:  # a broken file makes pypdf raise anything
        raise DocumentError(_ENCRYPTED if "crypt" in type(err).__name__.lower() else _BROKEN) from err
    if locked:
        raise DocumentError(_ENCRYPTED)
    if not unlocked_pages:
        raise DocumentError(_BROKEN)
    return reader


def _pages(reader: PdfReader) -> list[list[str]]:
    try:
        return [lines_of(page.extract_text()) for page in reader.pages]
    except Exception as err:  # as above
        raise DocumentError(_BROKEN) from err


def _title(reader: PdfReader) -> str:
    try:
        title = " ".join(str((reader.metadata and reader.metadata.title) or "").split())
    except Exception:  # the text is there without it
        return ""
    return "" if _WRITTEN_BY_PROGRAM.match(title) else title


def _bookmarks(reader: PdfReader) -> list[_Bookmark]:
    try:
        return list(_flat(reader.outline, reader=reader, level=1))
    except Exception:  # the text is there without them
        return []


def _flat(entries: Sequence[Any], *, reader: PdfReader, level: int) -> Iterator[_Bookmark]:
    for entry in entries:
        if isinstance(entry, list):
            yield from _flat(entry, reader=reader, level=level + 1)
            continue
        page = reader.get_destination_page_number(entry)
        title = " ".join(str(entry.title or "").split())
        if page is not None and page >= 0 and title:
            yield _Bookmark(title=title, level=level, page=page)


def _add_page(outline: Outline, *, lines: list[str], bookmarks: Sequence[_Bookmark]) -> None:
    """Part the page where the bookmarks' own lines stand, else put them at its top."""
    at = 0
    for mark in bookmarks:
        found, end = _find(mark.title, lines=lines, start=at)
        outline.text(paragraphs(lines[at:found]))
        outline.heading(mark.title, level=mark.level)
        at = end
    outline.text(paragraphs(lines[at:]))


def _find(title: str, *, lines: list[str], start: int) -> tuple[int, int]:
    """Where a heading begins and where the text after it does; headings may wrap once."""
    wanted = _plain(title)
    for index in range(start, len(lines)):
        if _plain(lines[index]) == wanted:
            return index, index + 1
        if index + 1 < len(lines) and _plain(f"{lines[index]} {lines[index + 1]}") == wanted:
            return index, index + 2
    return start, start


def _plain(text: str) -> str:
    return _NUMBERING.sub("", text).casefold().strip(" .:")
