"""A stretch of a course cut into parts, each as long as one lesson."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from agents.language.blocks import BlockKind, is_caption, items, joined, plain, split_blocks, whole_sentences
from agents.language.headings import (
    above_examples,
    heading_name,
    is_about_the_book,
    is_aside,
    is_frame,
    is_worked_example,
)
from agents.language.words import STOP, TermKey, term_key
from agents.teaching.values import Concept, Passage

FEWEST_WORDS, MOST_WORDS = 150, 350
MOST_CONCEPTS = 4
MOST_PARTS = 5  # of a page: more than that is a course of its own

_BELONGS_TO_WHAT_IS_BEFORE = ("code", "formula", "table", "picture")
_ENTRY = re.compile(r"\*\*[^*\n]+\*\*(?:, \*\*[^*\n]+\*\*)*:")  # of a list of terms
_MOST_LISTED = 150  # words
_LONGER = 1.25  # times as long may a part be, until a page has no more of them than it should
_TITLE_LINE = re.compile(r"\*\*[^*\n]+\*\*")
_LONGEST_WORD = 40
_LAST_WORD = re.compile(r"[a-z]+\Z", re.IGNORECASE)
_GOES_ON = re.compile(r"[a-zß-öø-ÿ]\w*[ ,]")
# 'The steps are as follows.', 'Consider the example below.'
_LEADS_ON = re.compile(r"\b(?:following|follows|below)\b[^.!?]*[.!?]\Z", re.IGNORECASE)
_CUT_INSIDE_A_SECTION = 0.25
_SECTION_INSIDE_A_PART = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One block in its place."""

    text: str
    kind: BlockKind
    passage: Passage
    concepts: tuple[Concept, ...] = ()

    @property
    def words(self) -> int:
        """What has to be read: code and tables are looked at rather than read word by word."""
        return len(self.text.split()) if self.kind in ("paragraph", "list") else 0

    @property
    def section(self) -> tuple[str, tuple[str, ...]]:
        return self.passage.chapter_id, self.passage.heading_hierarchy


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one lesson shows: blocks that stand one after the other, and the concepts that they teach."""

    pieces: tuple[Piece, ...]
    concepts: tuple[Concept, ...]
    title: str = ""  # the heading that most of it stands under

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(concept.name for concept in self.concepts)

    @property
    def words(self) -> int:
        return sum(piece.words for piece in self.pieces)


def pieces_of(page: Sequence[Passage], concepts: Mapping[str, Sequence[Concept]]) -> list[Piece]:
    """The blocks of a page's passages in their order; each concept goes with the block that names it first."""
    own = blocks_of(page)
    placed: dict[int, list[Concept]] = {}
    places: dict[str, list[int]] = {}
    for place, piece in enumerate(own):
        places.setdefault(piece.passage.chunk_id, []).append(place)
    for passage in page:
        here = places.get(passage.chunk_id, [])
        for concept in concepts.get(passage.chunk_id, ()):
            naming = (place for place in here if concept.name.lower() in own[place].text.lower())
            place = next(naming, here[0] if here else 0)
            placed.setdefault(place, []).append(concept)
    return [replace(piece, concepts=tuple(placed.get(place, ()))) for place, piece in enumerate(own)]


def without_announcements(pieces: Sequence[Piece]) -> list[Piece]:
    """A stretch that begins with its subject, rather than with what the reader is going to learn."""
    whole = groups(pieces)
    first = next((at for at, group in enumerate(whole) if not announces(group[0].kind, group[0].text)), 0)
    return [piece for group in whole[first:] for piece in group]


def announces(kind: BlockKind, text: str) -> bool:
    """Words about the book itself, or a list of what the reader is to be able to do."""
    if kind == "list":
        said = [is_aside(plain(item).lstrip("-*+ ")) for item in items(text)]
        return sum(said) * 2 > len(said)
    sentences = whole_sentences(plain(text))
    asides = sum(map(is_aside, sentences))
    begins_so = bool(sentences) and is_about_the_book(sentences[0]) and asides * 2 >= len(sentences)
    return kind == "paragraph" and (begins_so or asides == len(sentences))


