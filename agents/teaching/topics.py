"""Where a course teaches what a learner names: by its titles, headings and terms, and by what a search finds."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from agents.language.words import same_text, stem
from agents.teaching.values import Place
from rag.headings import heading_name, teaches
from rag.terms import words_of

# What a learner puts around the name of a topic, in any course.
_AROUND = frozenset(
    "the a an of in on about and to for with some more basic basics introduction intro chapter section lesson part unit "
    "how what is are do does work works working my your our using use der die das ein eine und von mit im".split()
)
_TYPING_SLIP = 84  # of 100
_SHORT = 4  # letters; a shorter word has no slips, it is another word
_OF = re.compile(r"\b(?:of|in|with|for|from|to|on|by|von|vom|mit|im|für|zu)\b", re.IGNORECASE)

# How much each kind of evidence says; fitted on the topics of evals/courses.py.
_WORTH = {"title": 1.0, "unit": 0.95, "heading": 0.85, "term": 0.8}
_SEARCH, _TEXT = 0.5, 0.3
_AROUND_IT = 0.3  # of a word that is not in the name, but around it
_HEAD = 2.0  # times as much as any other word
_ABBREVIATED = 0.9
_SOMEHOW = 0.4  # less alike is not alike
_EXACT, _EXACT_INSIDE = 0.8, 0.25  # the very name of a page, or of something on it
_INSIDE = 0.6  # all of the name is in what was asked for: 'ROS 2 topics' are topics
_AS_GOOD = 0.1  # so much less is as good
_SURE = 0.75  # a name as like as this is what was meant
_COVERED = 0.5  # of the words asked for; fewer in what a search finds, and the course does not have it


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

    @property
    def is_exact(self) -> bool:
        return self.likeness >= 1.0


def locate(wanted: str, places: Iterable[Place], hits: Sequence[Hit]) -> Match | None:
    """The best place; None when neither a name nor the text of what a search found is about it."""
    words = key_words(wanted)
    if not words:
        return None
    every = list(places)
    asked = _Asked(wanted, hits, names=[key_words(place.name) for place in every])
    named = _whole([each for place in every if (each := asked.match(place))])
    if named and (named.is_sure or not hits):
        return named
    by_text = _by_text(words, hits, asked.found)
    return max((each for each in (named, by_text) if each), key=_score, default=None)


def _score(match: Match) -> float:
    return match.score


def _whole(found: Sequence[Match]) -> Match | None:
    """The best of them; where several kinds of what was asked for stand on one page, what holds them all.

    'Attention' is meant as a whole where a page has 'Local attention' and 'LSH attention'.
    """
    best = max(found, key=_score, default=None)
    if best is None or best.is_exact or best.place.kind not in ("heading", "term"):
        return best
    page = best.place.chapter_id
    alike = [
        each
        for each in found
        if each.place.chapter_id == page and not each.is_exact and best.score - each.score <= _AS_GOOD
    ]
    if len({each.place.name for each in alike}) == 1:
        return best
    depth = min(len(each.place.headings) for each in alike)
    top = {each.place.headings: each for each in alike if len(each.place.headings) == depth}
    if len(top) == 1:
        return next(iter(top.values()))
    titles = (each for each in found if each.place.chapter_id == page and each.place.kind == "title")
    whole = Place(name="", kind="title", chapter_id=page)
    return next(titles, Match(place=whole, likeness=best.likeness, score=best.score))


class _Asked:
    """What a learner asked for, and what a search says about where it may be."""

    def __init__(self, wanted: str, hits: Sequence[Hit], *, names: Sequence[tuple[str, ...]]) -> None:
        self.found = _search_weights(hits)
        self._wanted = wanted
        self._words = key_words(wanted)
        self._rarity = _rarity(names)
        self._head = _head(wanted)
        self._around: dict[str, set[str]] = {}
        for hit in hits:
            text = " ".join((*hit.headings, hit.text))
            self._around.setdefault(hit.chapter_id, set()).update(key_words(text))

    def _weight_of(self, name: tuple[str, ...]) -> float:
        """How much of what was asked for a name holds."""
        weights = {
            word: self._rarity.get(word, 1.0) * (_HEAD if word == self._head else 1) for word in self._words
        }
        return sum(weights[word] for word in name) / sum(weights.values())

    def _leaves_little(self, name: tuple[str, ...]) -> bool:
        """Whether what the name does not say tells less than what it is about: 'ROS 2', but not 'lambda'."""
        head = self._rarity.get(self._head, 1.0)
        return all(self._rarity.get(word, 1.0) <= head for word in self._words if word not in name)

    def match(self, place: Place) -> Match | None:
        name = key_words(place.name)
        around = tuple(set(self._words) & self._around.get(place.chapter_id, set()))
        alike = likeness(self._words, name, rarity=self._rarity, head=self._head, around=around)
        if _abbreviates(self._wanted, place.name):
            alike = max(alike, _ABBREVIATED)
        if alike < _SOMEHOW:
            return None
        score = _WORTH[place.kind] * alike + _SEARCH * self.found.get(place.chapter_id, 0.0)
        if self._head in name and set(name) <= set(self._words) and self._leaves_little(name):
            score += _INSIDE * self._weight_of(name)
        if same_text(place.name) == same_text(self._wanted):
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


def _head(wanted: str) -> str:
    """What a phrase is about: its last word, or the last one before 'of', 'in' or the like."""
    first = next((part for part in _OF.split(wanted) if part.strip()), wanted)
    return key_words(first)[-1] if key_words(first) else ""


def likeness(
    asked: tuple[str, ...],
    name: tuple[str, ...],
    *,
    rarity: Mapping[str, float],
    head: str = "",
    around: tuple[str, ...] = (),
) -> float:
    """How much of each is in the other, 0..1; what was asked for counts more than what the name says beside it.

    'ROS 2 topics' is the term 'topic' where the other words stand around it.
    """
    weights = {word: rarity.get(word, 1.0) for word in (*asked, *name)}
    in_name = {word for word in asked if any(_same(word, each) for each in name)}
    if not in_name:
        return 0.0
    wanted = {word: weights[word] * (_HEAD if word == head else 1) for word in asked}
    found = sum(wanted[word] * (1 if word in in_name else _AROUND_IT * (word in around)) for word in asked)
    said = sum(weights[word] for word in name if any(_same(word, each) for each in asked))
    share = found / sum(wanted.values())
    return share**0.7 * (said / sum(weights[word] for word in name)) ** 0.3 if said else 0.0


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
