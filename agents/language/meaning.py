"""Words and texts as vectors: how telling a word is, and how near two texts are."""

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from rag.embedders.wordllama import WordLlamaEmbedder

Floats = NDArray[np.float32]

# The lengths of vectors: 'the' 1.6, 'get' 5.8, 'work' 9.2, 'node' 15.9. A word of several tokens is a rare one.
_SMALL, _TELLING = 4.0, 16.0
_LEAST = 0.1
_UNLIKE, _ALIKE = 0.4, 0.8  # cosines: 'swap' and 'exchange' have .41, 'delete' and 'remove' .68


@lru_cache(maxsize=16384)
def telling(word: str) -> float:
    """0.1 for a word that may stand anywhere, up to 1 for one that names a thing."""
    lengths = _embedder().lengths(word)
    if len(lengths) > 1:
        return 1.0
    return min(1.0, max(_LEAST, (sum(lengths) - _SMALL) / (_TELLING - _SMALL)))


def tokens(word: str) -> int:
    """In how many pieces the vectors have the word: one for a common one."""
    return len(_embedder().lengths(word))


def likeness(word: str, others: Sequence[str]) -> float:
    """How near the nearest of the other words comes, from 0 to 1."""
    return min(1.0, max(0.0, (nearness(word, others) - _UNLIKE) / (_ALIKE - _UNLIKE)))


def nearness(text: str, others: Sequence[str]) -> float:
    """The cosine of the nearest of the other texts."""
    return float(np.max(np.array([_vector(other) for other in others]) @ _vector(text))) if others else 0.0


def embed(texts: Sequence[str]) -> Floats:
    """One unit vector a text."""
    return np.asarray(_embedder().embed(list(texts)).vectors, dtype=np.float32)


@lru_cache(maxsize=16384)
def _vector(word: str) -> Floats:
    found: Floats = embed([word])[0]
    return found


@cache
def _embedder() -> WordLlamaEmbedder:
    return WordLlamaEmbedder()
