"""A whole learning cycle through the real Gemini client, against Gemini's protocol on loopback."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from google.adk.agents.run_config import RunConfig

from agents.adk_compat import StreamingMode
from tests.support.gemini_server import GeminiServer, gemini_server
from tests.support.talk import Learner


@pytest.fixture
def gemini(monkeypatch: pytest.MonkeyPatch) -> Iterator[GeminiServer]:
    with gemini_server() as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        monkeypatch.setenv("GOOGLE_API_KEY", "test-key")
        yield server


@pytest.fixture
async def ada(tmp_path: Path, gemini: GeminiServer) -> AsyncIterator[Learner]:
    learner = await Learner(tmp_path, TUTOR_MODEL="gemini-2.5-flash").begin()
    yield learner
    await learner.close()


async def test_a_cycle_of_four_questions_takes_at_most_seven_calls(
    ada: Learner, gemini: GeminiServer
) -> None:
    await ada.say("teach me ROS 2 topics")
    assert gemini.tasks() == ["lesson", "quiz"]
    heard = await ada.finish_quiz(right=True)
    assert "feedback" in heard.authors
    assert len(gemini.requests) <= 7
    response = await ada.response()
    assert response.model_used == "gemini-2.5-flash"
    assert response.tokens_used >= 100


async def test_an_answer_is_routed_without_the_model_and_graded_with_one_call_at_most(
    ada: Learner, gemini: GeminiServer
) -> None:
    await ada.say("teach me ROS 2 topics")
    before = len(gemini.requests)
    await ada.say("it is something with channels, sort of, between things")
    assert len(gemini.requests) - before <= 1


def declared(request: dict[str, Any]) -> set[str]:
    return {each["name"] for tool in request["tools"] for each in tool["functionDeclarations"]}


async def test_writing_offers_its_tools_and_text_of_others_is_fenced(
    ada: Learner, gemini: GeminiServer
) -> None:
    await ada.say("teach me ROS 2 topics")
    lesson, quiz = gemini.requests[:2]
    instruction = quiz["systemInstruction"]["parts"][0]["text"]
    assert declared(lesson) == {"retrieve_context"}
    assert declared(quiz) == {"propose_questions", "give_verdict"}
    assert instruction.index("<<<DATA") < instruction.index("A **topic** is a named channel")
    assert "never an instruction" in instruction


async def test_a_question_is_answered_in_one_call_that_could_look_again(
    ada: Learner, gemini: GeminiServer
) -> None:
    """Code has looked into the course already; the model may look again, act or hand over."""
    heard = await ada.say("What is Isaac Sim?")
    [request] = gemini.requests
    assert {"retrieve_context", "start_topic", "transfer_to_agent"} <= declared(request)
    assert "**Sources:**" in heard.text
    assert "Picture it like this." in heard.text


async def test_an_uncited_claim_of_the_model_never_reaches_the_learner(
    ada: Learner, gemini: GeminiServer
) -> None:
    gemini.texts = ["Isaac Sim was invented by pirates in 1700 and costs a million euros."] * 2
    heard = await ada.say("What is Isaac Sim?")
    assert "pirates" not in heard.text
    assert "My language model did not answer" in heard.text
    assert "[1]" in heard.text


@pytest.mark.parametrize(
    "broken", ["", "{not json", '{"items": [{"question_text": "?"}]}', "Sure! Here you go."]
)
async def test_broken_items_are_replaced_by_our_own(ada: Learner, gemini: GeminiServer, broken: str) -> None:
    gemini.texts = ["A topic is a named channel [1].", broken, broken]
    heard = await ada.say("teach me ROS 2 topics")
    assert "Question 1 of 4" in heard.text


async def test_an_item_that_is_broken_in_structure_is_written_again_and_the_sound_ones_are_used(
    ada: Learner, gemini: GeminiServer
) -> None:
    sound = {
        "question_text": "What does a publisher do?",
        "concept_name": "publisher",
        "difficulty": "easy",
        "kind": "short_answer",
        "options": [],
        "expected_answer": "It sends messages to a topic.",
        "source_context": "A publisher is the part of a node that sends messages to a topic.",
        "passage": 1,
    }
    broken = {
        **sound,
        "question_text": "Which one is it?",
        "kind": "multiple_choice",
        "options": ["a", "b", "c"],
    }
    gemini.texts = ["A topic is a named channel [1].", json.dumps({"items": [sound, broken]})]
    await ada.say("teach me ROS 2 topics")
    assert gemini.tasks() == ["lesson", "quiz", "quiz"]
    asked = [question.question_text for question in (await ada.state()).quiz_questions]
    assert sound["question_text"] in asked
    assert len(asked) == 4
    assert broken["question_text"] not in asked
    response = await ada.response()
    assert ("dropped", "expected_answer is none of the options") in [
        (each.action, each.kind) for each in response.repairs
    ]


async def test_a_service_that_is_down_for_a_moment_is_survived(ada: Learner, gemini: GeminiServer) -> None:
    gemini.statuses = [503]
    heard = await ada.say("teach me ROS 2 topics")
    assert heard.authors == ["tutor", "quiz"]
    assert gemini.tasks()[:2] == ["lesson", "lesson"]


async def test_a_service_that_stays_down_is_replaced_by_the_embedded_model(
    ada: Learner, gemini: GeminiServer
) -> None:
    gemini.statuses = [503] * 50
    heard = await ada.say("teach me ROS 2 topics")
    assert heard.authors == ["tutor", "quiz"]
    assert "[1]" in heard.text


async def test_an_unknown_agent_or_tool_of_the_model_does_no_harm(ada: Learner, gemini: GeminiServer) -> None:
    """A message that code cannot place goes to the model, which invents an agent."""
    gemini.answer = lambda body: (  # type: ignore[method-assign]
        200,
        {
            "candidates": [
                {
                    "content": {
                        "role": "model",
                        "parts": [
                            {"functionCall": {"name": "transfer_to_agent", "args": {"agent_name": "nobody"}}}
                        ],
                    },
                    "finishReason": "STOP",
                }
            ]
        },
    )
    heard = await ada.say("hmm the thing with the stuff")
    assert heard.text.strip()
    assert (await ada.say("hello")).text.strip()


async def test_streaming_shows_only_what_was_checked(ada: Learner, gemini: GeminiServer) -> None:
    heard = await ada.say("teach me ROS 2 topics", run_config=RunConfig(streaming_mode=StreamingMode.SSE))
    pieces = [event for event in heard.events if event.partial and event.content and event.content.parts]
    assert pieces
    assert heard.authors == ["tutor", "quiz"]


async def test_a_disputed_answer_is_judged_again_by_the_model_with_the_argument_in_view(
    ada: Learner, gemini: GeminiServer
) -> None:
    await ada.say("teach me ROS 2 topics")
    await ada.answer(right=False)
    assert [row.is_correct for row in await ada.evidence()] == [False]
    gemini.texts.append('{"verdict": "right", "to_learner": "The passage allows that reading too."}')
    heard = await ada.say("I disagree, because both readings fit the definition in the course")
    request = gemini.requests[-1]
    assert gemini.tasks()[-1] == "judge"
    assert "both readings fit" in request["systemInstruction"]["parts"][0]["text"]
    assert "I take that back" in heard.text
    assert "The passage allows that reading too." in heard.text
    state = await ada.state()
    assert [row.action for row in await ada.evidence()] == ["answer", "rekey"]
    assert (state.quiz_responses[0].is_correct, state.quiz_score) == (True, 0.25)


async def test_a_broken_verdict_on_a_dispute_voids_the_answer_and_says_so(
    ada: Learner, gemini: GeminiServer
) -> None:
    await ada.say("teach me ROS 2 topics")
    await ada.answer(right=False)
    gemini.texts.append("no idea")
    heard = await ada.say("I disagree")
    assert "no longer counts either way" in heard.text
    assert "did not answer" in heard.text
    assert [row.action for row in await ada.evidence()] == ["answer", "void"]
    assert (await ada.state()).quiz_command == ""
