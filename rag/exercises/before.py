"""The question that stands before what answers it: under its heading, or the last paragraph above."""

import re
from bisect import bisect_left
from dataclasses import dataclass

from rag.exercises.blocks import Layout

_NUMBER = re.compile(r"(?:[^\W\d_]{1,12}[ \t]*)?#?\(?\d{1,3}[.):]\s*")  # '1.', 'Question 3:'
_ASKS = re.compile(r"[?？¿؟]")
_TAIL = re.compile(r"[ \t]*\[\[[^\[\]]*\]\][ \t]*$|[ \t]+#+[ \t]*$|[ \t]*\{[#.:][^{}]*\}[ \t]*$")
_TAG = re.compile(r"<[^<>]*>")
_SWITCH = re.compile(r"\{[#:/@%][^{}\n]*\}")  # of a page for several readers
_WORD = re.compile(r"\w+")
_MOST_PARAGRAPHS = 4
_MOST_WORDS = 150  # under a heading that asks: what has more is told there, not asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """A question's words as they are written, and where they begin."""

    text: str
    start: int


def asked_before(source: str, *, layout: Layout, start: int, floor: int) -> Before | None:
    """What is asked right before a place, nowhere above the floor; None where nothing stands there."""
    number = bisect_left(layout.headings, start, key=lambda heading: heading.start) - 1
    heading = layout.headings[number] if number >= 0 and layout.headings[number].start >= floor else None
    begin = heading.end if heading else floor
    between = source[begin:start]
    words = _words(between)
    if heading:
        name = _TAIL.sub("", heading.text).strip()
        numbered = _NUMBER.match(name)
        if name and (not words or ((numbered or _ASKS.search(name)) and words <= _MOST_WORDS)):
            return Before(
                text=f"{name[numbered.end() if numbered else 0 :]}\n\n{between.strip()}".strip(),
                start=heading.start,
            )
    return _last_paragraphs(source, layout, begin=begin, start=start) if words else None


def _words(text: str) -> int:
    """How much is said in a stretch of a page, code not counted."""
    prose = re.sub(r"```.*?(?:```|\Z)", " x ", text, flags=re.DOTALL)
    return len(_WORD.findall(_SWITCH.sub(" ", _TAG.sub(" ", prose))))


def _last_paragraphs(source: str, layout: Layout, *, begin: int, start: int) -> Before | None:
    """From the last paragraph that asks, with the code or the list that follows it; else the last paragraph."""
    starts = _paragraphs(source, layout, begin=begin, start=start)[-_MOST_PARAGRAPHS:]
    if not starts:
        return None
    asking = [
        place
        for place, end in zip(starts, [*starts[1:], start], strict=True)
        if _ASKS.search(_TAG.sub("", source[place:end])) and not source.startswith(("```", "~~~"), place)
    ]
    place = asking[-1] if asking else starts[-1]
    if source.startswith(("```", "~~~"), place) and place != starts[0]:
        place = starts[starts.index(place) - 1]  # code, and what is said about it above
    text = source[place:start].strip()
    number = _NUMBER.match(text)
    return Before(text=text[number.end() if number else 0 :], start=place)


def _paragraphs(source: str, layout: Layout, *, begin: int, start: int) -> list[int]:
    """Where each paragraph begins; code is one, whatever blank lines are in it."""
    low = bisect_left(layout.verbatim, begin, key=lambda span: span[0])
    inside = list(layout.verbatim[low : bisect_left(layout.verbatim, (start, 0))])
    starts: list[int] = []
    at = begin
    for found in re.finditer(r"(?:\A|\n[ \t]*\n)\s*(?=\S)", source[begin:start]):
        at = begin + found.end()
        if not any(first < at < last for first, last in inside):
            starts.append(at)
    return starts
