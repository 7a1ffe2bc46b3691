"""Seeds S1, S2 and S3 together: views of a conversation, what a search tells, and the agent's settings."""

import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import ValidationError

from agents.briefing import passages_text
from agents.cli import tutor as commands
from agents.conversation import (
    AgentSession,
    Conversation,
    ConversationMessage,
    ConversationSession,
    FunctionCall,
    Message,
    agent_session_of,
    conversation_of,
    conversation_session_of,
)
from agents.coordinator.search import search
from evals.doubles.openai_server import openai_server
from rag.index import Scope
from rag.retriever import RetrievalContext, RetrievalRow, RetrievalToolResponse
from storage.learners import TurnLog
from tests.support.talk import Learner, Meet

NOW = datetime(2026, 11, 17, tzinfo=UTC)
NAIVE: Any = "2026-11-17T00:00:00"


@pytest.fixture
async def turns(ada: Learner) -> Sequence[TurnLog]:
    for message in ("hello", "what is a node?", "remind me to buy bread"):
        await ada.say(message)
    return await ada.services.sessions.turns("ada", session_id="s1")


async def test_s1_s2_s3_a_session_is_seen_as_typed_views(turns: Sequence[TurnLog]) -> None:
    session = agent_session_of(turns, system="Be kind.", max_history=20)
    whole = conversation_of(turns, system="Be kind.")
    openai = conversation_session_of(turns, system="Be kind.")
    assert (type(session), type(whole), type(openai)) == (AgentSession, Conversation, ConversationSession)
    assert (session.turn_count, session.retrieval_count, session.is_interactive) == (3, 1, True)
    assert session.total_tokens_used == sum(turn.agent_response["tokens_used"] for turn in turns)
    assert session.model == "embedded"
    roles = [message.role for message in whole.messages]
    assert roles == ["system", "user", "assistant", *["user", "assistant", "tool", "assistant"] * 2]
    assert whole.messages[4].function_call == FunctionCall(
        name="retrieve_context", arguments={"query": "what is a node?"}
    )
    assert openai.get_message_history()[5]["name"] == "retrieve_context"
    assert openai.get_last_assistant_message() == whole.messages[-1].content
    assert ConversationMessage.from_dict(openai.messages[4].to_dict()) == openai.messages[4]
    assert whole.to_openai_messages() == openai.get_message_history()


async def test_s1_the_history_is_a_window_that_begins_with_the_system(turns: Sequence[TurnLog]) -> None:
    session = agent_session_of(turns, system="Be kind.", max_history=3)
    assert [message.role for message in session.conversation_history] == ["system", "user", "assistant"]
    assert session.turn_count == 3


async def test_s2_a_long_conversation_gets_a_kind_word_and_goes_on(turns: Sequence[TurnLog]) -> None:
    many = [replace(turns[0], turn_id=str(number)) for number in range(50)]
    assert "100 messages" in conversation_of(many, system="Be kind.").note
    assert conversation_of(many[:49], system="Be kind.").note == ""


@pytest.mark.parametrize(
    "broken",
    [
        {"role": "teacher", "content": "x"},
        {"role": "user", "content": ""},
        {"role": "user", "content": " "},
        {"role": "user", "content": "x", "tool_calls": [{"name": "list_tasks"}]},
        {"role": "tool", "content": "x"},
        {"role": "assistant", "tool_calls": [{"name": "retrieve_context", "arguments": {"top_k": 5}}]},
        {
            "role": "assistant",
            "tool_calls": [{"name": "retrieve_context", "arguments": {"query": "q", "top_k": 11}}],
        },
        {"role": "assistant", "tool_calls": [{"name": "retrieve_context", "arguments": {"query": " "}}]},
    ],
)
def test_s1_s2_a_message_that_breaks_a_rule_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Message(**broken, timestamp=NOW)
    with pytest.raises(ValidationError):
        Message(role="user", content="x", timestamp=NAIVE)


