"""A course's terms: where a sentence names them, and which of them a learner may confuse."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agents.teaching.words import content_set
from rag.terms import TermKey, singular, term_key
from storage.course import Concept

_WORD = re.compile(r"[a-z0-9]+(?:[-'+#/][a-z0-9]+)*[+#]*")
_CODE = re.compile(r"`[^`]*`")
_LONG_WORD = 11
_NEIGHBOURS = 40
_SMALL_COURSE = 300  # a small course means the same by a term everywhere
_DESCRIBES_A_QUALITY = re.compile(
    r"^(?:having|being|able|capable|relating|pertaining|describes?|refers|of or|in which|when|to |not |lacking|"
    r"containing|consisting|occurring|located|toward|characterized|requiring|using|made|similar|producing|growing|living|"
    r"carrying|showing|possessing|bearing|feeding|moving)\b",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(r"[a-z-]+(?:ous|phobic|philic|trophic|carpic|genic|tonic|gonic|bolic|inear|stream)")
_NOT_A_TERM = re.compile(
    r"^(?:the |other|more |common|major|various|general|working|using|choosing|understanding|exploring|introduction|what|why|how|when|importance|types? of|getting|"
    r"building|creating|making|defining|a )|[!?:;,&]| (?:and|or|vs\.?|is|are|for|with|to) ",
    re.IGNORECASE,
)


# A quiz reads the whole course's list of terms again: their keys are worth remembering.
_key_of = lru_cache(maxsize=32768)(term_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One place of a text that names a concept."""

    concept: Concept
    start: int
    end: int


class TermBook:
    """The concepts of a course by name and by chapter."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._by_key: dict[TermKey, Concept] = {}
        for concept in concepts:
            key = _key_of(concept.name)
            if key:
                self._by_key.setdefault(key, concept)
        self._by_first: dict[str, list[TermKey]] = {}
        for key in self._by_key:
            self._by_first.setdefault(key[0], []).append(key)
        for keys in self._by_first.values():
            keys.sort(key=len, reverse=True)
        self._ordered = sorted(self._by_key.values(), key=lambda concept: concept.position)
        self._place = {concept.name: place for place, concept in enumerate(self._ordered)}

    def find(self, name: str) -> Concept | None:
        return self._by_key.get(_key_of(name))

    def mentions(self, text: str, *, chapter_id: str) -> list[Mention]:
        """The concepts that a text names, the longest first where they overlap."""
        return list(self._mentions(text, chapter_id))

    def neighbours(self, concept: Concept) -> Sequence[Concept]:
        """Concepts taught around one, nearest first."""
        place = self._place.get(concept.name)
        if place is None:
            return []
        around = self._ordered[max(0, place - _NEIGHBOURS) : place + _NEIGHBOURS + 1]
        return sorted(
            (other for other in around if other.name != concept.name),
            key=lambda other: (abs(self._place[other.name] - place), other.name),
        )

    def _mentions(self, text: str, chapter_id: str) -> Iterator[Mention]:
        words = [
            (singular(m.group()), m.start(), m.end()) for m in _WORD.finditer(text.lower().replace("’", "'"))
        ]
        code = [match.span() for match in _CODE.finditer(text)]
        place = 0
        while place < len(words):
            key = self._key_at([word for word, _, _ in words[place : place + 6]])
            if not key:
                place += 1
                continue
            start, end = words[place][1], words[place + len(key) - 1][2]
            concept = self._by_key[key]
            small = len(self._ordered) <= _SMALL_COURSE
            if not _inside(code, start, end) and (small or _is_meant(concept, key, chapter_id)):
                yield Mention(concept=concept, start=start, end=end)
            place += len(key)

    def _key_at(self, words: Sequence[str]) -> TermKey:
        return next(
            (key for key in self._by_first.get(words[0], ()) if tuple(words[: len(key)]) == key),
            (),
        )


def name_stems(concept: Concept) -> frozenset[str]:
    """The meaningful words of a term, without the short form in brackets."""
    return content_set(bare_name(concept.name))


@lru_cache(maxsize=16384)
def bare_name(name: str) -> str:
    return re.sub(r"\s*\([^)]*\)", "", name) or name


def is_term(concept: Concept) -> bool:
    """Whether a concept's name reads as a term: headings often do not."""
    return concept.kind != "heading" or (
        len(concept.name.split()) <= 3 and not _NOT_A_TERM.search(concept.name)
    )


def is_quality(concept: Concept) -> bool:
    """Whether the term is an adjective or the like: 'heterozygous: having two different alleles'."""
    if re.match(r"(?:an?|the)\s", concept.definition, re.IGNORECASE):
        return False
    return bool(_DESCRIBES_A_QUALITY.match(concept.definition) or _ADJECTIVE.fullmatch(concept.name))


def is_proper(name: str) -> bool:
    """Whether a term is a name: 'Gazebo', 'ROS 2', 'Isaac Sim'."""
    return name[:1].isupper()


def _inside(code: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(left < end and start < right and (start > left + 1 or end < right - 1) for left, right in code)


def _is_meant(concept: Concept, key: TermKey, chapter_id: str) -> bool:
    """A single word has many meanings in a long book: it is the term only in the chapter that teaches it."""
    return len(key) > 1 or len(key[0]) >= _LONG_WORD or concept.chapter_id == chapter_id
