"""A passage as the parts that can be quoted: sentences, lists, code, tables and formulas, each whole."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.tutor.markup import plain, without_verbatim
from agents.tutor.wording import content_stems, count_words
from rag.results import RetrievalResult
from rag.sentences import sentences

UnitKind = Literal["sentence", "item", "steps", "bullets", "code", "table", "formula"]

_FENCE = re.compile(r"^\s*(```+|~~~+)")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+\S")
_NUMBERED = re.compile(r"^\s*\d{1,3}[.)]\s")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+")
_TABLE_LINE = re.compile(r"^\s*\|.*\|\s*$")
_HEADING = re.compile(r"^\s*#{1,6}\s")
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|approx|resp|etc|Fig|Eq|Sec|Ch|No|Dr|Prof|Mr|Mrs|St))\.$")
_LEANS_BACK = re.compile(
    r"^(?:it|its|they|them|their|this|these|that|those|such|he|she|both|the former|the latter|the two|the same|"
    r"the other|the first|the second|the third|the last|the opposite|another|otherwise|instead|however|"
    r"therefore|thus|hence|then|but|so|and|or|yet|first|second|third|finally|nor|neither|also|as a result|"
    r"for this reason|in (?:the|this|that) (?:example|case|formula|way)|with (?:this|that|these)|here|there|"
    r"a second|the answer|the result|the following|each one|one of them|in contrast|on the other hand|similarly|"
    r"consequently|moreover|furthermore|additionally|in addition|in other words|for example|for instance)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:of|in|to|by|for|with|at|on|from|reads?|under|over) (?:that|this|these|those) [a-z]+|"
    r"\b(?:this|these) [a-z]+",
    re.IGNORECASE,
)
_POINTS_ELSEWHERE = re.compile(
    r"\b(?:below|above|following|in the example|this (?:chapter|section|course|lesson|module|page|book)|"
    r"the (?:script|program|code|table|figure|diagram|goal|call) (?:below|above|at the end))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One part of a passage, as it can be shown."""

    kind: UnitKind
    text: str  # without markup; code, tables and formulas as they stand
    source: RetrievalResult
    order: int  # place in the passage
    paragraph: int
    leans_back: bool = False  # not to be understood without the unit before it
    points_elsewhere: bool = False  # speaks of something that is not in the sentence
    introduces: bool = False  # ends in a colon: says what the next unit is
    stems: frozenset[str] = frozenset()

    @property
    def is_block(self) -> bool:
        return self.kind not in ("sentence", "item")

    @property
    def words(self) -> int:
        return count_words(self.text)

    @property
    def key(self) -> tuple[str, int]:
        return self.source.chunk_id, self.order


@dataclass(frozen=True, slots=True)
class _Block:
    kind: Literal["prose", "list", "code", "table", "formula"]
    text: str


def read_all(results: Sequence[RetrievalResult]) -> list[Unit]:
    return [unit for result in results for unit in read(result)]


def read(result: RetrievalResult) -> list[Unit]:
    """The passage's units in reading order; a list's items come after the list as a whole."""
    units: list[Unit] = []
    for paragraph, block in enumerate(_blocks(result.chunk_text)):
        for kind, text in _parts(block):
            units.append(_unit(kind, text, result, order=len(units), paragraph=paragraph))
    return units


def _unit(kind: UnitKind, text: str, result: RetrievalResult, *, order: int, paragraph: int) -> Unit:
    bare = without_verbatim(text) if kind in ("sentence", "item") else ""
    return Unit(
        kind=kind,
        text=text,
        source=result,
        order=order,
        paragraph=paragraph,
        leans_back=bool(_LEANS_BACK.match(text) or _POINTS_BACK.search(bare)),
        points_elsewhere=bool(_POINTS_ELSEWHERE.search(bare)),
        introduces=text.endswith(":"),
        stems=content_stems(text),
    )


def _parts(block: _Block) -> Iterator[tuple[UnitKind, str]]:
    if block.kind == "prose":
        for sentence in whole_sentences(block.text):
            if text := plain(sentence):
                yield "sentence", text
    elif block.kind == "list":
        yield from _list_parts(block.text)
    elif block.text.strip():
        yield block.kind, block.text


def _list_parts(text: str) -> Iterator[tuple[UnitKind, str]]:
    items = _items(text)
    marks = [match.group().strip() if (match := _BULLET.match(item)) else "-" for item in items]
    shown = [plain(_BULLET.sub("", item)) for item in items]
    kept = [(mark, item) for mark, item in zip(marks, shown, strict=True) if item]
    if not kept:
        return
    if len(kept) > 1:
        kind: UnitKind = "steps" if _NUMBERED.match(text) else "bullets"
        yield kind, "\n".join(f"{mark} {item}" for mark, item in kept)
    for _, item in kept:
        for sentence in whole_sentences(item):
            yield "item", sentence


def _items(text: str) -> list[str]:
    items: list[str] = []
    for line in text.splitlines():
        if _ITEM.match(line) or not items:
            items.append(line)
        else:
            items[-1] += "\n" + line
    return items


def whole_sentences(text: str) -> list[str]:
    """Sentences that are not cut inside code, a formula or after an abbreviation."""
    starts: list[int] = []
    position = 0
    for piece in sentences(text):
        position = text.find(piece, position)
        starts.append(position)
        position += len(piece)
    found: list[str] = []
    open_piece = ""
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        open_piece += text[start:end]
        if not _is_cut(open_piece.rstrip()):
            found.append(open_piece.strip())
            open_piece = ""
    if open_piece.strip():
        found.append(open_piece.strip())
    return found


def _is_cut(text: str) -> bool:
    return text.count("`") % 2 == 1 or text.count("$") % 2 == 1 or bool(_ABBREVIATED.search(text))


def _blocks(text: str) -> Iterator[_Block]:
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip() or _HEADING.match(line):
            at += 1
            continue
        kind, end = _extent(lines, at)
        yield _Block(kind, "\n".join(lines[at:end]))
        at = end


def _extent(lines: Sequence[str], at: int) -> tuple[Literal["prose", "list", "code", "table", "formula"], int]:
    """What kind of block starts at this line, and where it ends."""
    line = lines[at]
    if fence := _FENCE.match(line):
        mark = fence.group(1)
        return "code", _after(lines, at + 1, lambda later: later.strip().startswith(mark))
    if line.strip().startswith("$$"):
        if line.strip().endswith("$$") and len(line.strip()) > 4:
            return "formula", at + 1
        return "formula", _after(lines, at + 1, lambda later: later.strip().endswith("$$"))
    if _TABLE_LINE.match(line):
        return "table", _while(lines, at, lambda later: bool(_TABLE_LINE.match(later)))
    if _ITEM.match(line):
        return "list", _end_of_list(lines, at)
    return "prose", _while(lines, at, lambda later: not _starts_block(later))
