"""The one way to look something up in a course: the chat, its tool and `tutor search` find the same."""

import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from agents.coordinator.offline import is_answerable
from agents.teaching.values import RetrievalResult
from rag.index import Scope
from rag.library import Library, error_state
from rag.retriever import (
    MOST_PASSAGES,
    MOST_RESULTS,
    RetrievalContext,
    RetrievalToolResponse,
    SortedBy,
)
from storage.errors import InvalidInputError, TutorError

_POOL = 2  # so many passages are looked into for each that is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What was found, as answers read it (in the ranking's order) and as the tool tells it."""

    ranked: tuple[RetrievalResult, ...]
    response: RetrievalToolResponse


async def look_up(
    library: Library,
    query: str,
    *,
    top_k: int,
    threshold: float = 0.0,
    scope: Scope,
    terms: Collection[str] = (),
) -> list[RetrievalResult]:
    """The passages whose paragraphs speak to the question best, in the order in which the search ranks them."""
    pool = await library.retrieve(
        query, top_k=min(MOST_PASSAGES, max(top_k, _POOL * top_k)), threshold=threshold, scope=scope
    )
    best = {each.chunk_id for each in is_answerable(query, pool, terms=terms).supporting[:top_k]}
    # A passage without a paragraph of prose is still one that was found.
    kept = sorted(pool, key=lambda each: (each.chunk_id not in best, each.rank))[:top_k]
    ranked = sorted(kept, key=lambda each: each.rank)
    return [each.model_copy(update={"rank": place}) for place, each in enumerate(ranked, 1)]


async def search(
    library: Library,
    query: str,
    *,
    top_k: int,
    most: int = MOST_RESULTS,
    threshold: float = 0.0,
    scope: Scope = Scope(),  # noqa: B008
    terms: Collection[str] = (),
    sorted_by: SortedBy = "similarity_score",
) -> Search:
    """Look up for a tool or a command: failures are part of the answer."""
    started = time.perf_counter()
    try:
        if not 1 <= top_k <= most:
            raise InvalidInputError(f"top_k is {top_k}; it must be from 1 to {most}.")
        found = await look_up(library, query, top_k=top_k, threshold=threshold, scope=scope, terms=terms)
    except TutorError as err:
        seconds = time.perf_counter() - started
        failed = RetrievalToolResponse.failed(query, error_state(err), str(err), seconds=seconds)
        return Search(ranked=(), response=failed)
    context = RetrievalContext(
        query=query, results=tuple(found), retrieved_at=datetime.now(UTC), filter_applied=scope.prefix
    )
    seconds = time.perf_counter() - started
    response = RetrievalToolResponse.found(context, seconds=seconds, sorted_by=sorted_by)
    return Search(ranked=tuple(found), response=response)
