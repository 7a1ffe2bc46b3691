"""Where a course teaches what a learner names: by its titles, headings and terms, and by what a search finds.

First the page is chosen, by weights that were fitted on what people asked for (python -m evals.fit_topics); then the
place on it.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from rapidfuzz import fuzz

from agents.language.headings import heading_name, teaches
from agents.language.vectors import embed, nearness
from agents.language.words import same_text, stem, words_of
from agents.teaching.values import PassageLike, Place

WEIGHTS = Path(__file__).with_name("topic_weights.json")

# What a learner puts around the name of a topic, in any course.
_AROUND = frozenset(
    "the a an of in on about and to for with some more basic basics introduction intro chapter section lesson part unit "
    "how what is are do does work works working my your our using use der die das ein eine und von mit im".split()
)
_TYPING_SLIP = 84  # of 100
_SHORT = 4  # letters; a shorter word has no slips, it is another word
_OF = re.compile(r"\b(?:of|in|with|for|from|to|on|by|von|vom|mit|im|für|zu)\b", re.IGNORECASE)

# How much each kind of name says of a place on a page.
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
_OFTEN = 3  # names on a page that are alike: it is about that


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """A page of the course as it is read: its title, and its text in small letters."""

    chapter_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatePage:
    """A page that may be meant: the best place on it, and what speaks for the page."""

    match: Match
    measures: Mapping[str, float]

    @property
    def score(self) -> float:
        return weighed(self.measures, _weights()["ranking"])

    @property
    def is_taught(self) -> bool:
        """Whether the course has it: by its name, or as likely as not by all that speaks for the page."""
        weights = _weights()
        return self.match.is_sure or weighed(self.measures, weights["taught"]) >= weights["border"]["logit"]


def locate(
    wanted: str, places: Iterable[Place], hits: Sequence[PassageLike], pages: Sequence[PageText] = ()
) -> Match | None:
    """The best place; None when what a search found is not about it. Where nothing was searched, names decide.

    Who says the very name of a page or a unit means that, however much is told of it elsewhere.
    """
    found = candidates(wanted, places, hits, pages)
    called = [each for each in found if each.match.is_exact and each.match.place.kind in ("title", "unit")]
    best = max(called or found, key=lambda each: each.score, default=None)
    return best.match if best and (best.is_taught or not hits) else None


def candidates(
    wanted: str, places: Iterable[Place], hits: Sequence[PassageLike], pages: Sequence[PageText]
) -> list[CandidatePage]:
    """Every page with a name that is like what was asked for, or with text that a search found."""
    if not key_words(wanted):
        return []
    every = list(places)
    asked = _Asked(wanted, hits, names=[key_words(place.name) for place in every])
    named: dict[str, list[Match]] = {}
    for place in every:
        if match := asked.match(place):
            named.setdefault(place.chapter_id, []).append(match)
    read = asked.read()
    names: dict[str, list[str]] = {}
    for place in every:
        names.setdefault(place.chapter_id, []).append(place.name)
    by_text = _by_text(wanted, pages)
    found = []
    for chapter_id in dict.fromkeys((*named, *read)):
        matches = named.get(chapter_id, [])
        title = next(iter(names.get(chapter_id, ())), "")
        match = asked.whole(matches) or asked.section(read[chapter_id], title=title)
        measures = asked.measures(chapter_id, matches, names=names.get(chapter_id, []))
        found.append(CandidatePage(match=match, measures=measures | by_text.get(chapter_id, _NO_TEXT)))
    return found


_NO_TEXT = {"order": 0.0, "tells": 0.0, "tells_all": 0.0, "phrase": 0.0}


def weighed(measures: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(weight * measures.get(name, 1.0) for name, weight in weights.items())  # the bias is no measure


@cache
def _weights() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"]
    return found


def _by_text(wanted: str, pages: Sequence[PageText]) -> dict[str, dict[str, float]]:
    """How much each page tells of it: its words, the rare ones more (BM25), and the very phrase."""
    words = [word if len(word) > _SHORT else f" {word}" for word in key_words(wanted)]
    said = " ".join(word for word in wanted.lower().split() if word not in _AROUND)
    phrase = re.sub(r"(?<=\w{3})s$", "", said) or wanted.lower()
    counts = [[page.text.count(word) for word in words] for page in pages]
    rare = [math.log(1 + len(pages) / (1 + sum(bool(row[at]) for row in counts))) for at in range(len(words))]
    usual = sum(len(page.text) for page in pages) / max(1, len(pages)) or 1.0
    tells = [
        sum(
            weight * count / (count + 1 + len(page.text) / usual)
            for weight, count in zip(rare, row, strict=True)
        )
        for page, row in zip(pages, counts, strict=True)
    ]
    phrases = [math.log1p(page.text.count(phrase)) for page in pages]
    most, often = max(tells, default=0.0) or 1.0, max(phrases, default=0.0) or 1.0
    return {
        page.chapter_id: {
            "order": at / len(pages),
            "tells": tells[at] / most,
            "tells_all": sum(bool(count) for count in counts[at]) / len(words),
            "phrase": phrases[at] / often,
        }
        for at, page in enumerate(pages)
    }


def _score(match: Match) -> float:
    return match.score


class _Asked:
    """What a learner asked for, and what a search says about where it may be."""

    def __init__(self, wanted: str, hits: Sequence[PassageLike], *, names: Sequence[tuple[str, ...]]) -> None:
        self._found = _search_weights(hits)
        self._hits = hits
        self._wanted = wanted
        self._words = key_words(wanted)
        self._rarity = _rarity(names)
        self._head = _head(wanted)
        self._around: dict[str, set[str]] = {}
        for hit in hits:
            text = " ".join((*hit.heading_hierarchy, hit.chunk_text))
            self._around.setdefault(hit.chapter_id, set()).update(key_words(text))
        self._covered = {hit: self._share(hit) for hit in hits}
        vectors = embed([wanted, *(hit.chunk_text for hit in hits)])
        self._close = dict(zip(hits, (vectors[1:] @ vectors[0]).tolist(), strict=True))

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
        score = _WORTH[place.kind] * alike + _SEARCH * self._found.get(place.chapter_id, 0.0)
        if self._is_inside(name):
            score += _INSIDE * self._weight_of(name)
        if self._is_called(place):
            score += _EXACT if place.kind in ("title", "unit") else _EXACT_INSIDE
        return Match(place=place, likeness=alike, score=score)

    def whole(self, found: Sequence[Match]) -> Match | None:
        """The best on a page; where several kinds of what was asked for stand there, what holds them all.

        'Attention' is meant as a whole where a page has 'Local attention' and 'LSH attention', and 'fine-tuning a model'
        on the page 'Fine-tuning a language model' is not only its section 'Using our fine-tuned model'.
        """
        best = max(found, key=_score, default=None)
        if best is None or best.place.kind not in ("heading", "term") or self._is_called(best.place):
            return best
        title = next((each for each in found if each.place.kind == "title"), None)
        if title and title.is_sure:
            return title
        if best.is_exact:
            return best
        alike = [each for each in found if not each.is_exact and best.score - each.score <= _AS_GOOD]
        if len({each.place.name for each in alike}) == 1:
            return best
        depth = min(len(each.place.headings) for each in alike)
        top = {each.place.headings: each for each in alike if len(each.place.headings) == depth}
        if len(top) == 1:
            return next(iter(top.values()))
        whole = Place(name="", kind="title", chapter_id=best.place.chapter_id)
        return title or Match(place=whole, likeness=best.likeness, score=best.score)

    def _is_called(self, place: Place) -> bool:
        return same_text(place.name) == same_text(self._wanted)

    def read(self) -> dict[str, PassageLike]:
        """On each page that a search found, the first passage that holds most of the words asked for."""
        best: dict[str, PassageLike] = {}
        for hit in self._hits:
            before = best.setdefault(hit.chapter_id, hit)
            if self._covered[hit] > self._covered[before]:
                best[hit.chapter_id] = hit
        return best

    def _share(self, hit: PassageLike) -> float:
        text = set(key_words(" ".join((*hit.heading_hierarchy, hit.chunk_text))))
        held = sum(word in text or any(_same(word, other) for other in text) for word in self._words)
        return held / len(self._words)

    def section(self, hit: PassageLike, *, title: str) -> Match:
        """Where no name is like it: the section that a search found, or the page where its title names the thing.

        What sets work only says on which page it is taught.
        """
        place = Place(
            name=hit.heading_hierarchy[-1] if hit.heading_hierarchy else "",
            kind="heading",
            chapter_id=hit.chapter_id,
            headings=hit.heading_hierarchy,
        )
        if not teaches(hit.heading_hierarchy, chapter_id=hit.chapter_id) or self._head in key_words(title):
            place = Place(name="", kind="title", chapter_id=hit.chapter_id)
        score = _TEXT * self._covered[hit] + _SEARCH * self._found.get(hit.chapter_id, 0.0)
        return Match(place=place, likeness=0.0, score=score)

    def measures(
        self, chapter_id: str, matches: Sequence[Match], *, names: Sequence[str]
    ) -> dict[str, float]:
        """What speaks for a page: its names, and what a search found on it."""
        alike = {
            f"alike_{kind}": max((each.likeness for each in matches if each.place.kind == kind), default=0.0)
            for kind in _WORTH
        }
        exact = [each for each in matches if self._is_called(each.place)]
        inside = [each for each in matches if self._is_inside(key_words(each.place.name))]
        mine = [hit for hit in self._hits if hit.chapter_id == chapter_id]
        return alike | {
            "exact_page": float(any(each.place.kind in ("title", "unit") for each in exact)),
            "exact_inside": float(any(each.place.kind in ("heading", "term") for each in exact)),
            "inside": max((self._weight_of(key_words(each.place.name)) for each in inside), default=0.0),
            "often": min(len({each.place.name for each in matches}), _OFTEN) / _OFTEN,
            "near_title": nearness(self._wanted, names[:1]),
            "near_name": nearness(self._wanted, names),
            "found": self._found.get(chapter_id, 0.0),
            "found_first": float(bool(self._hits) and self._hits[0].chapter_id == chapter_id),
            "found_close": max((self._close[hit] for hit in mine), default=0.0),
            "found_often": len(mine) / max(1, len(self._hits)),
            "covered": max((self._covered[hit] for hit in mine), default=0.0),
            "words_here": len(set(self._words) & self._around.get(chapter_id, set())) / len(self._words),
        }

    def _is_inside(self, name: tuple[str, ...]) -> bool:
        """Whether the name is what was asked for, with little around it: 'ROS 2 topics' are topics."""
        return self._head in name and set(name) <= set(self._words) and self._leaves_little(name)


def _search_weights(hits: Sequence[PassageLike]) -> dict[str, float]:
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
