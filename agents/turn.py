"""What one turn did: AgentResponse for the front end, ConversationTurn for the record, and the draft of both while it is under way."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agents.teaching.values import Address, Moment, NotBlank, QuizResponse, RetrievalResult
from storage.errors import TutorError

if TYPE_CHECKING:
    from google.genai import types

    from agents.models.voice import Silence

Status = Literal["success", "clarification_needed", "confirmation_required", "error"]
NO_INFORMATION = "I don't have information"


class ToolCall(BaseModel):
    """One tool that a turn used."""

    model_config = ConfigDict(frozen=True)

    tool_name: str
    parameters: dict[str, Any] = {}
    result: dict[str, Any] | None = None
    error: NotBlank | None = None
    invoked_at: Moment


class ToolChoice(BaseModel):
    """The tool that code chose for a command, and what else it could have been."""

    model_config = ConfigDict(frozen=True)

    tool_name: str | None
    confidence: float = Field(ge=0, le=1)
    parameters: dict[str, Any] = {}
    requires_confirmation: bool = False
    alternatives: tuple[tuple[str, float], ...] = ()


class ReasoningTrace(BaseModel):
    """Why the turn went where it went."""

    model_config = ConfigDict(frozen=True)

    intent: str = ""
    confidence: float = Field(default=0.0, ge=0, le=1)
    entities: dict[str, Any] = {}  # what the message names, in its words
    alternatives: tuple[tuple[str, float], ...] = ()
    reason: str = ""
    tool_choice: ToolChoice | None = None
    further: tuple["ReasoningTrace", ...] = ()  # the other commands of the same message


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

    question: NotBlank
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
    # How many passages bear on the answer: none where the question was looked up in vain. What a search brought is in its call.
    retrieval_count: int = Field(default=0, ge=0)
    retrieved_sources: tuple[Address, ...] = ()  # of what grounds the answer
    grounded: bool = False
    tool_calls: tuple[ToolCall, ...] = ()
    model_used: str
    tokens_used: int = Field(gt=0)  # as the model counted them; estimated for words that no model saw
    model_calls: tuple[ModelCall, ...] = ()
    repairs: tuple[Repair, ...] = ()
    execution_time_seconds: float = Field(ge=0)
    reasoning_trace: ReasoningTrace = ReasoningTrace()
    error: NotBlank | None = None
    timestamp: Moment

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if not self.answer.strip() and self.error is None:
            raise ValueError("an answer is blank only when there is an error")
        if self.grounded != bool(self.citations):
            raise ValueError("grounded means that there are citations, and only then")
        if self.retrieval_count < len(self.citations):
            raise ValueError("what is cited was retrieved")
        if self.retrieval_count and not self.retrieval_performed:
            raise ValueError("nothing is retrieved without retrieval")
        if self.retrieved_sources and not self.retrieval_performed:
            raise ValueError("sources were retrieved only where there was retrieval")
        if self.status in ("clarification_needed", "confirmation_required") and self.clarification is None:
            raise ValueError("who asks back says what")
        if self.is_refusal_due and NO_INFORMATION not in self.answer:
            raise ValueError(f"a question that was looked up in vain is answered with '{NO_INFORMATION}'")
        if self.status == "error" and self.error is None:
            raise ValueError("an error has a name")
        if self.status == "clarification_needed" and self.clarification is None:
            raise ValueError("a clarification has a question")
        return self

    @property
    def is_refusal_due(self) -> bool:
        """Whether the material was looked into and nothing was found that answers."""
        asked = any(call.tool_name == "retrieve_context" for call in self.tool_calls)
        return (asked or self.retrieval_performed) and not self.grounded and self.status == "success"


class ConversationTurn(BaseModel):
    """One exchange as it is stored."""

    model_config = ConfigDict(frozen=True)

    turn_id: str
    user_query: NotBlank
    retrieval_results: tuple[RetrievalResult, ...]
    agent_response: AgentResponse
    timestamp: Moment
    duration_seconds: float = Field(gt=0)

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        found = {result.chunk_id for result in self.retrieval_results}
        if self.agent_response.retrieval_count != len(self.retrieval_results):
            raise ValueError("retrieval_count is the number of results")
        if not found.issuperset(each.chunk_id for each in self.agent_response.citations):
            raise ValueError("a grounded answer rests on its results")
        return self


Part = TypeVar("Part")
CycleOutcome = Literal["mastered", "repeated", "limit", "left"]


@dataclass(slots=True)
class ModelUse:
    """What the turn had of models."""

    requests: int = 0
    tokens: int = 0
    calls: list[ModelCall] = field(default_factory=list)  # of a large model
    repairs: list[Repair] = field(default_factory=list)
    failure: str = ""  # why code speaks in its place
    silence: "Silence | None" = None  # how long it may still keep the learner waiting

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
        """Each passage once, in the order of the queries, whichever of them was answered first; and all that is cited."""
        from rag.retriever import merged

        found = merged([*self.found.values(), tuple(self.citations.values())])
        return {passage.chunk_id: passage for passage in found}

    def none_answers(self) -> None:
        """What was found does not bear on what was asked; the queries are kept."""
        self.found = dict.fromkeys(self.found, ())

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
    calls: list[tuple[str, ToolCall]] = field(default_factory=list)  # of tools, with the id of the call
    lead: str = ""  # to be said before the first question, if one is asked
    trace: ReasoningTrace = field(default_factory=ReasoningTrace)
    route: str = "coordinator"
    model: ModelUse = field(default_factory=ModelUse)
    sources: Sources = field(default_factory=Sources)
    outcome: Outcome = field(default_factory=Outcome)
    on_answer: Callable[[QuizResponse], None] | None = None  # who wants to know of a graded answer at once
    tokens_used: int = 0
    closed_cycles: list[CycleOutcome] = field(default_factory=list)
    briefs: dict[str, Any] = field(default_factory=dict)  # of agents/speaking.py, by agent
    parts: dict[type[Any], Any] = field(default_factory=dict)
    leaves_nothing: bool = False  # it was refused, or answered before

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

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """In the order in which they were made, whichever came back first."""
        return tuple(call for _, call in self.calls)

    def calls_tool(self, call_id: str, tool: str, *, parameters: Mapping[str, Any], now: datetime) -> None:
        """Write down a tool's call as it is made."""
        self.calls.append((call_id, ToolCall(tool_name=tool, parameters=dict(parameters), invoked_at=now)))

    def tool_returned(self, call_id: str, result: Mapping[str, Any]) -> None:
        """Write down what came of a call; one that failed is named in the turn's record too."""
        code, message = _failure(result)
        self.outcome.error = self.outcome.error or code
        came = {"result": dict(result), "error": f"{code}: {message}" if code else None}
        # Some servers number the calls of every reply anew: it is the last of that id that came back.
        place = max(place for place, (name, _) in enumerate(self.calls) if name == call_id)
        self.calls[place] = (call_id, self.calls[place][1].model_copy(update=came))


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
