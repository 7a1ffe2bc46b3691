"""Lines of a printed page back into paragraphs."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

_EDGE = 2  # how many lines at the top and bottom of a page can be a running header or footer
_NUMBER_AT_END = re.compile(r"(?:.*\s)?(\d{1,4})|(\d{1,4})\s.*")
_DOT_LEADERS = re.compile(r"\.(?: ?\.){4,} ?\d*$")
_DIGITS = re.compile(r"\d+")
_BULLET = re.compile(r"[•▪◦‣●○■·–*-]\s+(?=\S)")
_NUMBERED = re.compile(r"\(?\d{1,3}[.)]\s+\S")
_SENTENCE_END = (".", "?", "!", ":", ";", "”", '"', ")")
# Typeset letters that no search would match.
_TYPESET = str.maketrans(
    {
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        "ﬅ": "st",
        "ﬆ": "st",
        "\xa0": " ",
        "\u200b": "",
        "\0": "",
    }
)


def lines_of(text: str) -> list[str]:
    """The lines of a page with plain letters and spaces; a table of contents teaches nothing."""
    lines = (" ".join(line.split()) for line in text.translate(_TYPESET).split("\n"))
    return [line for line in lines if not _DOT_LEADERS.search(line)]


def without_furniture(pages: Sequence[list[str]]) -> list[list[str]]:
    """Drop what repeats at the edge of most pages: the same words, or a number that counts along."""
    keys = [
        {index: _keys(page[index], number=number) for index in _edges(page)}
        for number, page in enumerate(pages)
    ]
    counts = Counter(key for page in keys for key in set().union(*page.values()))
    needed = max(3, len(pages) * 0.4)  # left and right pages often differ, so half must be enough
    running = {key for key, count in counts.items() if count >= needed}
    return [
        [line for index, line in enumerate(page) if not running & edges.get(index, set())]
        for page, edges in zip(pages, keys, strict=True)
    ]


def _edges(page: list[str]) -> list[int]:
    filled = [index for index, line in enumerate(page) if line]
    return sorted({*filled[:_EDGE], *filled[-_EDGE:]})


def _keys(line: str, *, number: int) -> set[str | int]:
    """What two running lines share: their words, or how far their number is from the page's own."""
    numbered = _NUMBER_AT_END.fullmatch(line)
    words: set[str | int] = {_DIGITS.sub("#", line.casefold())}
    return words | {int(numbered[1] or numbered[2]) - number} if numbered else words


def paragraphs(lines: Sequence[str]) -> str:
    """Join wrapped lines; a blank line, a list item or a short last line ends a paragraph."""
    lengths = sorted(len(line) for line in lines if line)
    full = lengths[int(len(lengths) * 0.9)] if lengths else 0
    found: list[str] = []
    before = ""
    for line in lines:
        item = _BULLET.match(line)
        starts = (
            not before or item or _NUMBERED.match(line) or _ends_paragraph(before, following=line, full=full)
        )
        if line and starts:
            found.append(f"- {line[item.end() :]}" if item else line)
        elif line:
            found[-1] = _joined(found[-1], following=line)
        before = line
    return "".join(_gap(pair) + pair[1] for pair in pairwise(["", *found])).lstrip("\n")


def _gap(pair: tuple[str, str]) -> str:
    return "\n" if all(text.startswith("- ") for text in pair) else "\n\n"


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
