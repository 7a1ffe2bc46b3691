"""What one turn did: AgentResponse for the front end, ConversationTurn for the record, and the draft of both while it is under way."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agents.teaching.values import QuizResponse, RetrievalResult
from storage.errors import TutorError

if TYPE_CHECKING:
    from google.genai import types

    from agents.models.voice import Consultation

Status = Literal["success", "clarification_needed", "confirmation_required", "error"]
NO_INFORMATION = "I don't have information"


class ToolCall(BaseModel):
    """One tool that a turn used."""

    model_config = ConfigDict(frozen=True)

    tool_name: str
    parameters: dict[str, Any] = {}
    result: dict[str, Any] | None = None
    error: str | None = None
    invoked_at: datetime


class ToolChoice(BaseModel):
    """The tool that code chose for a command, and what else it could have been."""

    model_config = ConfigDict(frozen=True)

    tool_name: str | None
    confidence: float = Field(ge=0, le=1)
    requires_confirmation: bool = False
    alternatives: tuple[tuple[str, float], ...] = ()


class ReasoningTrace(BaseModel):
    """Why the turn went where it went."""

    model_config = ConfigDict(frozen=True)

    intent: str = ""
    confidence: float = Field(default=0.0, ge=0, le=1)
    alternatives: tuple[tuple[str, float], ...] = ()
    reason: str = ""
    tool_choice: ToolChoice | None = None


class Repair(BaseModel):
    """What code changed in a large model's text, and why."""

    model_config = ConfigDict(frozen=True)

    action: Literal["marked", "mended", "dropped", "replaced"]
    kind: str
    sentence: str = ""


class ModelCall(BaseModel):
    """One call of a large model: what for, and what came of it."""

    model_config = ConfigDict(frozen=True)

    task: str
    outcome: str  # "ok", or the cause of the failure
    seconds: float = Field(ge=0)
    first_word_seconds: float | None = None
    prompt_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)

    @classmethod
    def ended(
        cls,
        task: str,
        *,
        began: float,
        outcome: str = "ok",
        usage: "types.GenerateContentResponseUsageMetadata | None" = None,
        first_word: float | None = None,
    ) -> Self:
        """A call that began at a moment of the performance counter, and is over now."""
        return cls(
            task=task,
            outcome=outcome,
            seconds=round(time.perf_counter() - began, 3),
            first_word_seconds=round(first_word, 3) if first_word else None,
            prompt_tokens=(usage.prompt_token_count or 0) if usage else 0,
            output_tokens=(usage.candidates_token_count or 0) if usage else 0,
        )


