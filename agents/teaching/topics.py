"""Where a course teaches what a learner names: by its titles, headings and terms, and by what a search finds."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from agents.teaching.words import same_text, stem
from rag.headings import heading_name, teaches
from rag.terms import words_of

# What a learner puts around the name of a topic, in any course.
_AROUND = frozenset(
    "the a an of in on about and to for with some more basic basics introduction intro chapter section lesson part unit "
    "how what is are do does work works working my your our using use der die das ein eine und von mit im".split()
)
_TYPING_SLIP = 84  # of 100
_SHORT = 4  # letters; a shorter word has no slips, it is another word
_PART = re.compile(r"[,:]?\s*\(?\bpart\s+(\d{1,3})(?:\s+of\s+\d{1,3})?\)?$", re.IGNORECASE)

# How much each kind of evidence says; fitted on the topics of evals/courses.py.
_TITLE, _HEADING, _TERM, _UNIT, _SEARCH, _TEXT = 1.0, 0.85, 0.8, 0.95, 0.5, 0.3
_EXACT, _EXACT_INSIDE = 0.8, 0.25  # the very name of a page, or of something on it
_SURE = 0.75  # a name as like as this is what was meant
_COVERED = 0.5  # of the words asked for; fewer in what a search finds, and the course does not have it


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Somewhere in a course that a learner can name: a unit, a page, or a section of one."""

    name: str
    kind: str  # title, heading, term or unit
    chapter_id: str
    headings: tuple[str, ...] = ()  # of a section; empty for a whole page


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One passage that a search for the learner's words found."""

    chapter_id: str
    headings: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The place that teaches what was asked for, and how sure that is."""

    place: Place
    likeness: float  # of its name to what was asked for
    score: float

    @property
    def is_sure(self) -> bool:
        return self.likeness >= _SURE


def wanted_part(text: str) -> tuple[str, int]:
    """'Ownership, part 2 of 3' is the topic and the part; no part is 0."""
    found = _PART.search(text)
    return (text[: found.start()].strip(), int(found.group(1))) if found else (text.strip(), 0)


def part_label(topic: str, part: int, parts: int) -> str:
    """A topic, and which part of it; what is taught in one go has no parts."""
    return f"{topic}, part {part} of {parts}" if parts > 1 else topic


def locate(wanted: str, places: Iterable[Place], hits: Sequence[Hit]) -> Match | None:
    """The best place; None when neither a name nor the text of what a search found is about it."""
    words = key_words(wanted)
    if not words:
        return None
    weight = _search_weights(hits)
    named_by = list(places)
    rarity = _rarity([key_words(place.name) for place in named_by])
    found = [each for place in named_by if (each := _match(words, wanted, place, weight, rarity))]
    named = max(found, key=lambda each: each.score, default=None)
    if named and (named.is_sure or not hits):
        return named
    by_text = _by_text(words, hits, weight)
    return max((each for each in (named, by_text) if each), key=lambda each: each.score, default=None)


def _match(
    words: tuple[str, ...],
    wanted: str,
    place: Place,
    weight: Mapping[str, float],
    rarity: Mapping[str, float],
) -> Match | None:
    alike = likeness(words, key_words(place.name), rarity)
    if not alike and not _abbreviates(wanted, place.name):
        return None
    alike = max(alike, 0.9 if _abbreviates(wanted, place.name) else 0.0)
    if alike < 0.4:
        return None
    worth = {"title": _TITLE, "heading": _HEADING, "term": _TERM, "unit": _UNIT}[place.kind]
    score = worth * alike + _SEARCH * weight.get(place.chapter_id, 0.0)
    if same_text(place.name) == same_text(wanted):
        score += _EXACT if place.kind in ("title", "unit") else _EXACT_INSIDE
    return Match(place=place, likeness=alike, score=score)


def _by_text(words: tuple[str, ...], hits: Sequence[Hit], weight: Mapping[str, float]) -> Match | None:
    """Where no name is like it: the section of the best hit that holds the words that were asked for."""
    for hit in hits:
        text = set(key_words(" ".join((*hit.headings, hit.text))))
        covered = sum(any(_same(word, other) for other in text) for word in words) / len(words)
        if covered > _COVERED:
            place = Place(
                name=hit.headings[-1] if hit.headings else "",
                kind="heading",
                chapter_id=hit.chapter_id,
                headings=hit.headings,
            )
            # What sets work only says on which page it is taught.
            if not teaches(hit.headings, chapter_id=hit.chapter_id):
                place = Place(name="", kind="title", chapter_id=hit.chapter_id)
            score = _TEXT * covered + _SEARCH * weight.get(hit.chapter_id, 0.0)
            return Match(place=place, likeness=0.0, score=score)
    return None


def _search_weights(hits: Sequence[Hit]) -> dict[str, float]:
    """How much of what was found lies in each page; the first hits say most."""
    weights: dict[str, float] = {}
    for rank, hit in enumerate(hits, 1):
        weights[hit.chapter_id] = weights.get(hit.chapter_id, 0.0) + 1 / rank
    total = max(weights.values(), default=1.0)
    return {chapter: weight / total for chapter, weight in weights.items()}


@lru_cache(maxsize=65536)
def key_words(name: str) -> tuple[str, ...]:
    """The stems that make a name what it is; all of them where nothing else is left."""
    words = words_of(heading_name(name).replace("_", " ").replace("-", " "))
    kept = [word for word in words if word not in _AROUND] or words
    return tuple(dict.fromkeys(stem(word) for word in kept))


def _rarity(names: Sequence[tuple[str, ...]]) -> dict[str, float]:
    """How much a word tells: one that half of the course's names have says little about which is meant."""
    counts = Counter(word for name in names for word in name)
    return {word: 1 / math.log2(1 + count) for word, count in counts.items()}


def likeness(asked: tuple[str, ...], name: tuple[str, ...], rarity: Mapping[str, float]) -> float:
    """How much of each is in the other, 0..1; what was asked for counts more than what the name says beside it."""
    found = _shared(asked, name, rarity)
    return found**0.7 * _shared(name, asked, rarity) ** 0.3 if found else 0.0


def _shared(words: tuple[str, ...], other: tuple[str, ...], rarity: Mapping[str, float]) -> float:
    weights = {word: rarity.get(word, 1.0) for word in words}
    shared = sum(weights[word] for word in words if any(_same(word, each) for each in other))
    return shared / sum(weights.values()) if words else 0.0


@lru_cache(maxsize=262144)
def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    if min(len(one), len(other)) <= _SHORT or one[0] != other[0]:
        return False
    return fuzz.ratio(one, other) >= _TYPING_SLIP


def _abbreviates(wanted: str, name: str) -> bool:
    """'GANs' for 'Generative Adversarial Networks' and for 'Generative networks (GAN)'."""
    short, long = re.sub(r"s$", "", wanted.strip()), name
    if len(short) > len(long):
        short, long = long, wanted
    if not 2 <= len(short) <= 6 or not short.isalpha() or " " in short:
        return False
    initials = "".join(word[0] for word in re.findall(r"[A-Za-z]+", long)).lower()
    return len(long.split()) > 1 and initials == short.lower()
