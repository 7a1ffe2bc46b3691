"""The word vectors that answers are graded with, loaded with the first answer that needs them."""

from functools import cache

from agents.quiz.grading.vectors import Floats, Similarity
from rag.embedders.wordllama import WordLlamaEmbedder


class _WordVectors:
    def embed(self, texts: list[str]) -> Floats:
        return _embedder().embed(texts).vectors.astype("float64")


@cache
def _embedder() -> WordLlamaEmbedder:
    return WordLlamaEmbedder()


WORD_VECTORS: Similarity = _WordVectors()
