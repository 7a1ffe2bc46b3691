"""Meaning as numbers: the word and text vectors for one answer."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

_NOISE, _FULL, _CEILING = (
    0.3,
    0.9,
    0.6,
)  # cosines below the noise say nothing; likeness alone never counts as the word itself

_MAX_TEXT = 300
_REMEMBERED = 20_000

Floats = NDArray[np.float64]


class Similarity(Protocol):
    """Anything that turns texts into vectors, one row a text; a loaded WordLlama is one."""

    def embed(self, texts: list[str]) -> Any: ...


class Vectors:
    """Unit vectors of all words and texts that one grading needs."""

    def __init__(self, similarity: Similarity, *, words: Iterable[str], texts: Iterable[str]) -> None:
        # Embedders pad a batch to its longest text, so words and texts go separately.
        one = list(dict.fromkeys(word for word in words if word.strip()))
        more = [text for text in dict.fromkeys(texts) if text.strip() and text not in set(one)]
        self._row = {text: number for number, text in enumerate([*one, *more])}
        batches = [_embed(similarity, batch) for batch in (one, more) if batch]
        rows = np.concatenate(batches) if batches else np.zeros((0, 1))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        self._rows: Floats = rows / np.maximum(lengths, 1e-9)

    def cosine(self, first: str, second: str) -> float:
        """How alike two texts are; 0 where one is empty."""
        if first not in self._row or second not in self._row:
            return 0.0
        return float(self._rows[self._row[first]] @ self._rows[self._row[second]])

    def best(self, targets: Sequence[str], found: Sequence[str]) -> list[float]:
        """For each target word, the likeness of the nearest word found."""
        known = [self._row[word] for word in found if word in self._row]
        if not known or not targets:
            return [0.0] * len(targets)
        cosines = self._rows[[self._row[word] for word in targets]] @ self._rows[known].T
        scaled = (cosines.max(axis=1) - _NOISE) / (_FULL - _NOISE)
        return [float(value) for value in np.clip(scaled, 0.0, 0.8) * (_CEILING / 0.8)]


_known_to: WeakKeyDictionary[Similarity, dict[str, Floats]] = WeakKeyDictionary()


def _embed(similarity: Similarity, texts: Sequence[str]) -> Floats:
    """A question's and its references' words come again with every answer, so their vectors are remembered."""
    known = _known_to.setdefault(similarity, {})
    if len(known) > _REMEMBERED:
        known.clear()
    new = [text for text in texts if text not in known]
    if new:
        rows = np.asarray(similarity.embed([text[:_MAX_TEXT] for text in new]), dtype=np.float64)
        known.update(zip(new, rows, strict=True))
    return np.array([known[text] for text in texts])
