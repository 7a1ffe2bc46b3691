"""What to look up for a question, and what was found, as one list."""

from collections.abc import Iterable, Sequence

from agents.coordinator.question import side_names, understand
from rag.results import RetrievalResult


def search_queries(message: str) -> tuple[str, ...]:
    """The question, each side of a comparison as well, and for an example the words of worked examples."""
    asked = understand(message)
    if asked.kind == "difference":
        return (message, *(f"What is {names[0]}?" for names in side_names(*asked.focus)))
    if asked.kind == "example":
        return message, f"worked example code {' '.join(asked.focus or asked.subject_words)}"
    return (message,)


def merged(found: Iterable[Sequence[RetrievalResult]]) -> list[RetrievalResult]:
    """The results of several queries, each passage once, ranked in the order given."""
    passages: dict[str, RetrievalResult] = {}
    for results in found:
        for result in results:
            passages.setdefault(result.chunk_id, result)
    return [result.model_copy(update={"rank": rank}) for rank, result in enumerate(passages.values(), 1)]