def cut(pieces: Sequence[Piece], *, central: Collection[TermKey] = ()) -> tuple[Part, ...]:
    """The parts that come nearest to a lesson's length, rather cut between sections than inside one.

    Where a page would have too many they grow; of more concepts than a part can ask about, the central ones count.
    """
    whole = groups(pieces)
    sizes = [_Size.of(group) for group in whole]
    most, fewest = _most_parts(pieces), len({piece.passage.chapter_id for piece in pieces})
    length = float(MOST_WORDS)
    starts = _starts(sizes, length)
    while len(starts) > max(most, fewest, 1):
        length *= _LONGER
        starts = _starts(sizes, length)
    found = [
        [piece for group in whole[start:end] for piece in group]
        for start, end in zip(starts, [*starts[1:], len(whole)], strict=True)
    ]
    return _named(found, most=most, central=central)


def _most_parts(pieces: Sequence[Piece]) -> int:
    """A page has up to five parts, a short one fewer."""
    words: dict[str, int] = {}
    for piece in pieces:
        words[piece.passage.chapter_id] = words.get(piece.passage.chapter_id, 0) + piece.words
    return sum(min(MOST_PARTS, -(-count // FEWEST_WORDS) or 1) for count in words.values())


def _starts(sizes: Sequence["_Size"], length: float) -> list[int]:
    """Where the parts begin that are as long as wanted."""
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(sizes) + 1):
        best.append(min(_endings(sizes, end, best, length)))
    starts, at = [], len(sizes)
    while at:
        at = best[at][1]
        starts.append(at)
    return starts[::-1]


class _Size(NamedTuple):
    """What a group adds to a part; counted once, because every ending of the cut asks for it."""

    words: int
    concepts: int
    begins_in: tuple[str, tuple[str, ...]]
    ends_in: tuple[str, tuple[str, ...]]

    @classmethod
    def of(cls, group: Sequence[Piece]) -> "_Size":
        return cls(
            sum(piece.words for piece in group),
            sum(len(piece.concepts) for piece in group),
            group[0].section,
            group[-1].section,
        )


def _endings(
    sizes: Sequence[_Size], end: int, best: Sequence[tuple[float, int]], length: float
) -> Iterable[tuple[float, int]]:
    words = concepts = changes = 0
    longer = length / MOST_WORDS
    fewest, most_concepts = FEWEST_WORDS * longer, MOST_CONCEPTS * longer
    for start in range(end - 1, -1, -1):
        words += sizes[start].words
        concepts += sizes[start].concepts
        changes += start + 1 < end and sizes[start].ends_in != sizes[start + 1].begins_in
        inside = start > 0 and sizes[start - 1].ends_in == sizes[start].begins_in
        cost = (
            1.5 * max(0, fewest - words) / fewest
            + 4 * max(0, words - length) / length
            + 0.5 * max(0, concepts - most_concepts)
            + _CUT_INSIDE_A_SECTION * inside
            + _SECTION_INSIDE_A_PART * changes
        )
        yield best[start][0] + cost, start
        if words > 2 * length and start < end - 1:
            return


def groups(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """What must not be parted: a line that announces something and what it announces, a text and its code."""
    found: list[list[Piece]] = []
    for piece in pieces:
        if found and _belongs_to(found[-1], piece):
            found[-1].append(piece)
        else:
            found.append([piece])
    return found


def _belongs_to(group: Sequence[Piece], piece: Piece) -> bool:
    before = group[-1]
    return before.passage.chapter_id == piece.passage.chapter_id and (
        _is_open(before)
        or piece.kind in _BELONGS_TO_WHAT_IS_BEFORE
        or bool(_GOES_ON.match(piece.text))
        or (before.kind == "picture" and is_caption(piece.text))
        or _is_one_example(before, piece)
        or _goes_on_listing(group, piece)
    )


def _is_open(before: Piece) -> bool:
    """A line that announces what comes next, or that is no whole sentence by itself."""
    text = before.text.rstrip()
    if text.endswith((":", ",")) or _LEADS_ON.search(text) or is_title_line(text):
        return True
    last = _LAST_WORD.search(text[-_LONGEST_WORD:])
    return before.kind == "paragraph" and last is not None and last[0].lower() in STOP


def is_title_line(text: str) -> bool:
    """'**Solution**' on a line of its own."""
    return bool(_TITLE_LINE.fullmatch(text.strip()))


def _is_one_example(before: Piece, piece: Piece) -> bool:
    """A worked example is read with its solution; what it is an example of stands before it."""
    return before.section == piece.section and any(
        map(is_worked_example, piece.passage.heading_hierarchy[1:])
    )


def _goes_on_listing(group: Sequence[Piece], piece: Piece) -> bool:
    """Whether it is the next entry of a list of terms that is short enough to be read in one go."""
    both = _ENTRY.match(group[-1].text) and _ENTRY.match(piece.text)
    taught = sum(len(each.concepts) for each in (*group, piece))
    return (
        bool(both) and taught <= MOST_CONCEPTS and sum(each.words for each in (*group, piece)) <= _MOST_LISTED
    )


def _named(found: Sequence[Sequence[Piece]], *, most: int, central: Collection[TermKey]) -> tuple[Part, ...]:
    """Each part with the concepts that it teaches; one without any is called by its heading."""
    concepts = frozenset(
        term_key(concept.name) for pieces in found for piece in pieces for concept in piece.concepts
    )
    taken = set(concepts)
    parts: list[Part] = []
    for place, pieces in enumerate(found):
        named = {concept.name: concept for piece in pieces for concept in piece.concepts}
        own = tuple(named.values()) or (_by_heading(pieces[0], taken, elsewhere=concepts),)
        taken |= {term_key(concept.name) for concept in own}
        # A paragraph that is full of terms is read again for the next of them, where there are not too many parts.
        times = max(1, min(-(-len(own) // MOST_CONCEPTS), most - len(parts) - (len(found) - place - 1)))
        own = _most_central(own, central, most=times * MOST_CONCEPTS)
        parts += [
            Part(pieces=tuple(pieces), concepts=own[first : first + MOST_CONCEPTS], title=_title(pieces))
            for first in range(0, len(own), MOST_CONCEPTS)
        ]
    return tuple(parts)


def _most_central(
    concepts: Sequence[Concept], central: Collection[TermKey], *, most: int
) -> tuple[Concept, ...]:
    """What the author promises or sums up comes before what has an entry of its own, and that before the rest."""

    def rank(concept: Concept) -> tuple[bool, bool]:
        return term_key(concept.name) not in central, concept.kind not in ("glossary", "heading")

    kept = {concept.name for concept in sorted(concepts, key=rank)[:most]}
    return tuple(concept for concept in concepts if concept.name in kept)


def _title(pieces: Sequence[Piece]) -> str:
    """The heading above a part; of several, the one with most to read."""
    words: dict[str, int] = {}
    for piece in pieces:
        path = above_examples(piece.passage.heading_hierarchy) or piece.passage.heading_hierarchy
        name = next((own for each in reversed(path) if not is_frame(term_key(own := heading_name(each)))), "")
        name = name or heading_name(piece.passage.title)
        words[name] = words.get(name, 0) + piece.words
    return max(words, key=lambda name: words[name], default="")


def _by_heading(piece: Piece, taken: Collection[TermKey], *, elsewhere: Collection[TermKey]) -> Concept:
    """What a part is called that teaches no concept: by a heading that is none that another part teaches."""
    passage = piece.passage
    path = above_examples(passage.heading_hierarchy) or passage.heading_hierarchy
    headings = [heading_name(each) for each in reversed(path)] + [passage.title]
    free = (each for each in headings if each and term_key(each) not in elsewhere)
    name = next(free, next((each for each in headings if each), passage.title))
    number = 1
    while term_key(_numbered(name, number)) in taken:
        number += 1
    return Concept(
        name=_numbered(name, number),
        definition="",
        kind="section",
        chapter_id=passage.chapter_id,
        chunk_id=passage.chunk_id,
        position=0,
    )


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}, continued {number - 1}".removesuffix(" 1")


def blocks_of(passages: Sequence[Passage]) -> tuple[Piece, ...]:
    """The blocks of a page's passages, each whole and with the chunk to cite."""
    return tuple(_whole(group) for group in _pieces_of(passages))


def _pieces_of(passages: Sequence[Passage]) -> Iterator[list[tuple[Passage, BlockKind, str]]]:
    """The pieces of each block; a chunk that continues begins within the last one."""
    held: list[tuple[Passage, BlockKind, str]] = []
    for passage in passages:
        for number, (kind, text) in enumerate(split_blocks(passage.chunk_text)):
            if held and not (passage.continues and number == 0):
                yield held
                held = []
            held.append((passage, kind, text))
    if held:
        yield held


def _whole(group: Sequence[tuple[Passage, BlockKind, str]]) -> Piece:
    first, kind, text = group[0]
    whole = joined(kind, [piece for _, _, piece in group]) if len(group) > 1 else text
    return Piece(text=whole, kind=kind, passage=first)
