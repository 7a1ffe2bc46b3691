"""Lines of printed pages back into headings, paragraphs, lists and code."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.loaders.pdftext import Line

_EDGE = 2  # how many lines at the top and bottom of a page can be a running header or footer
_NUMBER_AT_END = re.compile(r"(?:.*\s)?(\d{1,4}|[ivxl]+)|(\d{1,4}|[ivxl]+)\s.*")
_DOT_LEADERS = re.compile(r"(?:\.(?: ?\.){4,}|(?: \.){3,}) ?[\divxl]*$")
_DIGITS = re.compile(r"\d+")
_BULLET = re.compile(r"[•▪◦‣●○■·–*-]\s+(?=\S)")
_NUMBERED = re.compile(r"\(?\d{1,3}[.)]\s+\S")
_SENTENCE_END = (".", "?", "!", ":", ";", "”", '"', ")")
_NOTE = 0.93  # of the text's size, at most
_TITLE = 1.5  # at least
_MOST_HEADING = 120
_MOST_LEVELS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
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


def printed_title(pages: Sequence[list[Line]]) -> str:
    """What is printed largest on the first pages, if it is much larger than the text."""
    first = [line for page in pages[:2] for line in page]
    body = _body_size([line for page in pages for line in page])
    largest = max((line.size for line in first), default=0.0)
    if largest < body * _TITLE:
        return ""
    title = " ".join(line.text.strip() for line in first if line.size == largest)
    return title if len(title) <= _MOST_HEADING else ""


def heading_levels(lines: Sequence[Line]) -> dict[tuple[float, bool], int]:
    """Which types are headings': larger than most of the text, or as large and bold, the largest first."""
    sizes: Counter[tuple[float, bool]] = Counter()
    for line in lines:
        sizes[(line.size, line.is_bold)] += len(line.text)
    if not sizes:
        return {}
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


def blocks(lines: Sequence[Line]) -> Iterator[Block]:
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


def _code(lines: Sequence[Line]) -> Iterator[Block]:
    if not lines:
        return
    margin = min(line.left for line in lines)
    width = next((w for line in lines if (w := _sign_width(line)) > 0), 5.0)
    shown = [" " * min(round((line.left - margin) / width), 40) + line.text.strip() for line in lines]
    yield Block(text="\n".join(["```", *shown, "```"]), page=lines[0].page)


def _sign_width(line: Line) -> float:
    return (line.right - line.left) / max(len(line.text.strip()), 1)


def _paragraphs(lines: Sequence[Line]) -> Iterator[Block]:
    """A gap, an indented line, a list item or a short last line ends a paragraph."""
    if not lines:
        return
    lengths = sorted(len(line.text) for line in lines)
    full = lengths[int(len(lengths) * 0.9)]
    gap = _usual_gap(lines)
    held: Block | None = None
    before: Line | None = None
    for line in lines:
        item = _BULLET.match(line.text)
        starts = (
            before is None
            or item
            or _NUMBERED.match(line.text)
            or _is_apart(before, line, gap=gap)
            or _ends_paragraph(before.text, following=line.text, full=full)
        )
        if starts or held is None:
            if held:
                yield held
            text = f"- {line.text[item.end() :]}" if item else line.text
            held = Block(text=text, page=line.page, is_item=bool(item))
        else:
            held = Block(text=_joined(held.text, following=line.text), page=held.page, is_item=held.is_item)
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
