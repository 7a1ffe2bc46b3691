"""The entities of all five documents: what they hold, how they begin, and what they refuse."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from agents.conversation import (
    AgentSession,
    Conversation,
    ConversationMessage,
    ConversationSession,
    FunctionCall,
    Message,
    conversation_of,
)
from agents.settings import Settings, load_settings, variable
from agents.state import SessionState
from agents.task_manager.intents import select_tool, understand
from agents.teaching.values import ErrorPattern, QuizQuestion, QuizResponse, RetrievalResult
from agents.turn import AgentResponse, ConversationTurn, ToolCall
from rag.retriever import RetrievalContext, RetrievalRow, RetrievalToolResponse
from storage.errors import CohereAPIError, ConfigurationError, QdrantConnectionError, TutorError
from storage.learners import TurnLog
from tasks_tools.references import resolve_task_reference
from tests.support.passages import retrieved

NOW = datetime(2026, 1, 23, 10, 30, tzinfo=UTC)
NAIVE = NOW.replace(tzinfo=None)

PASSAGE = retrieved("A topic is a named channel.")
LOOKED_UP = ToolCall(tool_name="retrieve_context", parameters={"query": "q"}, invoked_at=NOW)
SYSTEM, USER, ANSWER = (
    Message(role=role, content="words", timestamp=NOW) for role in ("system", "user", "assistant")
)
QUESTION = QuizQuestion(
    question_id="q1",
    question_text="What is a topic?",
    concept_name="topic",
    difficulty="easy",
    expected_answer="a named channel",
    source_context="A topic is a named channel.",
)
RESPONSE = QuizResponse(
    question_id="q1",
    learner_answer="a channel",
    is_correct=True,
    time_taken_seconds=3.5,
    attempt_number=1,
)
PATTERN = ErrorPattern(
    pattern_type="conceptual",
    description="Two ideas are mixed up.",
    affected_questions=("q1",),
    suggested_remediation="Read about topics again.",
)


def response(**changes: Any) -> AgentResponse:
    values: dict[str, Any] = {
        "answer": "Hello.",
        "session_id": "s1",
        "turn_id": "t1",
        "turn_number": 1,
        "model_used": "embedded",
        "tokens_used": 3,
        "execution_time_seconds": 0.1,
        "timestamp": NOW,
    }
    return AgentResponse(**{**values, **changes})


CITED: dict[str, Any] = {
    "grounded": True,
    "citations": (PASSAGE,),
    "retrieval_performed": True,
    "retrieval_count": 1,
    "retrieved_sources": (PASSAGE.source_url,),
    "tool_calls": (LOOKED_UP,),
}


def turn(**changes: Any) -> ConversationTurn:
    values: dict[str, Any] = {
        "turn_id": "t1",
        "user_query": "What is a topic?",
        "retrieval_results": (PASSAGE,),
        "agent_response": response(**CITED),
        "timestamp": NOW,
        "duration_seconds": 0.2,
    }
    return ConversationTurn(**{**values, **changes})


def session(**changes: Any) -> AgentSession:
    values: dict[str, Any] = {
        "session_id": "s1",
        "user_id": "ada",
        "started_at": NOW,
        "model": "embedded",
        "conversation_history": (SYSTEM, USER, ANSWER),
        "is_interactive": True,
        "turn_count": 1,
        "retrieval_count": 0,
        "total_tokens_used": 3,
    }
    return AgentSession(**{**values, **changes})


def conversation(*messages: Message) -> Conversation:
    return Conversation(id="s1", messages=messages, created_at=NOW, model="embedded")


def openai_session(*messages: ConversationMessage, **counts: int) -> ConversationSession:
    values = {"turn_count": 1, "retrieval_count": 0, "total_tokens_used": 3, **counts}
    return ConversationSession(session_id="s1", messages=messages, created_at=NOW, **values)


def row(**changes: Any) -> RetrievalRow:
    return RetrievalRow.model_validate({**RetrievalRow.of(PASSAGE).model_dump(), **changes})


def context(**changes: Any) -> RetrievalContext:
    return RetrievalContext(**{"query": "q", "results": (PASSAGE,), "retrieved_at": NOW, **changes})


# --- The state of a session --------------------------------------------------------------------------


def test_a_session_state_begins_as_documented() -> None:
    state = SessionState().model_dump(mode="json")
    empty_text = ("current_topic", "explanation", "feedback_text", "next_topic", "path_reasoning", "last_routed_to",
                  "routing_reason", "last_tool_used")  # fmt: skip
    empty_list = ("prerequisite_gaps", "examples_provided", "quiz_questions", "quiz_responses", "error_patterns",
                  "improvement_areas", "goals", "learning_path")  # fmt: skip
    expected: dict[str, Any] = {
        **dict.fromkeys(empty_text, ""),
        **{name: [] for name in empty_list},
        **dict.fromkeys(("quiz_score", "mastery_score"), 0.0),
        **dict.fromkeys(("quiz_question_index", "learning_cycle_count"), 0),
        **dict.fromkeys(("diagnostic_complete", "quiz_paused"), False),
        "learner_level": "unknown",
        "mastery_threshold": 0.85,
        "task_references": {},
        "referenced_at": None,
        "last_tool_parameters": {},
    }
    assert {name: state[name] for name in expected} == expected
    context = {"application_domain": "task_management", "confidence_history": [], "clarification_count": 0}
    assert state["agent_context"] == context
    assert {"user_id", "session_id"} <= state.keys()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("learner_level", "genius"),
        ("diagnostic_complete", "perhaps"),
        ("prerequisite_gaps", "nodes"),
        ("quiz_questions", [{"question_text": "1+1?"}]),
        ("quiz_responses", [{"is_correct": True}]),
        ("quiz_score", 1.01),
        ("quiz_score", -0.01),
        ("quiz_paused", "perhaps"),
        ("quiz_question_index", -1),
        ("quiz_length", 2),
        ("quiz_length", 11),
        ("mastery_score", 1.01),
        ("mastery_threshold", -0.01),
        ("mastery_threshold", 1.01),
        ("learning_cycle_count", -1),
        ("error_patterns", [{**PATTERN.model_dump(), "pattern_type": "unlucky"}]),
        ("goals", "everything"),
        ("learning_path", {"first": "node"}),
        ("agent_context", {"confidence_history": [0.1, 0.2, 0.3, 0.4]}),
        ("agent_context", {"clarification_count": -1}),
    ],
)
def test_a_state_key_refuses_what_it_cannot_be(key: str, value: object) -> None:
    with pytest.raises(ValidationError):
        SessionState.model_validate({key: value})


def test_positions_are_numeric_texts_with_the_moment_they_were_shown() -> None:
    references = {"1": 42, "2": 43, "10": 44}
    SessionState(task_references=references, referenced_at=NOW)
    with pytest.raises(ValidationError, match="referenced_at"):
        SessionState(task_references=references)
    for position in ("one", "", "1.5", "-1", " 1"):
        with pytest.raises(ValidationError):
            SessionState(task_references={position: 42}, referenced_at=NOW)


@pytest.mark.parametrize(
    "references",
    [
        pytest.param({"1": "5"}, id="text"),
        pytest.param({"1": True}, id="truth"),
        pytest.param({"1": 1.0}, id="fraction"),
        pytest.param({"١": 1}, id="other-digits"),
    ],
)
def test_a_reference_is_a_position_and_a_whole_number(references: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SessionState(task_references=references, referenced_at=NOW)


@pytest.mark.parametrize("confidence", [7.0, -0.1])
def test_a_confidence_is_from_0_to_1(confidence: float) -> None:
    with pytest.raises(ValidationError):
        SessionState.model_validate({"agent_context": {"confidence_history": [confidence]}})


def test_the_moment_of_a_list_is_kept_in_utc() -> None:
    here = NOW.astimezone(timezone(timedelta(hours=2)))
    kept = SessionState().changes(task_references={"1": 42}, referenced_at=here)["referenced_at"]
    assert datetime.fromisoformat(kept).utcoffset() == timedelta()
    with pytest.raises(ValidationError):
        SessionState(referenced_at=NAIVE)


# --- Questions and answers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "missing",
    ["question_id", "question_text", "concept_name", "difficulty", "expected_answer", "source_context"],
)
def test_a_quiz_question_has_all_its_parts(missing: str) -> None:
    whole = QUESTION.model_dump()
    assert QuizQuestion.model_validate(whole) == QUESTION
    assert all(QuizQuestion(**{**whole, "difficulty": each}) for each in ("easy", "medium", "hard"))
    with pytest.raises(ValidationError):
        QuizQuestion.model_validate({name: value for name, value in whole.items() if name != missing})
    with pytest.raises(ValidationError):
        QuizQuestion.model_validate({**whole, "difficulty": "impossible"})


@pytest.mark.parametrize(
    "missing", ["question_id", "learner_answer", "is_correct", "time_taken_seconds", "attempt_number"]
)
def test_an_answer_has_all_its_parts(missing: str) -> None:
    whole = RESPONSE.model_dump()
    assert QuizResponse.model_validate(whole) == RESPONSE
    for broken in ({"time_taken_seconds": -1}, {"attempt_number": 0}, {"is_correct": "nearly"}):
        with pytest.raises(ValidationError):
            QuizResponse.model_validate({**whole, **broken})
    with pytest.raises(ValidationError):
        QuizResponse.model_validate({name: value for name, value in whole.items() if name != missing})


@pytest.mark.parametrize(
    "missing", ["pattern_type", "description", "affected_questions", "suggested_remediation"]
)
def test_an_error_pattern_has_all_its_parts(missing: str) -> None:
    whole = PATTERN.model_dump()
    kinds = ("conceptual", "procedural", "careless")
    assert [ErrorPattern(**{**whole, "pattern_type": kind}).pattern_type for kind in kinds] == list(kinds)
    with pytest.raises(ValidationError):
        ErrorPattern.model_validate({**whole, "pattern_type": "unlucky"})
    with pytest.raises(ValidationError):
        ErrorPattern.model_validate({name: value for name, value in whole.items() if name != missing})


# --- Task commands -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "task_id"),
    [
        ("task 2", 43),
        ("the first one", 42),
        ("#3", 44),
        ("2", 43),
        ("first task", 42),
        ("The SECOND", 43),
        ("complete the third one please", 44),
        ("the fourth", 45),
        ("the fifth", 46),
        ("the last one", 46),
        ("task 6", None),
    ],
)
def test_the_documents_references_are_resolved(text: str, task_id: int | None) -> None:
    shown = {str(place): 41 + place for place in range(1, 6)}
    assert resolve_task_reference({"task_references": shown}, text) == task_id
    assert resolve_task_reference({"task_references": {}}, text) is None
    if text == "the last one":
        assert resolve_task_reference({"task_references": {"1": 42, "2": 43}}, text) == 43


@pytest.mark.parametrize(
    ("message", "intent", "tool"),
    [
        ("remind me to buy groceries", "create", "add_task"),
        ("show my tasks", "list", "list_tasks"),
        ("rename task 2 to call Joan", "update", "update_task"),
        ("complete task 2", "complete", "complete_task"),
        ("delete task 2", "delete", "delete_task"),
    ],
)
def test_the_five_intents_are_understood(message: str, intent: str, tool: str) -> None:
    read = understand(message, listed=True)
    chosen = select_tool(read, metadata={"task_references": {"1": 42, "2": 43}}, now=NOW)
    assert (read.intent, chosen.tool_name) == (intent, tool)
    assert read.reasoning
    assert all(0 <= each <= 1 for each in (read.confidence, chosen.confidence))
    assert all(0 <= chance <= read.confidence for _, chance in read.alternatives)
    assert chosen.requires_confirmation == (tool == "delete_task")


@pytest.mark.parametrize("missing", ["tool_name", "invoked_at"])
def test_a_tool_call_has_its_parts(missing: str) -> None:
    whole = LOOKED_UP.model_dump()
    assert whole.keys() == {"tool_name", "parameters", "result", "error", "invoked_at"}
    assert (LOOKED_UP.result, LOOKED_UP.error) == (None, None)
    with pytest.raises(ValidationError):
        ToolCall.model_validate({name: value for name, value in whole.items() if name != missing})


# --- A response and its turn -------------------------------------------------------------------------


def test_a_response_has_one_of_four_statuses() -> None:
    response(status="success")
    response(status="clarification_needed", clarification={"question": "Which one?"})
    response(status="confirmation_required", clarification={"question": "Sure?"})
    response(status="error", error="NOT_FOUND")
    for status in ("", "ok", "failed", "SUCCESS"):
        with pytest.raises(ValidationError):
            response(status=status)


def test_a_response_begins_with_nothing_done() -> None:
    plain = response()
    assert (plain.tool_calls, plain.citations, plain.retrieved_sources) == ((), (), ())
    assert (plain.retrieval_performed, plain.retrieval_count, plain.grounded) == (False, 0, False)
    assert (plain.error, plain.clarification, plain.reasoning_trace.intent) == (None, None, "")


@pytest.mark.parametrize(
    "required",
    ["answer", "session_id", "turn_id", "turn_number", "model_used", "tokens_used", "execution_time_seconds",
     "timestamp"],
)  # fmt: skip
def test_a_response_has_all_its_parts(required: str) -> None:
    whole = response().model_dump()
    for broken in ({"turn_number": 0}, {"retrieval_count": -1}, {"execution_time_seconds": -0.1}):
        with pytest.raises(ValidationError):
            response(**broken)
    with pytest.raises(ValidationError):
        AgentResponse.model_validate({name: value for name, value in whole.items() if name != required})


def test_grounded_means_cited() -> None:
    assert response(**CITED).grounded
    for broken in ({"grounded": False}, {"citations": ()}):
        with pytest.raises(ValidationError):
            response(**{**CITED, **broken})


@pytest.mark.parametrize(
    "required", ["turn_id", "user_query", "retrieval_results", "agent_response", "timestamp"]
)
def test_a_turn_has_all_its_parts(required: str) -> None:
    whole = turn().model_dump()
    for seconds in (0, -1):
        with pytest.raises(ValidationError):
            turn(duration_seconds=seconds)
    with pytest.raises(ValidationError):
        ConversationTurn.model_validate({name: value for name, value in whole.items() if name != required})


# --- Messages and conversations ----------------------------------------------------------------------


def test_a_message_has_one_of_the_documents_roles() -> None:
    call = FunctionCall(name="retrieve_context", arguments={"query": "q"})
    asking = Message(role="assistant", tool_calls=(call,), timestamp=NOW)
    told = [
        Message(role=role, content="{}", tool_call_id="c1", timestamp=NOW) for role in ("tool", "function")
    ]  # type: ignore[arg-type]
    assert (asking.function_call, asking.function_response) == (call, None)
    assert [each.function_response for each in told] == ["{}", "{}"]
    assert [each.function_response for each in (SYSTEM, USER, ANSWER)] == [None, None, None]
    for broken in (
        {"role": "teacher", "content": "x"},
        {"role": "user", "content": "x", "tool_call_id": "c1"},
        {"role": "function", "content": "x"},
        {"role": "system", "content": "x", "tool_calls": (call,)},
    ):
        with pytest.raises(ValidationError):
            Message.model_validate({**broken, "timestamp": NOW})
    with pytest.raises(ValidationError):
        Message.model_validate({"role": "user", "content": "x"})


def test_a_call_of_the_search_keeps_its_limits() -> None:
    documents_own = {"query": "ROS 2 communication patterns", "top_k": 5, "threshold": 0.70}
    assert FunctionCall(name="retrieve_context", arguments=documents_own).arguments == documents_own
    for broken in ({"threshold": 1.1}, {"threshold": -0.1}, {"top_k": 0}, {"top_k": 11}, {"query": 7}):
        with pytest.raises(ValidationError):
            FunctionCall(name="retrieve_context", arguments={**documents_own, **broken})


def test_a_message_in_openais_format_keeps_its_rules() -> None:
    call = {"name": "retrieve_context", "arguments": '{"query": "q"}'}
    good: list[dict[str, Any]] = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "What is ROS 2?"},
        {"role": "assistant", "function_call": call},
        {"role": "function", "name": "retrieve_context", "content": "{}"},
        {"role": "assistant", "content": "A framework."},
    ]
    messages = [ConversationMessage.from_dict(each) for each in good]
    assert [each.to_dict() for each in messages] == good
    openai_session(*messages)
    with pytest.raises(ValidationError, match="system"):
        openai_session(*messages[1:])
    broken: list[dict[str, Any]] = [
        {"role": "teacher", "content": "x"},
        {"role": "user"},
        {"role": "function", "content": "{}"},
        {"role": "user", "content": "x", "function_call": call},
    ]
    for each in broken:
        with pytest.raises(ValidationError):
            ConversationMessage.from_dict(each)


def test_a_session_has_all_its_parts() -> None:
    assert session().max_history == 20
    for most in (0, 101):
        with pytest.raises(ValidationError):
            session(max_history=most)
    with pytest.raises(ValidationError, match="max_history"):
        session(max_history=2)
    with pytest.raises(ValidationError):
        session(session_id="")
    whole = session().model_dump()
    for required in ("session_id", "started_at", "model", "conversation_history", "is_interactive"):
        with pytest.raises(ValidationError):
            AgentSession.model_validate({name: value for name, value in whole.items() if name != required})


@pytest.mark.parametrize(
    "empty",
    [
        pytest.param(
            lambda: session(conversation_history=(SYSTEM,), turn_count=0, total_tokens_used=0),
            id="AgentSession",
        ),
        pytest.param(
            lambda: openai_session(ConversationMessage.of(SYSTEM), turn_count=0, total_tokens_used=0),
            id="ConversationSession",
        ),
    ],
)
def test_an_empty_session_can_be_told(empty: Callable[[], AgentSession | ConversationSession]) -> None:
    told = empty()
    assert (told.turn_count, told.retrieval_count, told.total_tokens_used) == (0, 0, 0)


@pytest.mark.parametrize(
    ("before", "message"),
    [
        pytest.param(
            conversation(SYSTEM),
            USER,
            id="Conversation",
        ),
        pytest.param(
            openai_session(ConversationMessage.of(SYSTEM)),
            ConversationMessage.of(USER),
            id="ConversationSession",
        ),
    ],
)
def test_a_message_is_added(before: Any, message: Any) -> None:
    """A view is frozen, so what comes back has the message; a class that changes itself is fine, too."""
    turns = getattr(before, "turn_count", None)
    after = before.add_message(message) or before
    assert [each.role for each in after.messages] == ["system", "user"]
    if turns is not None:
        assert after.turn_count == turns + 1


# --- What a search tells -----------------------------------------------------------------------------


def test_a_context_has_all_its_parts() -> None:
    whole = context()
    assert (whole.query, whole.results, whole.retrieved_at, whole.filter_applied) == (
        "q",
        (PASSAGE,),
        NOW,
        None,
    )
    for required in ("query", "results", "retrieved_at"):
        values = {name: value for name, value in whole.model_dump().items() if name != required}
        with pytest.raises(ValidationError):
            RetrievalContext.model_validate(values)


def test_a_tool_response_is_found_empty_or_failed() -> None:
    found = RetrievalToolResponse.found(context(), seconds=0.5)
    empty = RetrievalToolResponse.found(context(results=()), seconds=0.5)
    failed = RetrievalToolResponse.failed("q", "QDRANT_ERROR", "Unable to retrieve content.", seconds=0.5)
    assert [(each.error, each.total, each.is_error) for each in (found, empty, failed)] == [
        (None, 1, False),
        (None, 0, False),
        ("QDRANT_ERROR", 0, True),
    ]
    assert failed.message
    assert {(each.query, each.execution_time_seconds) for each in (found, empty, failed)} == {("q", 0.5)}
    with pytest.raises(ValidationError):
        RetrievalToolResponse(results=found.results, total=1, query="q", error="API_ERROR", message="No.")


def test_a_score_has_three_decimals() -> None:
    """However it is kept so, by refusing or by rounding."""
    try:
        score = row(score=0.12345).score
    except ValidationError:
        return
    assert score == round(score, 3)


def test_every_failure_is_a_tutor_error() -> None:
    for kind in (ConfigurationError, QdrantConnectionError, CohereAPIError):
        assert issubclass(kind, TutorError)


# --- What no path can make ---------------------------------------------------------------------------

_call = partial(FunctionCall, name="retrieve_context")
_said = partial(Message, role="user", content="words", timestamp=NOW)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: session(started_at=NAIVE), id="session-time"),
        pytest.param(lambda: _said(timestamp=NAIVE), id="message-time"),
        pytest.param(lambda: turn(timestamp=NAIVE), id="turn-time"),
        pytest.param(lambda: response(timestamp=NAIVE), id="response-time"),
        pytest.param(lambda: context(retrieved_at=NAIVE), id="context-time"),
        pytest.param(lambda: _call(arguments={"query": "  "}), id="blank-query-of-a-call"),
        pytest.param(lambda: turn(user_query=" \n"), id="blank-question"),
        pytest.param(lambda: _said(content="  "), id="blank-message"),
        pytest.param(lambda: response(answer=" \n"), id="blank-answer"),
        pytest.param(lambda: retrieved("  "), id="blank-passage"),
        pytest.param(lambda: retrieved("x", source_url="https://"), id="address-of-nowhere"),
        pytest.param(
            lambda: turn(retrieval_results=()),
            id="grounded-without-results",
        ),
        pytest.param(
            lambda: response(**{**CITED, "retrieval_count": 0}),
            id="cited-without-a-search",
        ),
        pytest.param(
            lambda: response(answer="No idea.", retrieval_performed=True),
            id="ungrounded-without-the-phrase",
        ),
        pytest.param(
            lambda: response(**{**CITED, "retrieved_sources": ("chapter one",)}),
            id="sources-that-are-no-addresses",
        ),
        pytest.param(
            lambda: RetrievalToolResponse(query="q", error="API_ERROR"),
            id="error-without-a-message",
        ),
        pytest.param(
            lambda: ConversationMessage(role="tool", content="{}", name="retrieve_context"),
            id="role-tool",
        ),
        pytest.param(
            lambda: ConversationMessage(role="user", content="x", name="retrieve_context"),
            id="name-of-a-user",
        ),
        pytest.param(
            lambda: conversation(SYSTEM, USER, USER),
            id="two-questions-in-a-row",
        ),
    ],
)  # fmt: skip
def test_what_the_documents_forbid_is_refused(make: Callable[[], BaseModel]) -> None:
    with pytest.raises(ValidationError):
        make()


# --- All of them -------------------------------------------------------------------------------------

EVERY: list[BaseModel] = [
    QUESTION, RESPONSE, PATTERN, LOOKED_UP, PASSAGE, USER, row(), context(), response(), response(**CITED), turn(),
    session(), conversation(SYSTEM, USER, ANSWER), openai_session(ConversationMessage.of(SYSTEM)),
    RetrievalToolResponse.found(context(), seconds=0.1),
    SessionState(quiz_questions=[QUESTION], quiz_responses=[RESPONSE], error_patterns=[PATTERN], referenced_at=NOW,
                 task_references={"1": 42}),
]  # fmt: skip


@pytest.mark.parametrize("entity", EVERY, ids=lambda entity: type(entity).__name__)
def test_every_entity_comes_back_from_its_json(entity: BaseModel) -> None:
    assert type(entity).model_validate_json(entity.model_dump_json()) == entity


# A conversation grows, by add_message.
MADE = [each for each in EVERY if not hasattr(each, "add_message")]


@pytest.mark.parametrize("entity", MADE, ids=lambda entity: type(entity).__name__)
def test_nothing_changes_once_it_is_made(entity: BaseModel) -> None:
    name = next(iter(type(entity).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(entity, name, getattr(entity, name))


def test_what_an_earlier_version_stored_is_still_read() -> None:
    """A response of before had no clarification, no name for its error and sometimes no tokens."""
    of_before = {
        name: value
        for name, value in response().model_dump(mode="json").items()
        if name in ("answer", "session_id", "turn_id", "turn_number", "model_used", "timestamp")
    }
    old = {**of_before, "execution_time_seconds": 0.1, "tokens_used": 0}
    logs = [
        TurnLog(
            turn_id=f"t{number}",
            user_id="ada",
            session_id="s1",
            turn_number=number,
            user_query="What is a topic?",
            status=status,
            agent_response={**old, "status": status},
            retrieval_results=(),
            timestamp=NOW,
            duration_seconds=0.1,
        )
        for number, status in enumerate(("success", "error", "clarification_needed"), 1)
    ]
    assert len(conversation_of(logs, system="Be kind.").messages) == 7


# --- Settings ----------------------------------------------------------------------------------------


@pytest.fixture
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(variable(name), raising=False)


@pytest.mark.usefixtures("no_variables")
def test_the_settings_begin_as_documented(tmp_path: Path) -> None:
    expected: dict[str, object] = {
        "model": "",  # the embedded one
        "temperature": 0.7,
        "max_tokens": 1000,
        "max_history": 20,
        "max_turns": 50,
        "system_prompt": "",
        "verbose": False,
        "retention_days": 30,
        "top_k": 5,
        "score_threshold": 0.0,
        "qdrant_url": "",
        "qdrant_collection": "mastery_loop",
        "qdrant_replicas": 1,
        "mastery_threshold": 0.85,
        "max_cycles": 5,
        "google_api_key": None,
        "openai_api_key": None,
        "cohere_api_key": None,
        "qdrant_api_key": None,
    }
    settings = load_settings(tmp_path)
    assert {name: getattr(settings, name) for name in expected} == expected
    assert 3 <= settings.quiz_questions <= 10


@pytest.mark.usefixtures("no_variables")
@pytest.mark.parametrize("name", ["google_api_key", "openai_api_key", "cohere_api_key", "qdrant_api_key"])
def test_an_empty_key_is_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(variable(name), "")
    assert getattr(load_settings(tmp_path), name) is None


def test_a_result_has_the_fields_of_all_documents() -> None:
    assert {
        "chunk_id",
        "chunk_text",
        "similarity_score",
        "source_url",
        "chapter_id",
        "module_name",
        "heading_hierarchy",
        "token_count",
        "chunk_index",
        "rank",
        "title",
    } <= RetrievalResult.model_fields.keys()
