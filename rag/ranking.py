"""Order the candidates of a query: words, the chapter around them, and meaning."""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from rag.index.port import Candidates

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each way of looking counts; evals/RESULTS.md says how they were found."""

    words: float = 1.0
    chapter: float = 0.7
    meaning: float = 1.0
    # Each further passage of a chapter counts this much of the one before: five views beat one.
    repeat: float = 0.8


def rank(candidates: Candidates, *, weights: Weights = Weights()) -> list[str]:  # noqa: B008
    """Chunk ids, best first; ties go to the smaller id, so the order never wobbles."""
    limit = candidates.limit
    words, least_words = _scaled(candidates.by_words, limit=limit)
    meaning, least_meaning = _scaled(candidates.by_meaning, limit=limit)
    chapters, least_chapter = _scaled(candidates.chapters, limit=limit)
    # What a full list did not return scores there at most as much as its last one; a short list is all there is.
    scores = {
        chunk: weights.words * words.get(chunk, least_words)
        + weights.meaning * meaning.get(chunk, least_meaning)
        + weights.chapter * chapters.get(home, least_chapter)
        for chunk, home in candidates.home.items()
    }
    return _spread(scores, candidates.home, repeat=weights.repeat)


def _spread(scores: Mapping[str, float], home: Mapping[str, tuple[str, str]], *, repeat: float) -> list[str]:
    seen: Counter[tuple[str, str]] = Counter()
    spread: dict[str, float] = {}
    for chunk in sorted(scores, key=lambda chunk: (-scores[chunk], chunk)):
        spread[chunk] = scores[chunk] * repeat ** seen[home[chunk]]
        seen[home[chunk]] += 1
    return sorted(spread, key=lambda chunk: (-spread[chunk], chunk))


def _scaled(scores: Mapping[K, float], *, limit: int) -> tuple[dict[K, float], float]:
    """Scores as shares of the best one, and what those that are not in the list may have."""
    best = max(scores.values(), default=0.0)
    if best <= 0:
        return {}, 0.0
    shares = {key: max(score, 0.0) / best for key, score in scores.items()}
    return shares, min(shares.values()) if len(scores) >= limit else 0.0
