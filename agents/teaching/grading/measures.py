"""What an answer shares with the expected ones, as a few named numbers."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from rapidfuzz.distance import OSA

from agents.language.vectors import vector
from agents.teaching.grading.words import (
    STOP,
    Sides,
    Token,
    axes,
    clean,
    content,
    is_name,
    tokens_of,
    trigrams,
)

_NOISE, _FULL = 0.3, 0.9  # cosines: below the noise they say nothing
_CEILING = 0.6  # likeness alone never counts as the word itself

_MAX_TEXT = 300


def _cosine(first: str, second: str) -> float:
    """How alike two texts are; 0 where one is empty."""
    if not first.strip() or not second.strip():
        return 0.0
    return float(vector(first[:_MAX_TEXT]) @ vector(second[:_MAX_TEXT]))


def _nearest(targets: Sequence[str], found: Sequence[str]) -> list[float]:
    """For each target word, the likeness of the nearest word found."""
    if not found or not targets:
        return [0.0] * len(targets)
    cosines = np.array([vector(word) for word in targets]) @ np.array([vector(word) for word in found]).T
    scaled = (cosines.max(axis=1) - _NOISE) / (_FULL - _NOISE)
    return [float(value) for value in np.clip(scaled, 0.0, 0.8) * (_CEILING / 0.8)]


EXACT, SLIP, KIN = 1.0, 0.95, 0.8
_FAR = 3
_NEGATIVE_PREFIXES = ("un", "in", "im", "dis", "non")


@dataclass(frozen=True, slots=True)
class WordMatch:
    """How one word is met on the other side."""

    level: float  # best likeness that agrees
    opposite: float  # best likeness that says the contrary
    at: int  # place of the best agreeing word, -1 for none
    against: int  # place of the best opposite word, -1 for none

    @property
    def is_opposed(self) -> bool:
        return self.opposite > self.level

    @property
    def is_seen(self) -> bool:
        return self.level > 0 or self.opposite > 0


def align(targets: Sequence[Token], found: Sequence[Token]) -> list[WordMatch]:
    """For each target, its best agreeing and its best contradicting word."""
    return [_best(target, found) for target in targets]


def is_slip(first: str, second: str) -> bool:
    """Could one be a misspelling of the other?"""
    shorter = min(len(first), len(second))
    if shorter < 4 or not (first.isalpha() and second.isalpha()):
        return False
    if first[0] != second[0] and shorter < 6:
        return False
    return edits(first, second) <= (1 if shorter < 7 else 2)


def edits(first: str, second: str) -> int:
    """Insertions, deletions, changes and swaps of neighbours between two words; 3 stands for more."""
    return OSA.distance(first, second, score_cutoff=_FAR - 1)


def _best(target: Token, found: Sequence[Token]) -> WordMatch:
    level = opposite = 0.0
    at = against = -1
    for token in found:
        likeness, side = _kinship(
            token.stem, token.concepts, token.text, target.stem, target.concepts, target.text
        )
        if not likeness:
            continue
        if (side if token.negated == target.negated else -side) > 0:
            if likeness > level:
                level, at = likeness, token.place
        elif likeness > opposite:
            opposite, against = likeness, token.place
    return WordMatch(level, opposite, at, against)


@lru_cache(maxsize=50_000)
def _kinship(
    stem: str, sides: Sides, text: str, other: str, other_sides: Sides, other_text: str
) -> tuple[float, int]:
    """How alike two words are, and whether they stand on the same side (+1) or on opposite sides (-1)."""
    if stem == other:
        return EXACT, 1
    lines = dict(other_sides)
    shared = [side * lines[line] for line, side in sides if line in lines]
    if shared:
        return KIN, 1 if max(shared) >= 0 else -1
    if _is_negated_form(stem, other) or _is_negated_form(other, stem):
        return KIN, -1
    if text not in STOP and is_slip(text, other_text):
        return SLIP, 1
    return 0.0, 1


def _is_negated_form(longer: str, base: str) -> bool:
    return len(base) > 3 and any(longer == prefix + base for prefix in _NEGATIVE_PREFIXES)


_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_CLAUSE = re.compile(r"[.;!?]| because | so | but ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text read once: its words, its letters, its clauses."""

    clean: str
    tokens: tuple[Token, ...]
    content: tuple[Token, ...]
    clauses: tuple[str, ...]