@pytest.mark.parametrize(
    "broken",
    [
        {"role": "tool", "content": "x", "name": "retrieve_context"},
        {"role": "user", "content": "x", "name": "ada"},
        {"role": "user", "content": " "},
        {"role": "function", "content": "{}"},
        {"role": "user", "function_call": {"name": "retrieve_context"}},
    ],
)
def test_s3_a_message_in_openais_format_that_breaks_a_rule_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ConversationMessage(**broken)


SYSTEM, HELLO = (
    Message(role="system", content="Be kind.", timestamp=NOW),
    Message(role="user", content="hello", timestamp=NOW),
)
REPLY = Message(role="assistant", content="Hello.", timestamp=NOW)
ASKED = Message(
    role="assistant",
    tool_calls=(FunctionCall(name="retrieve_context", arguments={"query": "q"}),),
    timestamp=NOW,
)
FOUND = Message(role="tool", content="{}", tool_call_id="retrieve_context#1", timestamp=NOW)


@pytest.mark.parametrize(
    "messages",
    [
        (HELLO,),
        (SYSTEM, REPLY),
        (SYSTEM, HELLO, HELLO),
        (SYSTEM, HELLO, REPLY, REPLY),
        (SYSTEM, ASKED),
        (SYSTEM, HELLO, SYSTEM),
    ],
)
def test_s2_s3_a_conversation_begins_with_the_system_and_takes_turns(messages: tuple[Message, ...]) -> None:
    openai = tuple(map(ConversationMessage.of, messages))
    with pytest.raises(ValidationError):
        Conversation(id="s1", messages=messages, created_at=NOW, model="embedded")
    with pytest.raises(ValidationError):
        ConversationSession(session_id="s1", messages=openai, created_at=NOW)
    *said, last = messages
    if len(said) > 1:  # and none gets in later
        begun = Conversation(id="s1", messages=tuple(said), created_at=NOW, model="embedded")
        with pytest.raises(ValueError, match=r"turn|system"):
            begun.add_message(last)
        assert begun.messages == tuple(said)


def test_s1_s2_s3_a_session_is_created_empty_and_grows_by_its_messages() -> None:
    created = AgentSession(
        session_id="s1",
        user_id="ada",
        started_at=NOW,
        model="embedded",
        conversation_history=(SYSTEM,),
        is_interactive=True,
    )
    assert (created.turn_count, created.retrieval_count, created.total_tokens_used) == (0, 0, 0)
    whole = Conversation(id="s1", messages=(SYSTEM,), created_at=NOW, model="embedded")
    openai = ConversationSession(session_id="s1", messages=(ConversationMessage.of(SYSTEM),), created_at=NOW)
    assert (openai.turn_count, openai.retrieval_count, openai.total_tokens_used) == (0, 0, 0)
    for message in (HELLO, ASKED, FOUND, REPLY, HELLO):
        whole.add_message(message)
        openai.add_message(ConversationMessage.of(message))
    assert whole.messages[-2:] == (REPLY, HELLO)
    assert whole.to_openai_messages() == openai.get_message_history()
    assert (openai.turn_count, openai.retrieval_count) == (2, 1)
    assert openai.get_last_assistant_message() == "Hello."
    with pytest.raises(ValidationError):
        Conversation(id="s1", messages=(SYSTEM,), created_at=NAIVE, model="embedded")


def test_s1_tutor_history_prints_a_conversation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUTOR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TUTOR_MODEL", "embedded")
    run = CliRunner().invoke
    run(commands, ["ask", "what is a node?", "--user", "ada"])
    told = run(commands, ["history", "--user", "ada"])
    assert "a single question" in told.stdout
    assert "ada: what is a node?" in told.stdout
    both = json.loads(run(commands, ["history", "--user", "ada", "--json"]).stdout)
    assert AgentSession.model_validate(both["session"]).is_interactive is False
    assert Conversation.model_validate(both["conversation"]).messages[1].content == "what is a node?"
    missing = run(commands, ["history", "--user", "ada", "--session", "nowhere"])
    assert missing.exit_code != 0


