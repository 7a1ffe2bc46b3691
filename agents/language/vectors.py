"""The vectors of words, inside this process: how telling a word is, and how near two texts are."""

import logging
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]

DIMENSION = 256


class WordVectors:
    """WordLlama's tokens and their vectors."""

    def __init__(self, model: Any) -> None:
        self._vectors: Matrix = model.embedding
        self._tokenizer = model.tokenizer
        self._tokenizer.no_padding()

    def token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        # Lone surrogates, which PDFs and browsers do send, are no text to the tokenizer.
        readable = [text.encode(errors="replace").decode() for text in texts]
        return [found.ids for found in self._tokenizer.encode_batch_fast(readable, add_special_tokens=False)]

    def means(self, ids: Sequence[Sequence[int]]) -> Matrix:
        """One unit vector a text: the mean of its tokens' vectors."""
        rows = np.zeros((len(ids), DIMENSION), dtype=np.float32)
        for row, tokens in enumerate(ids):
            if tokens:
                rows[row] = self._vectors[tokens].mean(axis=0)
        return unit_rows(rows)

    def lengths(self, word: str) -> list[float]:
        """How long the vectors of a word's tokens are: training made those of small words short."""
        return [float(np.linalg.norm(self._vectors[token])) for token in self.token_ids([word])[0]]


def unit_rows(matrix: Matrix) -> Matrix:
    """Scale every row to length one, leaving rows of zeros alone."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(lengths == 0, 1, lengths), dtype=np.float32)


@cache
def word_vectors() -> WordVectors:
    """The weights never change, so a process loads them once."""
    # Importing wordllama calls logging.basicConfig(INFO), which makes every library chatter on stderr.
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    import wordllama

    root.handlers[:], root.level = handlers, level
    logging.getLogger("wordllama").setLevel(logging.WARNING)
    folder = Path(wordllama.__file__).parent
    return WordVectors(wordllama.WordLlama.load(cache_dir=folder, disable_download=True))


# The lengths of vectors: 'the' 1.6, 'get' 5.8, 'work' 9.2, 'node' 15.9. A word of several tokens is a rare one.
_SMALL, _TELLING = 4.0, 16.0
_LEAST = 0.1
_UNLIKE, _ALIKE = 0.4, 0.8  # cosines: 'swap' and 'exchange' have .41, 'delete' and 'remove' .68


@lru_cache(maxsize=16384)
def telling(word: str) -> float:
    """0.1 for a word that may stand anywhere, up to 1 for one that names a thing."""
    lengths = word_vectors().lengths(word)
    if len(lengths) > 1:
        return 1.0
    return min(1.0, max(_LEAST, (sum(lengths) - _SMALL) / (_TELLING - _SMALL)))


def tokens(word: str) -> int:
    """In how many pieces the vectors have the word: one for a common one."""
    return len(word_vectors().lengths(word))


def likeness(word: str, others: Sequence[str]) -> float:
    """How near the nearest of the other words comes, from 0 to 1."""
    return min(1.0, max(0.0, (nearness(word, others) - _UNLIKE) / (_ALIKE - _UNLIKE)))


def nearness(text: str, others: Sequence[str]) -> float:
    """The cosine of the nearest of the other texts."""
    return float(np.max(np.array([vector(other) for other in others]) @ vector(text))) if others else 0.0


def embed(texts: Sequence[str]) -> Vector:
    """One unit vector a text."""
    return word_vectors().means(word_vectors().token_ids(texts))


@lru_cache(maxsize=16384)
def vector(text: str) -> Vector:
    """One text's; kept, since the words of a question and its key come again with every answer."""
    found: Vector = embed([text])[0]
    return found
