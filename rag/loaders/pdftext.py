"""The lines of a PDF's pages with their place and their type, as pdfium finds them."""

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2.raw as pdfium

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
