"""The terms of a course: how they are written, and which may be taken for each other."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat

from agents.language.words import (
    TermFinder,
    TermKey,
    content_set,
    content_stems,
    likeness,
    term_key,
)
from agents.teaching.questions.grammar import FUNCTION_WORDS
from agents.teaching.values import Concept

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
        self._finder = TermFinder(self._by_key)
        self._ordered = sorted(self._by_key.values(), key=lambda concept: concept.position)
        self._place = {concept.name: place for place, concept in enumerate(self._ordered)}

    def find(self, name: str) -> Concept | None:
        return self._by_key.get(_key_of(name))

    def mentions(self, text: str, *, chapter_id: str) -> list[Mention]:
        """The concepts that a text names, the longest first where they overlap."""
        code = [match.span() for match in _CODE.finditer(text)]
        is_small = len(self._ordered) <= _SMALL_COURSE
        return [
            Mention(concept=self._by_key[key], start=start, end=end)
            for key, start, end in self._finder.spans(text)
            if not _inside(code, start, end) and (is_small or _is_meant(self._by_key[key], key, chapter_id))
        ]

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


_TITLED = re.compile(r" ([A-Z][a-z]+)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Casing:
    """What the passages show: words seen with a capital inside a sentence, and words seen without."""

    names: frozenset[str]
    common: frozenset[str]

    def inside(self, text: str) -> str:
        """A sentence's start as it reads in the middle of one; 'Decision Trees' loses both capitals."""
        first = re.match(r"[^\s,;:]+", text)
        if first is None:
            return text
        word = first.group().strip("(“\"'")
        keeps = word.lower() not in FUNCTION_WORDS and (_is_special(word) or self._is_name(word))
        if keeps:
            return text
        start = first.end()
        while more := _TITLED.match(text, start):
            if more[1].lower() not in self.common or self._is_name(more[1]):
                break
            start = more.end()
        return text[0].lower() + text[1 : first.end()] + text[first.end() : start].lower() + text[start:]

    def shown(self, concept: Concept) -> str:
        """A term as it reads in running text: headings and first words of sentences lose their capitals."""
        if concept.kind == "glossary":
            return concept.name
        words = [word.lower() if word.lower() in self.common else word for word in concept.name.split(" ")]
        if any(word.islower() for word in words[1:]) and not (
            _is_special(words[0]) or self._is_name(words[0])
        ):
            words[0] = words[0].lower()
        return " ".join(words)

    def is_sure(self, concept: Concept) -> bool:
        """Whether every capital of the shown name is known to belong there."""
        if concept.kind == "glossary":
            return True
        words = [word for word in self.shown(concept).split(" ") if not _is_special(word)]
        lower = [word[:1].islower() for word in words]
        mixed = any(lower) and not all(lower[lower.index(True) :])
        return not mixed and all(word[:1].islower() or self._is_name(word) for word in words)

    def _is_name(self, word: str) -> bool:
        return word.removesuffix("'s").removesuffix("’s") in self.names


def casing_of(texts: Iterable[str], *, concepts: Iterable[Concept]) -> Casing:
    """Read off the passages and the glossary; a heading's capitals prove nothing."""
    joined = _CODE.sub(" ", "\n".join(texts))
    capital = set(re.findall(r"(?<=[a-z,] )[A-Z][\w-]+", joined))
    lower = frozenset(re.findall(r"\b[a-z][\w-]+", joined))
    terms = [concept.name for concept in concepts if concept.kind == "glossary" and is_proper(concept.name)]
    from_terms = {word for name in terms for word in name.split() if is_proper(word)}
    names = {word for word in capital if word.lower() not in lower} | from_terms
    return Casing(names=frozenset(names), common=lower)


def _is_special(word: str) -> bool:
    return len(word) == 1 or any(letter.isupper() or letter.isdigit() for letter in word[1:])


_SAME_THING = 0.6
_SOME_LIKENESS = 0.12
_SHORT_STEM = 4
_MOST_RANKED = 14