@lru_cache(maxsize=2048)
def read_text(text: str) -> Text:
    cleaned, tokens = clean(text), tokens_of(text)
    clauses = tuple(part.strip() for part in _CLAUSE.split(cleaned) if len(part.strip()) > 2)[:12]
    return Text(
        clean=cleaned, tokens=tokens, content=content(tokens) or tokens, clauses=clauses or (cleaned,)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionText:
    """What the question gives away: its words, and those of what it finally asks."""

    text: Text
    stems: frozenset[str]
    asked: frozenset[str]


@lru_cache(maxsize=512)
def read_question(question: str) -> QuestionText:
    text, asked = read_text(question), tokens_of(_what_is_asked(question))
    return QuestionText(text=text, stems=_stems_of(text.tokens), asked=_stems_of(asked))


def _what_is_asked(question: str) -> str:
    """The last sentence; more of them where it says little ("Explain your answer.")."""
    sentences = [part for part in _SENTENCE.split(question) if part.strip()]
    asked = ""
    while sentences and len(content(tokens_of(asked))) < 4:
        asked = f"{sentences.pop()} {asked}"
    return asked or question


def _stems_of(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.stem for token in tokens)


MAX_REFERENCES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """An answer beside one reference."""

    reference: Text
    matches: list[WordMatch]  # one for each content word of the reference
    numbers: dict[str, float]

    @property
    def opposed(self) -> list[int]:
        """Places in the answer of words that say the contrary of the reference."""
        return [match.against for match in self.matches if match.is_opposed]

    @property
    def met(self) -> list[int]:
        """Places in the answer of words that meet the reference."""
        return [match.at for match in self.matches if match.level >= 0.5]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The answer beside its best reference, and the numbers that the model weighs."""

    answer: Text
    best: Comparison
    compared: Sequence[Comparison]
    numbers: dict[str, float]


def measure(answer: str, *, question: str, references: Sequence[str]) -> Measurement:
    """Compare with every reference; the best one speaks, the others add their voice."""
    said, asked = read_text(answer), read_question(question)
    expected = [read_text(reference) for reference in list(dict.fromkeys(references))[:MAX_REFERENCES]]
    compared = [_compare(said, reference, asked) for reference in expected]
    best = max(compared, key=_rank)
    numbers = {**best.numbers, **_overall(said, asked, compared), **_meaning(said, asked, expected)}
    numbers["references"] = math.log(len(expected))
    return Measurement(answer=said, best=best, compared=compared, numbers=numbers)


def _compare(said: Text, reference: Text, asked: QuestionText) -> Comparison:
    words, found = reference.content, said.content
    matches, back = align(words, found), align(found, words)
    level = _levels(words, found, matches)
    level_back = _levels(found, words, back)
    weight = [word.weight for word in words]
    point = _point(words, asked)
    said_weight = [word.weight for word in found]
    said_new = [0.0 if word.stem in asked.asked else word.weight for word in found]
    strict = _mean(weight, [match.level for match in matches])
    point_met, precision = _mean(point, level), _mean(said_weight, level_back)
    precision_new = _mean(said_new, level_back, precision / 2)
    both = trigrams(said.clean), trigrams(reference.clean)
    shared = len(both[0] & both[1])
    numbers = {
        "met": strict,
        "met_by_meaning": _mean(weight, level),
        "point": point_met,
        "point_fit": _harmonic(precision_new, point_met),
        "precision": precision,
        "complete": float(strict > 0.93),
        "opposed": _mean(point, [float(match.is_opposed) for match in matches]),
        "both_sides": min(2.0, sum(1.0 for match in matches if match.level and match.opposite)),
        "names_missing": min(
            2.0,
            sum(
                1.0 for word, match in zip(words, matches, strict=True) if is_name(word) and not match.is_seen
            ),
        ),
        "negation_lost": float(_negations(reference) > 0 and _negations(said) == 0),
        "letters": 2 * shared / max(1, len(both[0]) + len(both[1])),
        "letters_met": shared / max(1, len(both[1])),
    }
    return Comparison(reference=reference, matches=matches, numbers=numbers)


def _levels(targets: Sequence[Token], found: Sequence[Token], matches: Sequence[WordMatch]) -> list[float]:
    """How far each target is met; by likeness of meaning where no word meets it."""
    alike = _nearest([token.text for token in targets], [token.text for token in found])
    return [
        match.level if match.opposite else max(match.level, like)
        for match, like in zip(matches, alike, strict=True)
    ]


def _point(words: Sequence[Token], asked: QuestionText) -> list[float]:
    """The part of a reference that the question does not give away: the point of the answer."""
    takes: tuple[Callable[[Token], bool], ...] = (
        lambda word: word.stem not in asked.stems,
        lambda word: word.stem not in asked.asked,
        lambda word: bool(axes(word)) or word.negated,
    )
    for takes_part in takes:
        point = [word.weight if takes_part(word) else 0.0 for word in words]
        if sum(point) >= 0.9:
            return point
    return [word.weight for word in words]


def _overall(said: Text, asked: QuestionText, compared: Sequence[Comparison]) -> dict[str, float]:
    weight = [word.weight for word in said.content]
    in_question = [float(match.is_seen) for match in align(said.content, asked.text.content)]
    return {
        "best_letters_met": max(each.numbers["letters_met"] for each in compared),
        "mean_point": sum(each.numbers["point"] for each in compared) / len(compared),
        "echo": _mean(weight, in_question),
        "length": math.log1p(sum(weight)),
    }


def _meaning(said: Text, asked: QuestionText, expected: Sequence[Text]) -> dict[str, float]:
    new = _unasked_text(said, asked)
    alike = [_cosine(new, _unasked_text(each, asked)) for each in expected]
    clauses = [
        [max(_cosine(clause, own) for own in said.clauses) for clause in each.clauses] for each in expected
    ]
    return {
        "meaning_new": max(alike),
        "meaning_new_mean": sum(alike) / len(alike),
        "meaning_clauses": max(sum(row) / len(row) for row in clauses),
    }


def _unasked_text(text: Text, asked: QuestionText) -> str:
    return " ".join(token.text for token in text.content if token.stem not in asked.asked)


def _negations(text: Text) -> int:
    return sum(token.negated for token in text.tokens)


def _rank(comparison: Comparison) -> float:
    n = comparison.numbers
    return n["met"] + n["point"] + 0.3 * n["precision"] - n["opposed"] - 0.2 * n["names_missing"]


def _mean(weights: Sequence[float], values: Sequence[float], otherwise: float = 0.0) -> float:
    total = sum(weights)
    return sum(w * v for w, v in zip(weights, values, strict=True)) / total if total > 0 else otherwise


def _harmonic(first: float, second: float) -> float:
    return 2 * first * second / (first + second) if first + second else 0.0
