"""What a turn found, whichever search came back first."""

from agents.teaching.values import RetrievalResult
from agents.turn import Sources
from tests.support.passages import retrieved


def passage(name: str, *, score: float) -> RetrievalResult:
    return retrieved(name, chunk_id=name, similarity_score=score)


def test_passages_stand_in_the_order_of_the_queries_not_of_their_answers() -> None:
    """The searches of a comparison run at once; the same question must get the same answer every time."""
    sources = Sources(found={"topic or service?": (), "What is a service?": ()})
    sources.retrieved([passage("service", score=0.9), passage("both", score=0.2)], query="What is a service?")
    sources.retrieved([passage("both", score=0.7)], query="topic or service?")
    found = list(sources.results.values())
    assert [each.chunk_id for each in found] == ["both", "service"]
    assert [each.similarity_score for each in found] == [0.7, 0.9]
    assert [each.rank for each in found] == [1, 2]
