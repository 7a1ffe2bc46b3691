"""The scenarios of the retrieval documents, as one visit: questions, follow-ups, small talk, and a reset."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import CliRunner
from google.adk.sessions.session import Session

from agents.cli import tutor as commands
from agents.conversation import AgentSession, Conversation, conversation_of, conversation_session_of
from agents.turn import AgentResponse, ConversationTurn
from tests.support.stories import Story, play

FIRST = "What is ROS 2?"
WEATHER = "What's the weather today?"
QUESTIONS = (
    FIRST,
    "What is Isaac Sim?",
    "How do I use it for synthetic data?",
    "How does loop closure work?",
)
MORE = ("What is a joint?", "What is Gazebo?", "What is URDF?", "What is quality of service?")


async def talk(story: Story) -> None:
    story.found["created"] = (await _session(story)).last_update_time
    await story.say("hello")
    for question in (*QUESTIONS, *MORE):
        await story.say(question)
    await story.say(WEATHER)
    learner = story.learner
    story.found["turns"] = await learner.services.sessions.turns("ada", session_id="s1")
    story.found["stored"] = await learner.services.library.corpus.chunks_by_id(
        [each.chunk_id for turn in story.turns for each in turn.response.citations]
    )
    story.found["changed"] = (await _session(story)).last_update_time
    story.found["folder"] = learner.folder
    await story.say("teach me about phony photographs")
    await story.say("reset")


async def _session(story: Story) -> Session:
    found = await story.learner.sessions.get_session(app_name="agents", user_id="ada", session_id="s1")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return play(tmp_path_factory.mktemp("talk"), talk)


@pytest.fixture(scope="module")
def whole(story: Story) -> Conversation:
    return conversation_of(story.found["turns"], system="Be kind.")


def ask(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """What a command prints that is given the visit's own data."""
    monkeypatch.setenv("TUTOR_DATA_DIR", str(folder / "data"))
    monkeypatch.setenv("TUTOR_MODEL", "embedded")
    return CliRunner().invoke(commands, arguments, catch_exceptions=False).stdout


def test_a_conversation_is_kept_with_its_messages_and_times(story: Story, whole: Conversation) -> None:
    openai = conversation_session_of(story.found["turns"], system="Be kind.")
    assert whole.id == openai.session_id == "s1"
    assert whole.created_at == openai.created_at <= story.turns[0].response.timestamp
    times = [message.timestamp for message in whole.messages]
    assert all(each.utcoffset() == timedelta() for each in times)
    assert times[0] == whole.created_at == min(times)
    assert datetime.fromisoformat(json.loads(openai.model_dump_json())["created_at"]) == whole.created_at
    assert {turn.user_id for turn in story.found["turns"]} == {"ada"}
    assert story.found["changed"] > story.found["created"]


def test_every_turn_is_kept_with_its_question_its_passages_and_its_answer(story: Story) -> None:
    logs = story.found["turns"]
    assert [log.user_query for log in logs] == ["hello", *QUESTIONS, *MORE, WEATHER]
    assert len({UUID(log.turn_id) for log in logs}) == len(logs)
    for log, told in zip(logs, story.turns, strict=False):
        response = AgentResponse.model_validate(log.agent_response)
        assert response.answer == told.response.answer
        kept = ConversationTurn(
            turn_id=log.turn_id,
            user_query=log.user_query,
            retrieval_results=log.retrieval_results,
            agent_response=response,
            timestamp=log.timestamp,
            duration_seconds=log.duration_seconds,
        )
        assert kept.timestamp.utcoffset() == response.timestamp.utcoffset() == timedelta()
        assert kept.timestamp < response.timestamp
        assert all(call.invoked_at <= response.timestamp for call in response.tool_calls)
        assert response.execution_time_seconds > 0
        assert response.model_used == "embedded"
        assert response.retrieval_count == len(kept.retrieval_results)
        found = {each.chunk_id: each for each in kept.retrieval_results}
        assert all(found[each.chunk_id] == each for each in response.citations)


def test_turns_are_counted_from_one(story: Story) -> None:
    assert [turn.response.turn_number for turn in story.turns] == list(range(1, len(story.turns) + 1))


def test_small_talk_searches_nothing(story: Story) -> None:
    response = story["hello"].response
    assert (response.status, response.grounded, response.citations) == ("success", False, ())
    assert (response.retrieval_performed, response.retrieval_count, response.retrieved_sources) == (
        False,
        0,
        (),
    )
    assert "I don't have information" not in response.answer


