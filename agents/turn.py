"""What one turn did: AgentResponse for the front end, ConversationTurn for the record."""

from datetime import datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rag.results import RetrievalResult

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


class AgentResponse(BaseModel):
    """The answer to one message, with everything that stands behind it."""

    model_config = ConfigDict(frozen=True)

    answer: str
    status: Status = "success"
    session_id: str
    turn_id: str
    turn_number: int = Field(ge=1)
    citations: tuple[RetrievalResult, ...] = ()
    retrieval_performed: bool = False
    retrieval_count: int = Field(default=0, ge=0)
    retrieved_sources: tuple[str, ...] = ()
    grounded: bool = False
    tool_calls: tuple[ToolCall, ...] = ()
    model_used: str
    tokens_used: int = Field(default=0, ge=0)
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
        return self


class ConversationTurn(BaseModel):
    """One exchange as it is stored."""

    model_config = ConfigDict(frozen=True)

    turn_id: str
    user_query: str
    retrieval_results: tuple[RetrievalResult, ...]
    agent_response: AgentResponse
    timestamp: datetime
    duration_seconds: float = Field(gt=0)
