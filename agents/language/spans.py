"""Which words of a message name what it is about: every run of words is weighed by where it begins and ends.

What stands around a topic says more of it than its own words, which may be any: 'shared ownership with a counter' is one
topic because of the 'teach me' before it. So a run's score is the sum of what speaks for beginning at its first word, for
ending at its last, and for each word and gap between; and no run at all has a score too. The weights are in spans.npz, made
by `python -m evals.fit_spans --write` from the labels, with the topics of one label put into the sentences of others.
"""

import re
import zlib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("spans.npz")
BUCKETS = 1 << 14
_WORD = re.compile(r"\S+")
_MARKS = " \t\n\"'“”‘’`*.,;:!?¿¡()[]…"
_MOST_WORDS = 60
_THING = "<thing>"

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Word:
    """One word and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SpanWeights:
    """The words that people use around topics, and what each hashed feature counts."""

    known: frozenset[str]
    values: Floats


@dataclass(frozen=True, slots=True)
class Clues:
    """The hashed features of a message, one row a word: to begin there, to end there, the word, the gap before it."""

    begin: list[list[int]]
    end: list[list[int]]
    inside: list[list[int]]
    gap: list[list[int]]
    none: list[int]


def words(message: str) -> list[Word]:
    """The words of a message without the marks around them."""
    found: list[Word] = []
    for match in _WORD.finditer(message):
        bare = match.group().strip(_MARKS)
        if bare.count("(") > bare.count(")"):
            bare += ")" * (f"{bare})" in match.group())  # a name of its own: 'rand(3)'
        if bare:
            start = match.start() + match.group().index(bare)
            found.append(Word(bare, start, start + len(bare)))
        if len(found) == _MOST_WORDS:
            break
    return found


def topic_span(message: str) -> str:
    """The words that name what a message is about, as they were typed; empty when none do."""
    start, end = span_by(message, _weights())
    return message[start:end]


def span_by(message: str, weights: SpanWeights) -> tuple[int, int]:
    """Where the topic begins and ends."""
    found = words(message)
    if not found:
        return 0, 0
    seen = clues(message, found, known=weights.known)
    begin, end, inside, gap = (
        np.array([weights.values[row].sum() for row in rows])
        for rows in (seen.begin, seen.end, seen.inside, seen.gap)
    )
    scores = run_scores(begin, end, inside, gap)
    first, last = np.unravel_index(int(scores.argmax()), scores.shape)
    if scores[first, last] <= weights.values[seen.none].sum():
        return 0, 0
    return found[first].start, found[last].end


def run_scores(begin: Floats, end: Floats, inside: Floats, gap: Floats) -> Floats:
    """The score of every run, by its first word (row) and its last; over several messages of one length at once."""
    size = begin.shape[-1]
    told = np.cumsum(inside + gap, axis=-1)
    before = told - inside  # the gap before the first word is not in the run
    scores = (end + told)[..., None, :] + (begin - before)[..., :, None]
    return np.where(np.triu(np.ones((size, size), dtype=bool)), scores, -np.inf)


def clues(message: str, found: list[Word], *, known: Collection[str]) -> Clues:
    """What can be seen around and in each word; a word that only some subject has is any thing."""
    frame = [each if (each := word.text.lower()) in known else _THING for word in found]
    marks = _gaps(message, found)

    def at(place: int) -> str:
        return frame[place] if 0 <= place < len(found) else ("^" if place < 0 else "$")

    begin, end, inside, gap = [], [], [], []
    for place, word in enumerate(found):
        here, left, right = at(place), at(place - 1), at(place + 1)
        left2, right2 = f"{at(place - 2)} {left}", f"{right} {at(place + 2)}"
        begin.append(
            _hashed(
                "b", left, left2, f"{at(place - 3)} {left2}", f"|{here}", f"{left} |{here}", f"{left} |{here} {right}", f"{left} {marks[place]}", f"{marks[place]} |{here}",
            )
        )  # fmt: skip
        end.append(
            _hashed(
                "e", right, right2, f"{right2} {at(place + 3)}", f"{here}|", f"{here}| {right}", f"{left} {here}| {right}", f"{marks[place + 1]} {right}", f"{here}| {marks[place + 1]}",
            )
        )  # fmt: skip
        inside.append(_hashed("i", here, _shape(word.text)))
        gap.append(_hashed("g", f"mark {marks[place]}", f"{left} {here}", f"mark {marks[place]} {here}"))
    return Clues(begin, end, inside, gap, _hashed("n", "", f"{min(len(found), 8)}"))


def _gaps(message: str, found: list[Word]) -> list[str]:
    """The marks before each word, and those after the last."""
    ends = [0, *(word.end for word in found)]
    starts = [*(word.start for word in found), len(message)]
    return ["".join(message[end:start].split())[:2] for end, start in zip(ends, starts, strict=True)]


def _shape(text: str) -> str:
    return f"{text[:1].isupper()}{text[1:].isupper()}{any(map(str.isdigit, text))}"


def _hashed(kind: str, *names: str) -> list[int]:
    return [
        zlib.crc32(f"{kind}{at} {name}".encode(errors="replace")) % BUCKETS for at, name in enumerate(names)
    ]


@cache
def _weights() -> SpanWeights:
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        return SpanWeights(frozenset(map(str, stored["known"])), stored["values"].astype(np.float32))
