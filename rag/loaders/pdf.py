"""PDF files: sections by the bookmarks and where their lines stand, or by the size of the type."""

import ctypes
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from rag.loaders.document import LoadedDocument, Outline, fenced, read_bytes, title_from_path
from storage.errors import DocumentError

_LINE_END = re.compile(r"\r\n|\r|\n|\ufffe")  # pdfium writes the last for a hyphen that ended a line
_BOLD = re.compile(r"bold|black|heavy|demi|medi\b|bx\d", re.IGNORECASE)
_MONO = re.compile(r"mono|courier|consol|typewriter|code|tt\d", re.IGNORECASE)
_BOLD_WEIGHT = 600
_FIXED_PITCH = 1
# Typeset letters that no search would match.
_TYPESET = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\xa0": " "}
    | dict.fromkeys("\u200b\0\ufffe\uffff\xad", "")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One printed line."""

    text: str
    page: int  # 0-based
    size: float = 0.0  # of its type, in points
    is_bold: bool = False
    is_mono: bool = False
    left: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    top: float = 0.0


def plain(text: str) -> str:
    return text.translate(_TYPESET)


def page_lines(text_page: Any, *, number: int) -> list[Line]:
    """The lines of one page in the order in which they are read; a raised exponent is part of its line."""
    found: list[Line] = []
    for line in _lines(text_page, number=number):
        before = found[-1] if found else None
        if before and _is_on_one_line(before, line):
            gap = (
                "" if line.size < before.size * 0.9 or line.left - before.right < before.size * 0.15 else " "
            )
            found[-1] = replace(
                before, text=f"{before.text}{gap}{line.text}", right=max(before.right, line.right)
            )
        else:
            found.append(line)
    return found


def _is_on_one_line(before: Line, line: Line) -> bool:
    middle = (line.top + line.bottom) / 2
    return (
        before.bottom < middle < before.top and line.left >= before.right - before.size * 0.3 and line.top > 0
    )


def _lines(text_page: Any, *, number: int) -> Iterator[Line]:
    whole = text_page.get_text_range()
    at = start = 0  # in characters, and in pdfium's units of UTF-16
    for end in (*_LINE_END.finditer(whole), None):
        raw = whole[at : end.start() if end else len(whole)]
        hyphen = "-" if end and end[0] == "\ufffe" else ""
        yield _line(text_page, raw, hyphen=hyphen, start=start, page=number)
        if end:
            start += _units(raw) + _units(end[0])
            at = end.end()


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _line(text_page: Any, raw: str, *, hyphen: str, start: int, page: int) -> Line:
    text = " ".join(plain(raw).split())
    if not text:
        return Line(text="", page=page)
    signs = [start + place for place, sign in enumerate(raw) if not sign.isspace()]
    first, last = signs[0], signs[-1]
    # The type of most of the line, asked of a few of its characters.
    sampled = signs[:: max(len(signs) // 5, 1)]
    types = [_type(text_page.raw, place) for place in sampled]
    size = sorted(each[0] for each in types)[len(types) // 2]
    left, bottom, _, top = _box(text_page.raw, first)
    _, _, right, _ = _box(text_page.raw, last)
    return Line(
        text=(raw.rstrip() if all(each[2] for each in types) else text) + hyphen,
        page=page,
        size=round(size, 1),
        is_bold=all(each[1] for each in types),
        is_mono=all(each[2] for each in types),
        left=left,
        right=right,
        bottom=bottom,
        top=top,
    )


def _type(page: Any, place: int) -> tuple[float, bool, bool]:
    name = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(page, place, name, 128, flags)
    font = name.value.decode("utf-8", "replace")
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(page, place, matrix)
    size = pdfium.FPDFText_GetFontSize(page, place) * (matrix.b**2 + matrix.d**2) ** 0.5
    is_bold = bool(_BOLD.search(font)) or pdfium.FPDFText_GetFontWeight(page, place) >= _BOLD_WEIGHT
    return size, is_bold, bool(flags.value & _FIXED_PITCH or _MONO.search(font))


def _box(page: Any, place: int) -> tuple[float, float, float, float]:
    box = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(page, place, box)
    return box.left, box.bottom, box.right, box.top


_EDGE = 2  # how many lines at the top and bottom of a page can be a running header or footer
_NUMBER_AT_END = re.compile(r"(?:.*\s)?(\d{1,4}|[ivxl]+)|(\d{1,4}|[ivxl]+)\s.*")
_DOT_LEADERS = re.compile(r"(?:\.(?: ?\.){4,}|(?: \.){3,}) ?[\divxl]*$")
_DIGITS = re.compile(r"\d+")
_BULLET = re.compile(r"[•▪◦‣●○■·–*-]\s+(?=\S)")
_NUMBERED = re.compile(r"\(?\d{1,3}[.)]\s+\S")
_LETTERED = re.compile(r"\(?([A-Ha-h])[.)]\s+\S")
_SENTENCE_END = (".", "?", "!", ":", ";", "”", '"', ")")
_NOTE = 0.93  # of the text's size, at most
_TITLE = 1.5  # at least
_MOST_HEADING = 120
_MOST_LEVELS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfBlock:
    """Some lines that belong together, on the page where they begin."""

    text: str
    page: int
    is_item: bool = False


def without_furniture(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """Drop what repeats at the edge of most pages (the same words, or a number that counts along) and contents."""
    filled = [
        [line for line in page if line.text.strip() and not _DOT_LEADERS.search(line.text)] for page in pages
    ]
    keys = [
        {index: _keys(page[index].text, number=number) for index in _edges(page)}
        for number, page in enumerate(filled)
    ]
    counts = Counter(key for page in keys for key in set().union(*page.values()))
    needed = max(3, len(pages) * 0.4)  # left and right pages often differ, so half must be enough
    running = {key for key, count in counts.items() if count >= needed}
    return [
        [line for index, line in enumerate(page) if not running & edges.get(index, set())]
        for page, edges in zip(filled, keys, strict=True)
    ]


def _edges(page: Sequence[Line]) -> list[int]:
    return sorted({*range(min(_EDGE, len(page))), *range(max(len(page) - _EDGE, 0), len(page))})


def _keys(line: str, *, number: int) -> set[str | int]:
    """What two running lines share: their words, or how far their number is from the page's own."""
    words: set[str | int] = {_DIGITS.sub("#", line.casefold())}
    numbered = _NUMBER_AT_END.fullmatch(line)
    sign = (numbered[1] or numbered[2]) if numbered else ""
    if sign.isdigit():
        return words | {int(sign) - number}
    return {"roman"} if sign and sign == line.strip() else words


