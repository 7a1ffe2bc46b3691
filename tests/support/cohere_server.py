"""Cohere's embed and rerank endpoints on loopback, for the real client."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from evals.doubles.loopback import Told, serve


@dataclass
class CohereServer:
    """What the server was asked, and what it shall answer next."""

    url: str = ""
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    failures: list[int] = field(default_factory=list)

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.requests.append((path, body))
        if self.failures:
            return self.failures.pop(0), {"message": "no"}
        if path.endswith("/embed"):
            vectors = [_vector(text, body["output_dimension"]) for text in body["texts"]]
            return 200, {
                "id": "1",
                "embeddings": {"float": vectors},
                "texts": body["texts"],
                "response_type": "embeddings_by_type",
            }
        # The shortest passage is said to be the best, so that a reordering shows.
        order = sorted(range(len(body["documents"])), key=lambda place: len(body["documents"][place]))
        return 200, {"id": "1", "results": [{"index": place, "relevance_score": 0.5} for place in order]}


def _vector(text: str, dimension: int) -> list[float]:
    """The words of a text, each at its own place."""
    vector = [0.0] * dimension
    for word in text.lower().split():
        vector[int(hashlib.md5(word.encode()).hexdigest(), 16) % dimension] += 1.0
    return vector


@contextmanager
def cohere_server() -> Iterator[CohereServer]:
    """Serve on a free port of loopback."""
    state = CohereServer()
    with serve(lambda asked: Told(*state.answer(asked.path, asked.body))) as url:
        state.url = url
        yield state
