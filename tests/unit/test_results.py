"""What a search returns keeps its promises, to code, to the model and to people."""

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from agents.teaching.values import RetrievalResult
from rag.retriever import EXCERPT_CHARS, RetrievalContext, RetrievalRow, RetrievalToolResponse

NOW = datetime(2026, 1, 23, 10, 30, tzinfo=UTC)


def result(**changes: Any) -> RetrievalResult:
    values: dict[str, Any] = {
        "rank": 1,
        "similarity_score": 0.8765,
        "chunk_id": "id",
        "chunk_text": "A topic is a named channel.",
        "source_url": "file:///course/module-1/ch2.md",
        "title": "Topics",
        "course": "c",
        "chapter_id": "module-1/ch2",
        "module_name": "Module 1",
        "heading_hierarchy": ("Topics", "Names"),
        "token_count": 7,
        "chunk_index": 0,
    }
    return RetrievalResult(**{**values, **changes})


@pytest.mark.parametrize(
    "broken",
    [
        {"similarity_score": 1.1},
        {"similarity_score": -0.1},
        {"chunk_text": ""},
        {"chunk_text": " \n"},
        {"source_url": "https://"},
        {"source_url": "file:///"},
        {"source_url": "http://no such host/page"},
        {"token_count": 0},
        {"source_url": "course/module-1"},
        {"rank": 0},
    ],
)
def test_a_broken_result_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        result(**broken)


def test_a_row_of_the_tool_is_short_and_rounded() -> None:
    found = RetrievalContext(query="q", results=(result(chunk_text="word " * 300),), retrieved_at=NOW)
    response = RetrievalToolResponse.found(found, seconds=0.0123456)
    [row] = response.results
    assert len(row.text) <= EXCERPT_CHARS
    assert row.text.endswith("word…")
    assert row.score == 0.876
    assert (row.url, row.title, row.chapter_id) == (
        "file:///course/module-1/ch2.md",
        "Topics",
        "module-1/ch2",
    )
    assert response.total == 1


def test_a_failure_has_a_code_a_message_and_no_results() -> None:
    response = RetrievalToolResponse.failed("q", "QDRANT_ERROR", "Unable to retrieve content.")
    assert (response.total, response.results, response.error) == (0, (), "QDRANT_ERROR")
    row = RetrievalRow.of(result())
    for broken, said in (
        ({"query": "q", "total": 2}, "total is the number"),
        ({"query": "q", "error": "QDRANT_ERROR"}, "an error has a message"),
        ({"query": "q", "error": "QDRANT_ERROR", "message": " "}, "an error has a message"),
        ({"query": " "}, "no query"),
        (
            {
                "query": "q",
                "results": [row, row.model_copy(update={"score": 0.9, "similarity_score": 0.9})],
                "total": 2,
            },
            "sorted",
        ),
        (
            {
                "query": "q",
                "sorted_by": "rank",
                "results": [row.model_copy(update={"rank": 2}), row],
                "total": 2,
            },
            "sorted",
        ),
    ):
        with pytest.raises(ValidationError, match=said):
            RetrievalToolResponse(**broken)
    with pytest.raises(ValidationError, match="three decimals"):
        RetrievalRow.model_validate({**row.model_dump(), "score": 0.87654, "similarity_score": 0.87654})


@pytest.mark.parametrize("broken", [{"query": ""}, {"query": " "}, {"retrieved_at": "2026-01-23T00:00:00"}])
def test_a_context_has_a_query_and_a_time_with_its_zone(broken: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        RetrievalContext(**{"query": "q", "results": (), "retrieved_at": NOW, **broken})


def test_the_sources_footer_names_the_place_and_not_the_disk() -> None:
    context = RetrievalContext(query="q", results=(result(page=4),), retrieved_at=NOW)
    footer = context.format_sources_footer()
    assert "**Sources:**" in footer
    assert "[1] Topics › Names, p. 4 (module-1/ch2, score: 0.88)" in footer
    assert "file://" not in footer


def test_passages_for_the_model_are_numbered() -> None:
    context = RetrievalContext(query="q", results=(result(), result(rank=2)), retrieved_at=NOW)
    text = context.format_for_agent()
    assert text.index("[1]") < text.index("[2]")
    assert "A topic is a named channel." in text


def test_without_results_there_is_no_footer_and_the_model_is_told() -> None:
    empty = RetrievalContext(query="q", results=(), retrieved_at=NOW)
    assert empty.format_sources_footer() == ""
    assert empty.format_for_agent() == "No relevant content found in the course."
