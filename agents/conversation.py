"""A session's stored turns as the mission's conversations see them: views, made anew each time; nothing is stored twice.

AgentSession (what the model is shown, and counts), Conversation (everything that was said) and ConversationSession (the same
in OpenAI's format) are three views of one list of turns.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal, Self

from google.adk.events.event import Event
from google.adk.sessions.session import Session
from pydantic import BaseModel, ConfigDict, Field, model_validator

from agents.models.voice import words_in
from agents.teaching.values import Moment, NotBlank
from agents.turn import AgentResponse, ToolCall

if TYPE_CHECKING:
    from storage.learners import TurnLog

Said = tuple[str, str]  # who, what

FORGOTTEN = "(Our conversation has grown long, so I had to leave its oldest part out of view.)"
MOST_TOKENS = 12_000
_CHARS_A_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The last messages, and whether the token limit cut them."""

    messages: tuple[Said, ...]
    was_cut: bool


def conversation(session: Session, *, since_turn: int = 0) -> list[Said]:
    """Who said what, oldest first, without the current message and what was reset."""
    lines: list[Said] = []
    asked = sum(event.author == "user" and bool(_text(event)) for event in session.events)
    # Counted from the end: what was said long ago may be deleted.
    turns = max(0, int((session.state.get("last_response") or {}).get("turn_number", 0)) + 1 - asked)
    for event in session.events:
        text = _text(event)
        if event.author == "user" and text:
            turns += 1
        if text and turns >= since_turn:
            lines.append(("user" if event.author == "user" else "assistant", text))
    return lines[:-1]


def last_message(session: Session) -> str:
    """What the learner said before the current message."""
    said = (event for event in reversed(session.events) if event.author == "user" and event.content)
    next(said, None)
    before = next(said, None)
    return words_in(before.content if before else None)


def window(messages: list[Said], *, most_messages: int, most_tokens: int = MOST_TOKENS) -> Window:
    """Slide to the last messages; where they are too long, the oldest leave."""
    kept = messages[-most_messages:]
    was_cut = False
    while kept and sum(len(text) for _, text in kept) > most_tokens * _CHARS_A_TOKEN:
        kept = kept[1:]
        was_cut = True
    return Window(messages=tuple(kept), was_cut=was_cut)


