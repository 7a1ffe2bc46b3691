"""Passages of a course, for tests that look at a few of their fields only."""

from typing import Any

from agents.teaching.values import Passage, RetrievalResult


def retrieved(chunk_text: str, **fields: Any) -> RetrievalResult:
    """A passage as a search brings it."""
    usual: dict[str, Any] = {
        "rank": 1,
        "similarity_score": 0.5,
        "chunk_id": "chunk-1",
        "source_url": "file:///course/chapter.md",
        "title": "Chapter",
        "course": "course",
        "chapter_id": "module-1/chapter",
        "module_name": "Module 1",
        "heading_hierarchy": ("Chapter",),
        "token_count": 40,
        "chunk_index": 0,
    }
    return RetrievalResult(chunk_text=chunk_text, **{**usual, **fields})


def passage(text: str, *, number: int = 1, headings: tuple[str, ...] = ("Chapter", "Section")) -> Passage:
    """A passage as it is stored."""
    return Passage(
        chunk_id=f"chunk-{number}",
        chunk_text=text,
        source_url="file:///course/chapter.md",
        chapter_id="module/chapter",
        module_name="Module",
        heading_hierarchy=headings,
        token_count=max(1, len(text) // 4),
        chunk_index=number,
        title="Chapter",
        page=None,
        course="course",
    )
