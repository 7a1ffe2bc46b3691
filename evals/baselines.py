"""The plain way to do each thing, to hold ours against in the same run."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TypeVar

import snowballstemmer

from agents.language.blocks import one_line, sentences
from agents.teaching.values import PassageLike, QuizQuestion

T = TypeVar("T")

_STEMMER = snowballstemmer.stemmer("english")
_K1, _B = 1.2, 0.75  # the usual values


class PlainBm25:
    """Okapi BM25 over stems, with its usual parameters and nothing else."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        counts = {key: Counter(stems(text)) for key, text in texts.items()}
        lengths = {key: count.total() for key, count in counts.items()}
        mean = sum(lengths.values()) / len(lengths)
        self._postings: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for key, count in counts.items():
            for stem, times in count.items():
                weight = times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * lengths[key] / mean))
                self._postings[stem].append((key, weight))
        self._size = len(texts)

    def best(self, query: str, *, count: int) -> list[str]:
        """The keys of the best texts, best first."""
        scores: defaultdict[str, float] = defaultdict(float)
        for stem in set(stems(query)):
            found = self._postings.get(stem, [])
            rarity = math.log(1 + (self._size - len(found) + 0.5) / (len(found) + 0.5))
            for key, weight in found:
                scores[key] += rarity * weight
        return sorted(scores, key=lambda key: (-scores[key], key))[:count]


def nearest(text: str, known: Sequence[tuple[str, T]]) -> T:
    """What the labelled text that shares most of its words with this one is labelled with."""
    words = frozenset(stems(text))
    _, value = max(known, key=lambda pair: _alike(words, frozenset(stems(pair[0]))))
    return value


def plain_gap(name: str, passages: Sequence[PassageLike]) -> tuple[QuizQuestion, str] | None:
    """The first sentence that names a concept, with a gap in the name's place, and the passage it is from."""
    for passage in passages:
        for sentence in map(one_line, sentences(passage.chunk_text)):
            if name.lower() in sentence.lower():
                gapped = re.sub(re.escape(name), "____", sentence, count=1, flags=re.IGNORECASE)
                item = QuizQuestion(
                    question_id=passage.chunk_id,
                    question_text=f"Complete the sentence: {gapped}",
                    concept_name=name,
                    difficulty="easy",
                    expected_answer=name,
                    source_context=sentence,
                    kind="cloze",
                    chunk_id=passage.chunk_id,
                )
                return item, passage.chunk_text
    return None


def best_threshold(scored: Iterable[tuple[float, bool]]) -> float:
    """The score from which on saying yes is right most often."""
    pairs = list(scored)
    borders = sorted({score for score, _ in pairs})
    return max(borders, key=lambda border: sum((score >= border) == wanted for score, wanted in pairs))


@cache
def stems(text: str) -> tuple[str, ...]:
    return tuple(_stem(word) for word in re.findall(r"[a-z0-9]+", text.lower()))


@cache
def _stem(word: str) -> str:
    stem: str = _STEMMER.stemWord(word)
    return stem


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))
