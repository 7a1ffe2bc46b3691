"""What turns text into vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """Unit vectors, one row a text, and how many tokens each text has."""

    vectors: Matrix
    token_counts: list[int]


class Embedder(Protocol):
    """Vectors of different embedders do not mix, so each has a name that says all of that."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def count_tokens(self, text: str) -> int: ...

    async def embed_documents(self, texts: Sequence[str]) -> Embedded: ...

    async def embed_query(self, text: str) -> Vector: ...

    async def close(self) -> None: ...


@runtime_checkable
class Reranker(Protocol):
    """Orders passages by how well they answer a query; an embedder may be one too."""

    async def rerank(self, query: str, passages: Sequence[str]) -> list[int]: ...


def unit_rows(matrix: Matrix) -> Matrix:
    """Scale every row to length one, leaving rows of zeros alone."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(lengths == 0, 1, lengths), dtype=np.float32)