def estimated_tokens(*texts: str) -> int:
    """About how many tokens the words are, at least one."""
    return max(1, sum(map(len, texts)) // _CHARS_A_TOKEN)


def _text(event: Event) -> str:
    return "".join(part.text for part in (event.content.parts or []) if part.text) if event.content else ""


RETRIEVAL = "retrieve_context"
_ONE_TURN = 2  # messages
MOST_MESSAGES = 100  # a soft limit: who goes on hears a kind word, and is served

Role = Literal["system", "user", "assistant", "tool", "function"]


def kind_word(*, messages: int) -> str:
    """What somebody hears whose conversation has grown long."""
    return (
        f"(We have exchanged {messages} messages here, well done. You can go on as long as you like; a new session starts "
        "with a clear view, and I remember what you have learned.)"
    )


class _View(BaseModel):
    model_config = ConfigDict(frozen=True)


class FunctionCall(_View):
    """A tool that the assistant asked for."""

    name: str = Field(min_length=1)
    arguments: dict[str, Any] = {}

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if self.name == RETRIEVAL:
            RetrievalArguments.model_validate(self.arguments)
        return self


class RetrievalArguments(_View):
    """What retrieve_context takes."""

    query: NotBlank
    top_k: int | None = Field(default=None, ge=1, le=10)
    threshold: float | None = Field(default=None, ge=0, le=1)


class Message(_View):
    """One message of a conversation; a tool's answer is one too."""

    role: Role
    content: str = ""
    timestamp: Moment
    tool_calls: tuple[FunctionCall, ...] = ()
    tool_call_id: str | None = None

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if not self.content.strip() and not self.tool_calls:
            raise ValueError("a message has content, or calls a tool")
        if self.tool_calls and self.role != "assistant":
            raise ValueError("only the assistant calls tools")
        if (self.tool_call_id is not None) != (self.role in ("tool", "function")):
            raise ValueError("a tool's answer, and only that, names its call")
        return self

    @property
    def function_call(self) -> FunctionCall | None:
        return self.tool_calls[0] if self.tool_calls else None

    @property
    def function_response(self) -> str | None:
        return self.content if self.tool_call_id is not None else None


class Conversation(BaseModel):
    """Everything that was said in a session, oldest first; a new one has the system message alone."""

    id: str = Field(min_length=1)
    messages: tuple[Message, ...] = Field(min_length=1)
    created_at: Moment
    model: str

    @model_validator(mode="after")
    def _takes_turns(self) -> Self:
        _require_turns(self.messages)
        return self

    def add_message(self, message: Message) -> None:
        """Append a message; whoever speaks out of turn is refused."""
        messages = (*self.messages, message)
        _require_turns(messages)
        self.messages = messages

    @property
    def note(self) -> str:
        """The kind word for a long conversation; empty before."""
        said = sum(
            message.role in ("user", "assistant") and bool(message.content) for message in self.messages
        )
        return kind_word(messages=said) if said >= MOST_MESSAGES else ""

    def to_openai_messages(self) -> list[dict[str, Any]]:
        return [ConversationMessage.of(message).to_dict() for message in self.messages]


class AgentSession(_View):
    """A session at a glance: its counts, and as much of the conversation as a model is shown."""

    session_id: str = Field(min_length=1)
    user_id: str
    started_at: Moment
    model: str
    conversation_history: tuple[Message, ...] = Field(min_length=1)
    max_history: int = Field(default=20, ge=1, le=100)
    is_interactive: bool
    turn_count: int = Field(default=0, ge=0)
    retrieval_count: int = Field(default=0, ge=0)  # calls of retrieve_context
    total_tokens_used: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(self.conversation_history) > self.max_history:
            raise ValueError("conversation_history is at most max_history messages")
        _require_turns(self.conversation_history)
        return self


class ConversationMessage(_View):
    """One message in OpenAI's format."""

    role: Literal["system", "user", "assistant", "function"]
    content: str | None = None
    name: str | None = None
    function_call: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if not (self.content or "").strip() and self.function_call is None:
            raise ValueError("content is required unless a function is called")
        if self.function_call is not None and self.role != "assistant":
            raise ValueError("only the assistant calls functions")
        if bool(self.name) != (self.role == "function"):
            raise ValueError("a function's answer, and only that, names the function")
        return self

    @classmethod
    def of(cls, message: Message) -> Self:
        call = message.function_call
        return cls(
            role="function" if message.role == "tool" else message.role,
            content=message.content or None,
            name=message.tool_call_id.partition("#")[0] if message.tool_call_id else None,
            function_call=None
            if call is None
            else {"name": call.name, "arguments": json.dumps(call.arguments)},
        )

    def to_dict(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_none=True)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls.model_validate(dict(data))


class ConversationSession(BaseModel):
    """A session in OpenAI's format, with its counts; a new one has the system message alone."""

    session_id: str = Field(min_length=1)
    messages: tuple[ConversationMessage, ...] = Field(min_length=1)
    created_at: Moment
    turn_count: int = Field(default=0, ge=0)  # of the user's messages
    retrieval_count: int = Field(default=0, ge=0)  # of look-ups
    total_tokens_used: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _takes_turns(self) -> Self:
        _require_turns(self.messages)
        return self

    def add_message(self, message: ConversationMessage) -> None:
        """Append a message and count it; whoever speaks out of turn is refused."""
        messages = (*self.messages, message)
        _require_turns(messages)
        self.messages = messages
        self.turn_count += message.role == "user"
        self.retrieval_count += message.name == RETRIEVAL

    def get_message_history(self) -> list[dict[str, Any]]:
        return [message.to_dict() for message in self.messages]

    def get_last_assistant_message(self) -> str | None:
        said = (each.content for each in reversed(self.messages) if each.role == "assistant" and each.content)
        return next(said, None)


def conversation_of(turns: "Sequence[TurnLog]", *, system: str) -> Conversation:
    """Everything that was said in these turns of one session, oldest first."""
    first, last = turns[0], _response(turns[-1])
    opening = Message(role="system", content=system, timestamp=first.timestamp)
    return Conversation(
        id=first.session_id,
        messages=(opening, *(message for turn in turns for message in _messages(turn))),
        created_at=first.timestamp,
        model=last.model_used,
    )


def agent_session_of(turns: "Sequence[TurnLog]", *, system: str, max_history: int) -> AgentSession:
    """The session with its newest messages since it was last reset; the oldest have left the window."""
    whole = conversation_of(turns, system=system)
    opening, said = (
        whole.messages[0],
        [message for turn in _since_reset(turns) for message in _messages(turn)],
    )
    kept = said[len(said) - (max_history - 1) :] if len(said) >= max_history else said
    while kept and kept[0].role != "user":  # no answer without its question
        kept = kept[1:]
    if not kept and max_history > _ONE_TURN:  # then without the tools that came between
        kept = [each for each in said[-1:] if each.role == "assistant"]
        asked = [each for each in said if each.role == "user"]
        kept = [*asked[-1:], *kept]
    return AgentSession(
        session_id=whole.id,
        user_id=turns[0].user_id,
        started_at=whole.created_at,
        model=whole.model,
        conversation_history=(opening, *kept),
        max_history=max_history,
        is_interactive=all(_response(turn).is_interactive for turn in turns),
        **_counts(turns),
    )


def conversation_session_of(turns: "Sequence[TurnLog]", *, system: str) -> ConversationSession:
    whole = conversation_of(turns, system=system)
    return ConversationSession(
        session_id=whole.id,
        messages=tuple(map(ConversationMessage.of, whole.messages)),
        created_at=whole.created_at,
        **_counts(turns),
    )


def _since_reset(turns: "Sequence[TurnLog]") -> "Sequence[TurnLog]":
    resets = [
        place
        for place, turn in enumerate(turns, 1)
        if (response := _response(turn)).reasoning_trace.intent == "reset" and response.status == "success"
    ]
    return turns[resets[-1] :] if resets else turns


def _messages(turn: "TurnLog") -> Iterator[Message]:
    """What one turn adds: the question, the tools that were used, and the answer."""
    response = _response(turn)
    yield Message(role="user", content=turn.user_query, timestamp=turn.timestamp)
    for number, call in enumerate(response.tool_calls, 1):
        if not (call.error or "").startswith("INVALID_INPUT"):  # that was no call that can be made
            yield from _used(call, number=number)
    answered_at = turn.timestamp + timedelta(seconds=turn.duration_seconds)
    said = response.answer if response.answer.strip() else response.error or ""
    yield Message(role="assistant", content=said, timestamp=answered_at)


def _used(call: ToolCall, *, number: int) -> Iterator[Message]:
    asked = FunctionCall(name=call.tool_name, arguments=call.parameters)
    yield Message(role="assistant", tool_calls=(asked,), timestamp=call.invoked_at)
    yield Message(
        role="tool",
        content=json.dumps(call.result or {"error": call.error}, ensure_ascii=False),
        tool_call_id=f"{call.tool_name}#{number}",
        timestamp=call.invoked_at,
    )


def _counts(turns: "Sequence[TurnLog]") -> dict[str, int]:
    responses = [_response(turn) for turn in turns]
    return {
        "turn_count": len(turns),
        "retrieval_count": sum(
            call.tool_name == RETRIEVAL for response in responses for call in response.tool_calls
        ),
        "total_tokens_used": sum(response.tokens_used for response in responses),
    }


def _response(turn: "TurnLog") -> AgentResponse:
    """The turn's response; one that an earlier version stored lacks what is required now."""
    stored = dict(turn.agent_response)
    stored["tokens_used"] = max(1, stored.get("tokens_used") or 0)
    stored["retrieval_count"] = max(stored.get("retrieval_count") or 0, len(stored.get("citations") or ()))
    was_retrieved = (
        stored.get("retrieval_performed") or stored["retrieval_count"] or stored.get("retrieved_sources")
    )
    stored["retrieval_performed"] = bool(was_retrieved)
    if stored.get("status") == "error":
        stored["error"] = stored.get("error") or "FAILED"
    if stored.get("status") in ("clarification_needed", "confirmation_required"):
        stored["clarification"] = stored.get("clarification") or {"question": stored["answer"]}
    return AgentResponse.model_validate(stored)


def _require_system(messages: Sequence[Message | ConversationMessage]) -> None:
    if messages[0].role != "system":
        raise ValueError("a conversation begins with a system message")


def _require_turns(messages: Sequence[Message | ConversationMessage]) -> None:
    """The user speaks first, and then the two in turn; calls and their answers come between."""
    _require_system(messages)
    spoke = "assistant"
    for message in messages[1:]:
        if message.role in ("tool", "function") or message.function_call is not None:
            if spoke != "user":
                raise ValueError("tools are called after a user has spoken, before the answer")
            continue
        if message.role in (spoke, "system"):
            raise ValueError("user and assistant take turns")
        spoke = message.role
