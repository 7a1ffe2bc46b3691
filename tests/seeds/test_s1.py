"""Seed S1, the retrieval agent: outages, bad input, order, what the models enforce, addresses to open."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import ValidationError

from agents.cli import tutor as commands
from agents.turn import AgentResponse, ConversationTurn
from rag.library import Library
from rag.retriever import Retriever
from storage.errors import CohereAPIError, QdrantConnectionError
from tests.support.folders import copy_folder
from tests.support.passages import retrieved
from tests.support.talk import Learner, Meet, read_folder

OUTAGES = [
    (QdrantConnectionError("The Qdrant server does not answer."), "QDRANT_ERROR"),
    (CohereAPIError("Cohere does not answer."), "API_ERROR"),
]
NOW = datetime(2026, 11, 17, tzinfo=UTC)


def out_of_order(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    async def fail(*_: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(Retriever, "retrieve", fail)


@pytest.mark.parametrize(("error", "code"), OUTAGES)
async def test_s1_an_outage_is_told_as_one_in_the_chat(
    ada: Learner, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str
) -> None:
    await ada.say("hello")
    out_of_order(monkeypatch, error)
    heard = await ada.say("what is a node?")
    response = await ada.response()
    assert "Unable to retrieve content" in heard.text
    assert "I don't have information" not in heard.text
    assert (response.status, response.error, response.grounded) == ("error", code, False)


async def test_s1_an_outage_between_two_look_ups_is_told_as_one(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The course was chosen, and then the index is gone."""
    await ada.say("hello")
    real, asked = Library.retrieve, 0

    async def fail_later(self: Library, query: str, **options: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked > 1:
            raise QdrantConnectionError("The Qdrant server does not answer.")
        return await real(self, query, **options)

    monkeypatch.setattr(Library, "retrieve", fail_later)
    heard = await ada.say("what is a node?")
    response = await ada.response()
    assert "Unable to retrieve content" in heard.text
    assert "I don't have information" not in heard.text
    assert (response.status, response.error) == ("error", "QDRANT_ERROR")
    assert response.tool_calls[0].error is not None


def test_s1_an_outage_is_told_as_one_by_tutor_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TUTOR_MODEL", "embedded")
    out_of_order(monkeypatch, OUTAGES[0][0])
    done = CliRunner().invoke(commands, ["ask", "what is a node?", "--json"])
    response = json.loads(done.stdout)
    assert done.exit_code == 1
    assert (response["status"], response["error"]) == ("error", "QDRANT_ERROR")
    assert response["answer"].startswith("Unable to retrieve content")


async def test_s1_a_query_that_is_too_long_or_empty_asks_to_rephrase(ada: Learner) -> None:
    await ada.say("hello")
    heard = await ada.say("what is a node and " + "why does it matter so much " * 500)
    response = await ada.response()
    assert (response.status, response.error) == ("error", "INVALID_INPUT")
    assert "Rephrase" in heard.text
    heard = await ada.say("   ")
    assert "rephrase" in heard.text
    assert (await ada.response()).error == "INVALID_INPUT"


async def test_s1_results_come_sorted_by_similarity_score_and_answers_rest_on_the_same(ada: Learner) -> None:
    for query in ("What is ROS 2?", "What is quality of service?", "How does loop closure work in SLAM?"):
        heard = await ada.say(query)
        response = await ada.response()
        [call] = response.tool_calls
        assert call.result is not None
        rows = call.result["results"]
        scores = [row["score"] for row in rows]
        assert scores == sorted(scores, reverse=True)
        assert sorted(row["rank"] for row in rows) == [1, 2, 3, 4, 5]
        cited = [passage.similarity_score for passage in response.citations]
        assert cited == sorted(cited, reverse=True)
        assert {each.chunk_id for each in response.citations} <= {row["chunk_id"] for row in rows}
        for number, passage in enumerate(response.citations, 1):
            assert f"[{number}] {passage.place} (" in heard.text


def test_s1_tutor_ask_and_tutor_search_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_folder(read_folder() / "data", tmp_path / "data")
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TUTOR_MODEL", "embedded")
    run = CliRunner().invoke
    asked = json.loads(run(commands, ["ask", "What is ROS 2?", "--json"]).stdout)
    found = json.loads(run(commands, ["search", "What is ROS 2?", "--json"]).stdout)
    [call] = asked["tool_calls"]
    assert [row["chunk_id"] for row in call["result"]["results"]] == [
        row["chunk_id"] for row in found["results"]
    ]
    assert len(asked["citations"]) == 1  # the passage that says it, and none that only names it
    ranked = json.loads(run(commands, ["search", "What is ROS 2?", "--sort", "rank", "--json"]).stdout)
    assert [row["rank"] for row in ranked["results"]] == [1, 2, 3, 4, 5]
    assert ranked["results"] != found["results"]


def response(**changes: Any) -> AgentResponse:
    values: dict[str, Any] = {
        "answer": "Hello.",
        "session_id": "s",
        "turn_id": "t",
        "turn_number": 1,
        "model_used": "embedded",
        "tokens_used": 3,
        "execution_time_seconds": 0.1,
        "timestamp": NOW,
    }
    return AgentResponse(**{**values, **changes})


PASSAGE = retrieved("A node is a program.", chunk_id="k1")
LOOKED_UP = {"tool_name": "retrieve_context", "parameters": {"query": "q"}, "invoked_at": NOW}


@pytest.mark.parametrize(
    "broken",
    [
        {"tokens_used": 0},
        {"answer": ""},
        {"answer": " \n"},
        {"grounded": True},
        {"grounded": True, "citations": [PASSAGE], "retrieval_performed": True},  # and nothing was retrieved
        {"retrieval_count": 2},
        {"retrieved_sources": ["the second page"]},
        {"retrieved_sources": ["https://"]},
        {"answer": "No idea.", "tool_calls": [LOOKED_UP]},
        {"answer": "No idea.", "retrieval_performed": True},
        {"status": "error"},
        {"status": "error", "error": " "},
        {"status": "clarification_needed"},
        {"timestamp": "2026-11-17T00:00:00"},
        {"tool_calls": [{**LOOKED_UP, "invoked_at": "2026-11-17T00:00:00"}]},
    ],
)
def test_s1_the_models_refuse_a_response_that_breaks_a_rule(broken: dict[str, Any]) -> None:
    response()
    with pytest.raises(ValidationError):
        response(**broken)


def test_s1_a_turn_has_a_question_and_a_refusal_has_its_phrase() -> None:
    refusal = response(answer="I don't have information about that.", tool_calls=[LOOKED_UP])
    values: dict[str, Any] = {
        "turn_id": "t",
        "retrieval_results": (),
        "agent_response": refusal,
        "timestamp": NOW,
        "duration_seconds": 0.1,
    }
    turn = ConversationTurn(**values, user_query="q")
    assert turn.model_dump(mode="json")["timestamp"] == "2026-11-17T00:00:00Z"
    grounded = response(
        grounded=True,
        citations=[PASSAGE],
        retrieval_count=1,
        retrieval_performed=True,
        answer="A program [1].",
    )
    ConversationTurn(
        **{**values, "agent_response": grounded, "retrieval_results": (PASSAGE,)}, user_query="q"
    )
    for broken in (
        {"user_query": ""},
        {"user_query": " \t"},
        {"agent_response": grounded},
        {"agent_response": grounded, "retrieval_results": (retrieved("Another.", chunk_id="k2"),)},
        {"timestamp": "2026-11-17T00:00:00"},
    ):
        with pytest.raises(ValidationError):
            ConversationTurn(**{"user_query": "q", **values, **broken})


async def test_s1_every_turn_counts_tokens_and_has_a_question(ada: Learner) -> None:
    for message in ("hello", "what is a node?", "", "what is the capital of France?"):
        await ada.say(message)
    turns = await ada.services.sessions.turns("ada")
    assert all(turn.user_query for turn in turns)
    assert all(turn.agent_response["tokens_used"] > 0 for turn in turns)
    assert "I don't have information" in turns[-1].agent_response["answer"]


async def test_s1_sources_carry_the_address_that_a_course_was_given(meet: Meet, tmp_path: Path) -> None:
    notes = tmp_path / "my notes"
    notes.mkdir()
    (notes / "pump one.md").write_text(
        "# Pumps\n\nA gear pump is a pump that moves oil with two gears that mesh.\n"
    )
    ada = await meet(TUTOR_COURSE_DIR=str(notes))
    await ada.say("what is a gear pump?")
    assert all(each.source_url.startswith("file://") for each in (await ada.response()).citations)
    library = ada.services.library
    await library.ingest([notes], url="https://example.org/oil/")
    heard = await ada.say("what is a gear pump, please?")
    given = await ada.response()
    [course] = await library.courses()
    [page] = await library.corpus.documents(course.name)
    address = f"https://example.org/oil/{page.chapter_id.replace(' ', '%20')}"
    assert given.retrieved_sources == (address,)
    assert f"[1] Pumps ({page.chapter_id}, score: " in heard.text
    assert heard.text.rstrip().endswith(f"): {address}")
    await library.ingest([notes])  # reading again keeps it
    assert (await library.retrieve("gear pump"))[0].source_url == address
    await library.ingest([notes], url="https://example.org/oil.pdf")
    assert (await library.retrieve("gear pump"))[0].source_url == "https://example.org/oil.pdf"
