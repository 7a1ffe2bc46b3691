"""A large model's markers are renumbered to match the sources below its text."""

from agents.citations import with_sources
from agents.teaching.values import RetrievalResult
from tests.support.passages import retrieved


def passage(name: str, text: str) -> RetrievalResult:
    return retrieved(text, chunk_id=name, title=name, chapter_id=f"m/{name}", heading_hierarchy=(name,))


PASSAGES = [passage("nodes", "A node does one job."), passage("topics", "A topic is a named channel.")]


def test_only_what_is_cited_is_listed_and_numbered_anew() -> None:
    said, cited = with_sources("A topic is a named channel [2].", PASSAGES)
    assert said.words.startswith("A topic is a named channel [1].")
    assert "[1] topics (m/topics, score: 0.50)" in str(said)
    assert "nodes" not in str(said)
    assert cited == (PASSAGES[1],)


def test_an_answer_lists_the_most_alike_first_and_a_lesson_what_is_read_first() -> None:
    told = "A node does one job [1]. A topic is a named channel [2]."
    nodes, topics = PASSAGES[0], PASSAGES[1].model_copy(update={"similarity_score": 0.58})
    said, cited = with_sources(told, [nodes, topics])
    assert said.words.startswith("A node does one job [2]. A topic is a named channel [1].")
    assert cited == (topics, nodes)
    said, cited = with_sources(told, [nodes, topics], is_lesson=True)
    assert said.words == told
    assert cited == (nodes, topics)
    assert "score" not in str(said)  # nobody searched
