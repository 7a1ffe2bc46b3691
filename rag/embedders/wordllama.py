"""WordLlama: word vectors inside its own wheel, so it needs no key and no network."""

import asyncio
import logging
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from rag.embedders.port import Embedded, Vector, unit_rows
from storage.types import clean


class WordLlamaEmbedder:
    """The mean of a text's token vectors."""

    name = "wordllama-256"
    dimension = 256

    def __init__(self) -> None:
        model = _load()
        self._vectors: np.ndarray[Any, np.dtype[np.float32]] = model.embedding
        self._tokenizer = model.tokenizer
        self._tokenizer.no_padding()

    def count_tokens(self, text: str) -> int:
        return max(1, len(self._token_ids([text])[0]))

    async def embed_documents(self, texts: Sequence[str]) -> Embedded:
        return await asyncio.to_thread(self.embed, list(texts))

    async def embed_query(self, text: str) -> Vector:
        return np.asarray(self.embed([text]).vectors[0], dtype=np.float32)

    async def close(self) -> None:
        """Nothing is held open."""

    def embed(self, texts: list[str]) -> Embedded:
        """The vectors at once, for callers that cannot wait."""
        ids = self._token_ids(texts)
        means = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, tokens in enumerate(ids):
            if tokens:
                means[row] = self._vectors[tokens].mean(axis=0)
        return Embedded(vectors=unit_rows(means), token_counts=[max(1, len(tokens)) for tokens in ids])

    def lengths(self, word: str) -> list[float]:
        """How long the vectors of a word's tokens are: training made those of small words short."""
        return [float(np.linalg.norm(self._vectors[token])) for token in self._token_ids([word])[0]]

    def _token_ids(self, texts: list[str]) -> list[list[int]]:
        encoded = self._tokenizer.encode_batch_fast(list(map(clean, texts)), add_special_tokens=False)
        return [encoding.ids for encoding in encoded]


@cache
def _load() -> Any:
    """The weights never change, so a process loads them once."""
    # Importing wordllama calls logging.basicConfig(INFO), which makes every library chatter on stderr.
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    import wordllama

    root.handlers[:], root.level = handlers, level
    logging.getLogger("wordllama").setLevel(logging.WARNING)
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
