"""Which words of a message name what it is about: one score a word, fitted on labels; the best run of words wins."""

import re
import zlib
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from agents.language.understanding import WEIGHTS

BUCKETS = 1 << 13
_WORD = re.compile(r"\S+")
_MARKS = " \t\n\"'“”‘’`*.,;:!?¿¡()[]…"
_MOST_WORDS = 60


@dataclass(frozen=True, slots=True)
class Word:
    """One word and where it stands."""

    text: str
    start: int
    end: int


def words(message: str) -> list[Word]:
    """The words of a message without the marks around them."""
    found: list[Word] = []
    for match in _WORD.finditer(message):
        bare = match.group().strip(_MARKS)
        if bare:
            start = match.start() + match.group().index(bare)
            found.append(Word(bare, start, start + len(bare)))
        if len(found) == _MOST_WORDS:
            break
    return found


def topic_span(
    message: str, action: str, *, weights: NDArray[np.float32] | None = None, bias: float = 0.0
) -> str:
    """The words that name the topic of an action, as they were typed; empty when none do."""
    found = words(message)
    if not found:
        return ""
    if weights is None:
        weights, bias = _weights()
    scores = [bias + float(weights[features(found, place, action)].sum()) for place in range(len(found))]
    start, end = _best_run(scores)
    return message[found[start].start : found[end - 1].end] if start < end else ""


def features(found: list[Word], place: int, action: str) -> list[int]:
    """The buckets of one word among the others."""

    def at(offset: int) -> str:
        spot = place + offset
        return found[spot].text.lower() if 0 <= spot < len(found) else ("^" if spot < 0 else "$")

    here, original = at(0), found[place].text
    shape = f"{original[:1].isupper()}{original.isupper()}{any(map(str.isdigit, original))}"
    named = [
        f"w {here}", f"< {at(-1)}", f"> {at(1)}", f"<< {at(-2)} {at(-1)}", f">> {at(1)} {at(2)}", f"<w {at(-1)} {here}",
        f"w> {here} {at(1)}", f"s {here[-3:]}", f"shape {shape}", f"from {min(place, 6)}", f"left {min(len(found) - place, 4)}",
        f"a {action}", f"a< {action} {at(-1)}", f"aw {action} {here}", f"< < {at(-2)}", f"> > {at(2)}",
    ]  # fmt: skip
    return [zlib.crc32(name.encode(errors="replace")) % BUCKETS for name in named]


def _best_run(scores: list[float]) -> tuple[int, int]:
    """Where the run with the highest sum begins and ends; empty when no sum is above zero."""
    best, best_run = 0.0, (0, 0)
    total, start = 0.0, 0
    for place, score in enumerate(scores):
        if total <= 0:
            total, start = 0.0, place
        total += score
        if total > best:
            best, best_run = total, (start, place + 1)
    return best_run


@cache
def _weights() -> tuple[NDArray[np.float32], float]:
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        return stored["topic_grams"].astype(np.float32), float(stored["topic_bias"])