def test_a_question_runs_through_all_steps_of_the_flow(story: Story, whole: Conversation) -> None:
    """Question, call, what the call found, answer: in the turn, in the views and in the formats of the documents."""
    response = story[FIRST].response
    [call] = response.tool_calls
    assert (call.tool_name, call.parameters["query"]) == ("retrieve_context", FIRST)
    assert call.result is not None
    assert call.result["total"] == len(call.result["results"]) == response.retrieval_count == 5
    start = next(place for place, each in enumerate(whole.messages) if each.content == FIRST)
    asked, calling, told, answered = whole.messages[start : start + 4]
    assert [each.role for each in (asked, calling, told, answered)] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert calling.function_call is not None
    assert calling.function_call.arguments == {"query": FIRST}
    assert json.loads(told.function_response or "")["query"] == FIRST
    assert answered.content == response.answer
    openai = conversation_session_of(story.found["turns"], system="Be kind.").get_message_history()[start:][
        :4
    ]
    assert [each["role"] for each in openai] == ["user", "assistant", "function", "assistant"]
    assert openai[1]["function_call"]["name"] == openai[2]["name"] == "retrieve_context"
    assert json.loads(openai[2]["content"])["total"] == 5


def test_user_and_assistant_alternate(whole: Conversation) -> None:
    spoken = [each.role for each in whole.messages if each.role in ("user", "assistant") and each.content]
    assert spoken == ["user", "assistant"] * (len(spoken) // 2)
    assert whole.messages[-1].role == "assistant"


def test_the_first_question_is_answered_from_the_first_module(story: Story) -> None:
    response = story[FIRST].response
    first = response.citations[0]
    assert (response.grounded, response.status) == (True, "success")
    assert (first.chapter_id, first.module_name) == ("module-1-ros2/ch1-basics", "Module 1 Ros2")
    assert first.heading_hierarchy[0] == first.title
    assert len(first.heading_hierarchy) == 2


def test_the_first_question_is_answered_from_the_first_module_only(story: Story) -> None:
    assert {each.chapter_id.split("/")[0] for each in story[FIRST].response.citations} == {"module-1-ros2"}


def test_every_citation_names_its_passage_its_address_and_its_score(story: Story) -> None:
    stored = {each.chunk_id: each for each in story.found["stored"]}
    for question in (*QUESTIONS, *MORE):
        response = story[question].response
        assert response.citations, question
        for each in response.citations:
            passage = stored[each.chunk_id]
            assert UUID(each.chunk_id)
            assert (each.chunk_text, each.chunk_index) == (passage.chunk_text, passage.chunk_index)
            assert (each.title, each.course, each.chapter_id) == (
                passage.title,
                "physical-ai",
                passage.chapter_id,
            )
            assert each.source_url == passage.source_url
            assert each.source_url.startswith("file:///")
            assert 0 < each.similarity_score <= 1
            assert 0 < each.token_count <= 1024
            assert each.rank >= 1


def test_an_answer_marks_its_sources_and_lists_them(story: Story) -> None:
    for question in QUESTIONS:
        response = story[question].response
        told, _, footer = response.answer.partition("**Sources:**")
        for number, each in enumerate(response.citations, 1):
            assert f"[{number}]" in told
            assert f"[{number}] {each.place}" in footer
            assert f"score: {each.similarity_score:.2f}" in footer


def test_a_list_of_sources_never_rises(story: Story) -> None:
    for question in (*QUESTIONS, *MORE):
        scores = [each.similarity_score for each in story[question].response.citations]
        assert scores == sorted(scores, reverse=True), question


def test_the_weather_is_not_in_the_course(story: Story) -> None:
    response = story[WEATHER].response
    assert (response.status, response.grounded, response.citations) == ("success", False, ())
    assert "I don't have information about" in response.answer
    assert "weather" in response.answer
    assert "Topics, messages and quality of service" in response.answer


def test_the_weather_is_not_in_the_course_for_a_single_question_either(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    response = json.loads(ask(story.found["folder"], monkeypatch, "ask", WEATHER, "--json", "--user", "bob"))
    assert (response["status"], response["grounded"], response["citations"]) == ("success", False, [])
    assert "I don't have information about" in response["answer"]


def test_what_the_coordinator_asks_back_is_counted(story: Story) -> None:
    before = story[WEATHER].state["agent_context"]["clarification_count"]
    told = story["teach me about phony photographs"]
    assert told.response.status == "clarification_needed"
    assert told.state["agent_context"]["clarification_count"] == before + 1


def test_a_session_is_small(story: Story) -> None:
    turns = story.found["turns"]
    newest = conversation_of(turns, system="x" * 800).messages[-19:]
    sizes = [len(each.model_dump_json().encode()) for each in newest]
    assert len(sizes) == 19
    assert sum(sizes) < 50_000


def test_after_a_reset_the_history_holds_only_the_system_message(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = json.loads(
        ask(story.found["folder"], monkeypatch, "history", "--user", "ada", "--session", "s1", "--json")
    )
    session = AgentSession.model_validate(told["session"])
    assert [message.role for message in session.conversation_history] == ["system"]
    assert session.turn_count == len(story.turns)