class Distractors:
    """Finds confusable terms, and remembers them while a quiz is written."""

    def __init__(self, book: TermBook) -> None:
        self._book = book
        self._rivals: dict[str, Sequence[Concept]] = {}

    def confusable(self, concept: Concept, *, beside: str, names_only: bool = True) -> list[Concept]:
        """Other terms, the most alike first; none that the text beside them names, or that means the same."""
        named = content_set(beside) if names_only else frozenset()
        return [
            other
            for other in self._rivals_of(concept)
            if not (named and name_stems(other) <= named) and likeness(other.definition, beside) < _SAME_THING
        ]

    def _rivals_of(self, concept: Concept) -> Sequence[Concept]:
        if concept.name not in self._rivals:
            own = name_stems(concept)
            found = [other for other in self._book.neighbours(concept) if _is_rival(concept, other)]
            found.sort(key=lambda other: (-_closeness(concept, other, own), other.name))
            self._rivals[concept.name] = _apart(found[:_MOST_RANKED])
        return self._rivals[concept.name]


def are_alike(concept: Concept, other: Concept) -> bool:
    """Whether two terms have enough in common to be taken for each other."""
    return bool(
        name_stems(concept) & name_stems(other)
        or _genus(concept) & _genus(other)
        or likeness(concept.definition, other.definition) >= _SOME_LIKENESS
    )


def _is_rival(concept: Concept, other: Concept) -> bool:
    return (
        is_term(other)
        and (other.kind != "heading" or (concept.kind == "heading" and " " in other.name))
        and is_quality(other) == is_quality(concept)
        and not _related(concept, other)
    )


def _related(concept: Concept, other: Concept) -> bool:
    """Whether one is a kind of the other, or both are the same thing: then both could be right."""
    one, two = name_stems(concept), name_stems(other)
    return (
        one <= two
        or two <= one
        or likeness(concept.definition, other.definition) >= _SAME_THING
        or _genus_names(concept.definition, two)
        or _genus_names(other.definition, one)
        or _is_longer_name(one, two)
        or _is_longer_name(two, one)
        or _is_acronym(concept.name, other.name)
        or _is_acronym(other.name, concept.name)
    )


def _is_longer_name(one: frozenset[str], two: frozenset[str]) -> bool:
    """'deoxyribonucleic acid' is a 'nucleic acid'."""
    for right in two:
        if len(right) > _SHORT_STEM and right not in one and any(map(str.endswith, one, repeat(right))):
            return True
    return False


def _genus_names(definition: str, name: frozenset[str]) -> bool:
    return bool(name) and name <= set(content_stems(definition)[:3])


def _genus(concept: Concept) -> frozenset[str]:
    """What kind of thing a term is: the first words of its meaning."""
    return frozenset(content_stems(concept.definition)[:4])


def _is_acronym(short: str, long: str) -> bool:
    return len(short) > 1 and short.lower() == _initials(long)


@lru_cache(maxsize=16384)
def _initials(name: str) -> str:
    return "".join(word[0] for word in re.findall(r"[a-z0-9]+", name.lower()))


def _closeness(concept: Concept, other: Concept, own: frozenset[str]) -> float:
    theirs = name_stems(other)
    words = abs(len(concept.name.split()) - len(other.name.split()))
    return (
        3.0 * (other.chapter_id == concept.chapter_id)
        + 2.0 * bool(own & theirs)
        + 1.5 * likeness(concept.definition, other.definition)
        + 1.2 * min(2, len(_genus(concept) & _genus(other)))
        + 1.0 * (is_proper(other.name) == is_proper(concept.name))
        + 0.5 * (other.kind == concept.kind)
        - 0.5 * words
        - 0.05 * abs(len(concept.name) - len(other.name))
    )


def _apart(concepts: Sequence[Concept]) -> list[Concept]:
    """Leave out what means the same as one already taken."""
    kept: list[Concept] = []
    for concept in concepts:
        if not any(_related(concept, other) for other in kept):
            kept.append(concept)
    return kept