async def test_s2_the_filter_of_a_search_is_told(ada: Learner) -> None:
    await ada.say("hello")
    library = ada.services.library
    scope = Scope(course="physical-ai", within="module-1-ros2")
    found = (await search(library, "topic", top_k=5, scope=scope)).response
    assert found.filter_applied == "physical-ai/module-1-ros2"
    assert (await search(library, "topic", top_k=5)).response.filter_applied is None
    await ada.say("what is a node?")
    [call] = (await ada.response()).tool_calls
    assert call.result is not None
    assert call.result["filter_applied"] == "physical-ai"


async def test_s2_briefs_show_passages_as_format_for_agent_does(ada: Learner) -> None:
    await ada.say("hello")
    passages = await ada.services.library.retrieve("what is a node?", top_k=2)
    context = RetrievalContext(query="q", results=tuple(passages), retrieved_at=NOW)
    assert context.format_for_agent() in passages_text(passages)


async def test_s3_a_tool_response_has_validated_rows_and_says_whether_it_failed(ada: Learner) -> None:
    await ada.say("hello")
    found = (await search(ada.services.library, "what is a node?", top_k=5)).response
    assert not found.is_error
    assert RetrievalToolResponse.model_validate_json(found.to_json()) == found
    assert {"text", "url", "title", "score"} <= json.loads(found.to_json())["results"][0].keys()
    assert (await search(ada.services.library, "", top_k=5)).response.is_error
    with pytest.raises(ValidationError):
        RetrievalRow.model_validate({**found.results[0].model_dump(), "score": 1.2})


async def test_s3_retrieved_sources_are_those_that_grounded_the_answer(ada: Learner) -> None:
    await ada.say("what is a node?")
    response = await ada.response()
    assert set(response.retrieved_sources) == {each.source_url for each in response.citations}
    await ada.say("what is the capital of France?")
    response = await ada.response()
    assert response.retrieval_performed
    assert response.retrieved_sources == ()


@pytest.mark.parametrize("top_k", [2, 15])
async def test_s2_s3_top_k_counts_in_the_chat(meet: Meet, top_k: int) -> None:
    ada = await meet(TUTOR_TOP_K=str(top_k))
    await ada.say("what is a node?")
    response = await ada.response()
    assert response.retrieval_count == top_k
    assert response.grounded


async def test_s2_s3_the_score_threshold_counts_in_the_chat(meet: Meet) -> None:
    ada = await meet(TUTOR_SCORE_THRESHOLD="0.99")
    heard = await ada.say("what is a node?")
    response = await ada.response()
    assert "I don't have information" in heard.text
    assert (response.retrieval_count, response.grounded) == (0, False)


async def test_s2_max_turns_is_a_kind_word_and_not_the_end(meet: Meet) -> None:
    ada = await meet(TUTOR_MAX_TURNS="2")
    assert "messages here" not in (await ada.say("hello")).text
    assert "4 messages here" in (await ada.say("what is a node?")).text
    assert "**Sources:**" in (await ada.say("what is a topic?")).text


async def test_s3_the_system_prompt_is_added_to_every_prompt(tmp_path: Path) -> None:
    rules = "Never speak of football."
    with openai_server() as model:
        settings = {
            "TUTOR_MODEL": "openai:strong",
            "TUTOR_MODEL_URL": model.url,
            "TUTOR_SYSTEM_PROMPT": rules,
        }
        ada = await Learner(tmp_path, **settings).begin()
        await ada.say("teach me ROS 2 topics")
        await ada.say("What is Isaac Sim and how does it differ from Gazebo?")
        await ada.close()
        assert len(model.requests) >= 3
        for request in model.requests:
            [system] = [each["content"] for each in request["messages"] if each["role"] == "system"]
            assert system.count(rules) == 1


async def test_s3_verbose_logs_every_turn_without_the_learners_words(
    meet: Meet, caplog: pytest.LogCaptureFixture
) -> None:
    ours = [logging.getLogger(name) for name in ("agents", "rag", "storage")]
    try:
        ada = await meet(TUTOR_VERBOSE="true")
        await ada.say("what is a node?")
    finally:
        for logger in ours:
            logger.handlers.clear()
            logger.setLevel(logging.NOTSET)
    [line] = [record.getMessage() for record in caplog.records if record.getMessage().startswith("turn=")]
    assert "session=s1" in line
    assert "intent=ask" in line
    assert "what is a node" not in caplog.text
