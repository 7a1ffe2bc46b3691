"""A large model's markers are renumbered to match the sources below its text."""

from agents.citations import with_sources
from agents.teaching.values import RetrievalResult
from tests.support.passages import retrieved


def passage(name: str, text: str) -> RetrievalResult:
    return retrieved(text, chunk_id=name, title=name, chapter_id=f"m/{name}", heading_hierarchy=(name,))


PASSAGES = [passage("nodes", "A node does one job."), passage("topics", "A topic is a named channel.")]


def test_only_what_is_cited_is_listed_and_numbered_anew() -> None:
    text, cited = with_sources("A topic is a named channel [2].", PASSAGES)
    assert text.startswith("A topic is a named channel [1].")
    assert "[1] topics (m/topics, score: 0.50)" in text
    assert "nodes" not in text
    assert cited == (PASSAGES[1],)


def test_an_answer_lists_the_most_alike_first_and_a_lesson_what_is_read_first() -> None:
    said = "A node does one job [1]. A topic is a named channel [2]."
    nodes, topics = PASSAGES[0], PASSAGES[1].model_copy(update={"similarity_score": 0.58})
    text, cited = with_sources(said, [nodes, topics])
    assert text.startswith("A node does one job [2]. A topic is a named channel [1].")
    assert cited == (topics, nodes)
    text, cited = with_sources(said, [nodes, topics], is_lesson=True)
    assert text.startswith(said)
    assert cited == (nodes, topics)
    assert "score" not in text  # nobody searched