class Clarification(BaseModel):
    """What we have to know before we go on, and what it may be; no options where anything may."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1)
    options: tuple[str, ...] = ()


class AgentResponse(BaseModel):
    """The answer to one message, with everything that stands behind it."""

    model_config = ConfigDict(frozen=True)

    answer: str
    status: Status = "success"
    clarification: Clarification | None = None  # with clarification_needed and confirmation_required
    session_id: str
    is_interactive: bool = True  # False: a single question, which nobody follows up
    turn_id: str
    turn_number: int = Field(ge=1)
    citations: tuple[RetrievalResult, ...] = ()
    retrieval_performed: bool = False
    retrieval_count: int = Field(default=0, ge=0)
    retrieved_sources: tuple[str, ...] = ()  # the addresses of what grounds the answer
    grounded: bool = False
    tool_calls: tuple[ToolCall, ...] = ()
    model_used: str
    tokens_used: int = Field(gt=0)  # as the model counted them; estimated for words that no model saw
    model_calls: tuple[ModelCall, ...] = ()
    repairs: tuple[Repair, ...] = ()
    execution_time_seconds: float = Field(ge=0)
    reasoning_trace: ReasoningTrace = ReasoningTrace()
    error: str | None = None
    timestamp: datetime

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if not self.answer and self.error is None:
            raise ValueError("an answer is empty only when there is an error")
        if self.grounded != bool(self.citations):
            raise ValueError("grounded means that there are citations, and only then")
        if self.is_refusal_due and NO_INFORMATION not in self.answer:
            raise ValueError(f"a question that was looked up in vain is answered with '{NO_INFORMATION}'")
        if self.status == "error" and self.error is None:
            raise ValueError("an error has a name")
        if self.status == "clarification_needed" and self.clarification is None:
            raise ValueError("a clarification has a question")
        return self

    @property
    def is_refusal_due(self) -> bool:
        """Whether somebody asked about the material and nothing was found that answers it."""
        asked = any(call.tool_name == "retrieve_context" for call in self.tool_calls)
        return asked and not self.grounded and self.status == "success"


class ConversationTurn(BaseModel):
    """One exchange as it is stored."""

    model_config = ConfigDict(frozen=True)

    turn_id: str
    user_query: str = Field(min_length=1)
    retrieval_results: tuple[RetrievalResult, ...]
    agent_response: AgentResponse
    timestamp: datetime
    duration_seconds: float = Field(gt=0)


Part = TypeVar("Part")
CycleOutcome = Literal["mastered", "repeated", "limit", "left"]


@dataclass(slots=True)
class ModelUse:
    """What the turn had of models."""

    asking: "Consultation | None" = None  # what the next request is about
    requests: int = 0
    tokens: int = 0
    calls: list[ModelCall] = field(default_factory=list)  # of a large model
    repairs: list[Repair] = field(default_factory=list)
    has_failed: bool = False  # and what it was asked for is still open
    is_silent: bool = False  # it said nothing for too long: it is not asked again in this turn

    def replaced(self, cause: str, sentence: str = "") -> None:
        """Note that code said itself what a large model did not say well."""
        self.repairs.append(Repair(action="replaced", kind=cause, sentence=sentence))

    def made(self, calls: Sequence[ModelCall]) -> None:
        """Count calls that went around ADK."""
        self.requests += len(calls)
        self.tokens += sum(call.prompt_tokens + call.output_tokens for call in calls)


@dataclass(slots=True)
class Sources:
    """What the turn looked up, and what of it grounds the answer."""

    # By query, in the order asked.
    found: dict[str, tuple[RetrievalResult, ...]] = field(default_factory=dict)
    citations: dict[str, RetrievalResult] = field(default_factory=dict)

    def retrieved(self, results: Iterable[RetrievalResult], *, query: str = "") -> None:
        self.found[query] = tuple(results)

    @property
    def results(self) -> dict[str, RetrievalResult]:
        """Each passage once, in the order of the queries, whichever of them was answered first."""
        from rag.retriever import merged

        return {passage.chunk_id: passage for passage in merged(self.found.values())}

    def cite(self, results: Iterable[RetrievalResult]) -> None:
        self.citations.update((result.chunk_id, result) for result in results)


@dataclass(slots=True)
class Outcome:
    """How the turn ends."""

    status: Status = "success"
    error: str | None = None
    clarification: Clarification | None = None


@dataclass(slots=True)
class TurnDraft:
    """What one turn has done so far."""

    turn_id: str = ""
    turn_number: int = 0
    user_query: str = ""
    kept_message: str = ""  # an earlier one, of which this one only says how it was meant
    started: float = field(default_factory=time.perf_counter)
    started_at: datetime | None = None
    texts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # to be said at the end of the next message
    tool_calls: list[ToolCall] = field(default_factory=list)
    trace: ReasoningTrace = field(default_factory=ReasoningTrace)
    route: str = "coordinator"
    model: ModelUse = field(default_factory=ModelUse)
    sources: Sources = field(default_factory=Sources)
    outcome: Outcome = field(default_factory=Outcome)
    answers: list[QuizResponse] = field(default_factory=list)
    closed_cycles: list[CycleOutcome] = field(default_factory=list)
    parts: dict[type[Any], Any] = field(default_factory=dict)

    def part(self, kind: type[Part]) -> Part:
        """What one agent or plugin keeps for itself until the turn ends: nobody else writes to it."""
        if kind not in self.parts:
            self.parts[kind] = kind()
        kept: Part = self.parts[kind]
        return kept

    @property
    def meant(self) -> str:
        """What is to be served."""
        return self.kept_message or self.user_query

    def called(
        self, tool: str, *, parameters: Mapping[str, Any], result: Mapping[str, Any], now: datetime
    ) -> None:
        """Write down a tool's call; one that failed is named in the turn's record too."""
        code, message = _failure(result)
        self.outcome.error = self.outcome.error or code
        self.tool_calls.append(
            ToolCall(
                tool_name=tool,
                parameters=dict(parameters),
                result=dict(result),
                error=f"{code}: {message}" if code else None,
                invoked_at=now,
            )
        )


class TurnBook:
    """Drafts by invocation; a draft lives as long as its turn."""

    def __init__(self) -> None:
        self._drafts: dict[str, TurnDraft] = {}

    @property
    def under_way(self) -> bool:
        return bool(self._drafts)

    def of(self, invocation_id: str) -> TurnDraft:
        return self._drafts.setdefault(invocation_id, TurnDraft())

    def close(self, invocation_id: str) -> TurnDraft | None:
        return self._drafts.pop(invocation_id, None)


def _failure(result: Mapping[str, Any]) -> tuple[str | None, str]:
    """A failed call's code and message, whether the tool is ours, an MCP server's or one that never came back."""
    content = result.get("structuredContent") or result
    error = content.get("error")
    if isinstance(error, Mapping):
        return str(error.get("code", "TOOL_ERROR")), str(error.get("message", ""))
    if error:
        message = content.get("message")
        return (str(error), str(message)) if message else ("TOOL_ERROR", str(error))
    return ("TOOL_ERROR", "It did not work.") if result.get("isError") else (None, "")


def error_code(err: Exception) -> str:
    """The failure's name in a turn's record: the mission's, where it has one."""
    from rag.library import error_state

    return error_state(err) if isinstance(err, TutorError) else type(err).__name__