def _body_size(lines: Sequence[Line]) -> float:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return max(sizes, key=lambda size: sizes[size]) if sizes else 0.0


def notes_apart(lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """The text, and the notes at the foot of its pages, which would part a sentence that goes on overleaf."""
    body = _body_size(lines)
    notes: set[int] = set()
    at_foot = True
    for index in range(len(lines) - 1, -1, -1):
        if index + 1 < len(lines) and lines[index].page != lines[index + 1].page:
            at_foot = True
        at_foot = at_foot and 0 < lines[index].size < body * _NOTE
        if at_foot:
            notes.add(index)
    text = [line for index, line in enumerate(lines) if index not in notes]
    return text, [line for index, line in enumerate(lines) if index in notes]


def printed_title(lines: Sequence[Line]) -> str:
    """What is printed largest on the first pages, if it is much larger than the text."""
    first = [line for line in lines if line.page < 2]
    largest = max((line.size for line in first), default=0.0)
    if largest < _body_size(lines) * _TITLE:
        return ""
    title = " ".join(line.text.strip() for line in first if line.size == largest)
    return title if len(title) <= _MOST_HEADING else ""


def heading_levels(lines: Sequence[Line]) -> dict[tuple[float, bool], int]:
    """Which types are headings': larger than most of the text, or as large and bold, the largest first."""
    sizes: Counter[tuple[float, bool]] = Counter()
    for line in lines:
        sizes[(line.size, line.is_bold)] += len(line.text)
    body = max(sizes, key=lambda each: sizes[each])[0]
    total = sum(sizes.values())
    found = [
        each
        for each, count in sizes.items()
        if count < total * 0.2 and (each[0] > body * 1.07 or (each[1] and each[0] > body * 0.98))
    ]
    ranked = sorted({size for size, _ in found}, reverse=True)[:_MOST_LEVELS]
    return {each: ranked.index(each[0]) + 1 for each in found if each[0] in ranked}


def is_heading(line: Line, *, levels: dict[tuple[float, bool], int]) -> bool:
    """A short line in a heading's type with words in it, that does not run on as a sentence."""
    if (line.size, line.is_bold) not in levels or line.is_mono:
        return False
    text = line.text.strip()
    is_short = len(text) <= _MOST_HEADING and not text.endswith((".", ",", ";", ":"))
    return is_short and sum(map(str.isalpha, text)) > 1 and not _BULLET.match(text)


def blocks(lines: Sequence[Line]) -> Iterator[PdfBlock]:
    """Join wrapped lines, over the end of a page too; code keeps its lines."""
    prose: list[Line] = []
    code: list[Line] = []
    for line in lines:
        if line.is_mono and not (prose and _goes_on(prose[-1], line)):
            yield from _paragraphs(prose)
            prose = []
            code.append(line)
        else:
            yield from _code(code)
            code = []
            prose.append(line)
    yield from _paragraphs(prose)
    yield from _code(code)


def _goes_on(before: Line, line: Line) -> bool:
    """A line in typewriter type inside a paragraph: it stands at the same margin, right below."""
    is_close = before.page == line.page and 0 < before.bottom - line.bottom < line.size * 1.6
    return is_close and abs(before.left - line.left) < 2 and not before.text.endswith((".", ":"))


def _code(lines: Sequence[Line]) -> Iterator[PdfBlock]:
    if not lines:
        return
    margin = min(line.left for line in lines)
    width = next((w for line in lines if (w := _sign_width(line)) > 0), 5.0)
    shown = [" " * min(round((line.left - margin) / width), 40) + line.text.strip() for line in lines]
    yield PdfBlock(text=fenced("\n".join(shown)), page=lines[0].page)


def _sign_width(line: Line) -> float:
    return (line.right - line.left) / max(len(line.text.strip()), 1)


def _paragraphs(lines: Sequence[Line]) -> Iterator[PdfBlock]:
    """A gap, an indented line, a list item or a short last line ends a paragraph."""
    if not lines:
        return
    lengths = sorted(len(line.text) for line in lines)
    full = lengths[int(len(lengths) * 0.9)]
    gap = _usual_gap(lines)
    held: PdfBlock | None = None
    before: Line | None = None
    letter = ""
    for line in lines:
        item = _BULLET.match(line.text)
        lettered = _LETTERED.match(line.text)
        # 'b.' after 'a.'; a lone letter may be a name's.
        counts_on = lettered and (lettered[1] in "Aa" or ord(lettered[1]) - 1 == ord(letter or "\0"))
        letter = lettered[1] if lettered and counts_on else letter
        starts = (
            before is None
            or item
            or counts_on
            or _NUMBERED.match(line.text)
            or _is_apart(before, line, gap=gap)
            or _ends_paragraph(before.text, following=line.text, full=full)
        )
        if starts or held is None:
            if held:
                yield held
            text = f"- {line.text[item.end() :]}" if item else line.text
            held = PdfBlock(text=text, page=line.page, is_item=bool(item))
        else:
            held = PdfBlock(
                text=_joined(held.text, following=line.text), page=held.page, is_item=held.is_item
            )
        before = line
    if held:
        yield held


def _usual_gap(lines: Sequence[Line]) -> float:
    gaps = sorted(
        before.bottom - line.bottom
        for before, line in pairwise(lines)
        if before.page == line.page and before.bottom > line.bottom
    )
    return gaps[len(gaps) // 2] if gaps else 0.0


def _is_apart(before: Line, line: Line, *, gap: float) -> bool:
    if before.page != line.page:
        return before.text.endswith(_SENTENCE_END) and not line.text[:1].islower()
    if not gap:
        return False
    step = before.bottom - line.bottom
    is_indented = line.left - before.left > line.size * 0.8 and line.text[:1].isupper()
    return step > gap * 1.35 or step < 0 or (is_indented and before.text.endswith(_SENTENCE_END))


def _ends_paragraph(line: str, *, following: str, full: int) -> bool:
    if line.endswith("-") or not following[:1].isupper():
        return False
    share = len(line) / max(full, 1)
    return share < 0.85 if line.endswith(_SENTENCE_END) else share < 0.6


def _joined(text: str, *, following: str) -> str:
    """A hyphen before a small letter at the line's end was put there by the typesetter."""
    if text.endswith("-") and text[-2:-1].isalpha() and following[:1].islower():
        return text[:-1] + following
    return f"{text} {following}"


_BROKEN = "cannot be read as a PDF; open it in a viewer and save or export it again"
_ENCRYPTED = "is encrypted; save a copy without a password first"
_WRITTEN_BY_PROGRAM = re.compile(r"untitled|microsoft word|[a-z]{4,8}:\S+$|.*\.\w{2,4}$", re.IGNORECASE)
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
    """A heading and the lines that it is printed on: from `at` up to `end`."""

    title: str
    level: int
    at: int
    end: int


def load(path: Path) -> LoadedDocument:
    document = _open(read_bytes(path))
    try:
        pages = [_page_lines(document, number) for number in range(min(len(document), _MOST_PAGES))]
        lines = [line for page in without_furniture(pages) for line in page]
        if not lines:
            raise DocumentError("has no text; run OCR on it first")
        headings = _bookmarked(document, lines) or _by_type(lines)
        title = _title(document) or printed_title(lines)
    finally:
        document.close()
    outline = Outline(title or title_from_path(path))
    ends = [*(heading.at for heading in headings), len(lines)]
    _add(outline, lines[: ends[0]])
    for heading, end in zip(headings, ends[1:], strict=True):
        outline.heading(heading.title, level=heading.level)
        _add(outline, lines[heading.end : end])
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


def _page_lines(document: pypdfium2.PdfDocument, number: int) -> list[Line]:
    try:
        return page_lines(document[number].get_textpage(), number=number)
    except pypdfium2.PdfiumError:  # one torn page does not spoil the others
        return []


def _title(document: pypdfium2.PdfDocument) -> str:
    title = " ".join(plain(document.get_metadata_value("Title") or "").split())
    return "" if _WRITTEN_BY_PROGRAM.match(title) else title


def _bookmarked(document: pypdfium2.PdfDocument, lines: Sequence[Line]) -> list[Heading]:
    """The outline's entries at the lines where they are printed, else at the height that they point to."""
    found: list[Heading] = []
    for mark in document.get_toc():
        target = mark.get_dest()
        page = target.get_index() if target else None
        title = " ".join(plain(mark.get_title() or "").split())
        if page is None or not title:
            continue
        first, last = (bisect_left(lines, number, key=lambda line: line.page) for number in (page, page + 1))
        start = found[-1].end if found and first <= found[-1].end <= last else first
        at, end = _place(title, lines[:last], start=start, height=_height(target))
        found.append(Heading(title=title, level=mark.level + 1, at=at, end=end))
    return sorted(found, key=lambda heading: heading.at)


def _height(target: Any) -> float | None:
    mode, view = target.get_view()
    return view[1] if mode == 1 and len(view) > 1 and view[1] else None


def _place(title: str, lines: Sequence[Line], *, start: int, height: float | None) -> tuple[int, int]:
    """Where a heading begins and where the text after it does; a heading may wrap."""
    wanted = _title_keys(title)
    for at in range(start, len(lines)):
        for end in range(at + 1, min(at + _MOST_WRAPPED, len(lines)) + 1):
            if wanted & _title_keys(" ".join(line.text for line in lines[at:end])):
                return at, end
    if height is None:
        return start, start
    below = next((at for at in range(start, len(lines)) if lines[at].top <= height + 1), len(lines))
    return below, below


def _title_keys(text: str) -> set[str]:
    """A heading with and without its number: print and outline may differ in that."""
    return {_key(text), _NOT_WORDS.sub("", text).casefold(), _key(_LETTER.sub("", text))}


def _key(text: str) -> str:
    words = _NOT_WORDS.sub("", _NUMBERING.sub("", text.strip())).casefold()
    return words or _NOT_WORDS.sub("", text).casefold()


def _by_type(lines: Sequence[Line]) -> list[Heading]:
    levels = heading_levels(lines)
    found: list[Heading] = []
    end = 0
    for at, line in enumerate(lines):
        if at < end or not is_heading(line, levels=levels):
            continue
        end = at + 1
        while end < min(at + _MOST_WRAPPED, len(lines)) and _wraps(line, lines[end]):
            end += 1
        title = " ".join(each.text.strip() for each in lines[at:end])
        found.append(Heading(title=title, level=levels[(line.size, line.is_bold)], at=at, end=end))
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
    is_same = (first.page, first.size, first.is_bold) == (line.page, line.size, line.is_bold)
    return is_same and not _NUMBERING.match(line.text) and 0 < first.bottom - line.bottom < first.size * 1.6


def _add(outline: Outline, lines: Sequence[Line]) -> None:
    for part in notes_apart(lines):
        _add_blocks(outline, part)


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
