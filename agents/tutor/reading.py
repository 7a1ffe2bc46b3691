"""A passage as the parts that can be quoted: sentences, lists, code, tables and formulas, each whole."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agents.tutor.blocks import Block, blocks, items, whole_sentences
from agents.tutor.markup import bare, plain, without_verbatim
from agents.tutor.wording import content_stems, count_words
from rag.results import RetrievalResult

UnitKind = Literal["sentence", "item", "step", "steps", "bullets", "code", "table", "formula"]

_SAID: tuple[UnitKind, ...] = ("sentence", "item", "step")

_NUMBERED = re.compile(r"^\s*\d{1,3}[.)]\s")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+")
_LEANS_BACK = re.compile(
    r"^(?:it|its|they|them|their|this|these|that|those|such|he|she|both|the former|the latter|the two|the same|"
    r"the other|the first|the second|the third|the last|the opposite|another|otherwise|instead|however|"
    r"therefore|thus|hence|then|but|so|and|or|yet|first|second|third|finally|nor|neither|also|as a result|"
    r"for this reason|in (?:the|this|that) (?:example|case|formula|way)|with (?:this|that|these)|here|there|"
    r"a second|the answer|the result|each one|one of them|in contrast|on the other hand|similarly|"
    r"consequently|moreover|furthermore|additionally|in addition|in other words|for example|for instance)\b|"
    r"^(?:most importantly|more importantly|importantly|in general|generally|typically|usually|often|in fact|indeed|"
    r"eventually|ultimately|overall|unfortunately|fortunately|interestingly|in turn|at first|initially), "
    r"(?:it|they|this|these|those|he|she)\b|^each way\b",
    re.IGNORECASE,
)
# 'The queue then fills', 'the second list': something was said before.
_GOES_ON = re.compile(
    r"^(?:\S+ ){1,6}(?<!and )(?:then|therefore|thus)\b|\bthe (?:first|second|third|former|latter) [a-z]+|\bsuch an? [a-z]+",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:of|in|to|by|for|with|at|on|from|reads?|under|over) (?:that|this|these|those) (?P<noun>[a-z]+)|"
    r"\b(?:this|these) (?P<other>[a-z]+)",
    re.IGNORECASE,
)
# 'just below the surface' is a place in the world, not on the page.
_POINTS_ELSEWHERE = re.compile(
    r"\b(?:(?:below|above)(?! (?:the|an?|its|their|our|your|this|that|ground|sea|water|average|freezing|\d+)\b)|"
    r"following(?! an?\b)|in the example|this (?:chapter|section|course|lesson|module|page|book)|"
    r"at the end)\b(?! [a-z]+ (?:it|them|zero)\b)",
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
    goes_on: bool = False  # easier to understand after the unit before it
    points_elsewhere: bool = False  # speaks of something that is not in the sentence
    introduces: bool = False  # ends in a colon: says what the next unit is
    stems: frozenset[str] = frozenset()

    @property
    def is_block(self) -> bool:
        return self.kind not in _SAID

    @property
    def words(self) -> int:
        return count_words(self.text)

    @property
    def key(self) -> tuple[str, int]:
        return self.source.chunk_id, self.order


def leans_back(text: str) -> bool:
    """Whether a text opens with a word that stands for something said before it."""
    return bool(_LEANS_BACK.match(text))


def read_all(results: Sequence[RetrievalResult]) -> list[Unit]:
    return [unit for result in results for unit in read(result)]


def read(result: RetrievalResult) -> list[Unit]:
    """The passage's units in reading order; a list's items come after the list as a whole."""
    return [
        Unit(
            kind=part.kind,
            text=part.text,
            source=result,
            order=order,
            paragraph=part.paragraph,
            leans_back=part.leans_back,
            goes_on=part.goes_on,
            points_elsewhere=part.points_elsewhere,
            introduces=part.text.endswith(":"),
            stems=part.stems,
        )
        for order, part in enumerate(_read_text(result.chunk_text))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    kind: UnitKind
    text: str
    paragraph: int
    leans_back: bool
    goes_on: bool
    points_elsewhere: bool
    stems: frozenset[str]


@lru_cache(maxsize=4096)
def _read_text(text: str) -> tuple[_Part, ...]:
    """What a text is made of; kept, because the same passages come up again and again."""
    return tuple(
        _part(kind, said, paragraph)
        for paragraph, block in enumerate(blocks(text))
        for kind, said in _parts(block)
    )


def _part(kind: UnitKind, text: str, paragraph: int) -> _Part:
    bare = without_verbatim(text) if kind in _SAID else ""
    return _Part(
        kind=kind,
        text=text,
        paragraph=paragraph,
        leans_back=leans_back(text),
        goes_on=_goes_on(bare),
        points_elsewhere=bool(_POINTS_ELSEWHERE.search(bare)),
        stems=content_stems(text),
    )


def _goes_on(text: str) -> bool:
    if _GOES_ON.search(text):
        return True
    # 'a map of a place and its pose in that map' brings its own map along.
    pointing = ((match, match["noun"] or match["other"]) for match in _POINTS_BACK.finditer(text))
    return any(noun.lower() not in text[: match.start()].lower() for match, noun in pointing)


def _parts(block: Block) -> Iterator[tuple[UnitKind, str]]:
    if block.kind == "prose":
        for sentence in whole_sentences(block.text):
            if text := bare(plain(sentence)):
                yield "sentence", text
    elif block.kind == "list":
        yield from _list_parts(block.text)
    elif block.text.strip():
        yield block.kind, block.text


def _list_parts(text: str) -> Iterator[tuple[UnitKind, str]]:
    found = items(text)
    marks = [match.group().strip() if (match := _BULLET.match(item)) else "-" for item in found]
    shown = [bare(plain(_BULLET.sub("", item))) for item in found]
    kept = [(mark, item) for mark, item in zip(marks, shown, strict=True) if item]
    if not kept:
        return
    numbered = bool(_NUMBERED.match(text))
    if len(kept) > 1:
        yield "steps" if numbered else "bullets", "\n".join(f"{mark} {item}" for mark, item in kept)
    for _, item in kept:
        for sentence in whole_sentences(item):
            yield "step" if numbered else "item", sentence
