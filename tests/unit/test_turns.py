"""What a turn found and called, whichever came back first."""

from datetime import UTC, datetime, timedelta

from agents.teaching.values import RetrievalResult
from agents.turn import Sources, TurnDraft
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


def test_calls_stand_in_the_order_and_with_the_time_in_which_they_were_made() -> None:
    """ADK runs the calls of one message at once."""
    turn, began = TurnDraft(), datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    for place, call_id in enumerate("abc"):
        turn.calls_tool(
            call_id, "complete_task", parameters={"task_id": place}, now=began + timedelta(seconds=place)
        )
    turn.tool_returned("c", {"structuredContent": {"success": True}})
    turn.tool_returned("a", {"error": {"code": "NOT_FOUND", "message": "There is no task 0."}})
    assert [call.parameters["task_id"] for call in turn.tool_calls] == [0, 1, 2]
    assert [call.invoked_at for call in turn.tool_calls] == [
        began + timedelta(seconds=place) for place in range(3)
    ]
    assert [call.error for call in turn.tool_calls] == ["NOT_FOUND: There is no task 0.", None, None]
    assert [call.result is None for call in turn.tool_calls] == [False, True, False]  # b never came back
