"""A large model's markers are renumbered to match the sources below its text."""

from agents.teaching.values import RetrievalResult
from agents.tutor.citations import with_sources
from tests.support.passages import retrieved


def passage(name: str, text: str) -> RetrievalResult:
    return retrieved(text, chunk_id=name, title=name, chapter_id=f"m/{name}", heading_hierarchy=(name,))


PASSAGES = [passage("nodes", "A node does one job."), passage("topics", "A topic is a named channel.")]


def test_only_what_is_cited_is_listed_and_numbered_by_its_first_use() -> None:
    text, cited = with_sources("A topic is a named channel [2].", PASSAGES, query="q")
    assert text.startswith("A topic is a named channel [1].")
    assert "[1] topics (m/topics, score: 0.50)" in text
    assert "nodes" not in text
    assert cited == (PASSAGES[1],)
