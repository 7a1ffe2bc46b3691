"""A step of the learning loop: code decides when it runs and what it may say, the model speaks."""

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from google.adk.agents._streaming_mode import StreamingMode
from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.llm_agent import LlmAgent
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai import types
from pydantic import BaseModel

from agents.prompts import BRIEF_KEY, fence
from agents.services import Services
from agents.state import SessionState
from storage.errors import InvalidInputError, TutorError

_PIECE = re.compile(r"(?:\S+\s*){1,12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What the model said to a brief, unchecked."""

    text: str
    usage: types.GenerateContentResponseUsageMetadata | None


class Step(ABC):
    """What one agent of the loop does; it keeps nothing between turns."""

    def __init__(self, agent: LlmAgent, services: Services) -> None:
        self._agent = agent
        self.services = services

    @abstractmethod
    def is_due(self, state: SessionState) -> bool:
        """Whether the state says that this step is next."""

    @abstractmethod
    def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        """Do the step's work and yield what the learner sees."""

    def apologise(self, ctx: InvocationContext, err: Exception) -> AsyncGenerator[Event, None]:
        return self.say(ctx, trouble(err), escalate=True)

    async def speak(self, ctx: InvocationContext, brief: BaseModel) -> Spoken:
        """Ask the model, through ADK's whole flow, and keep what it says to ourselves."""
        ctx.session.state[BRIEF_KEY] = fence(brief)
        texts: list[str] = []
        usage = None
        async with aclosing(LlmAgent._run_async_impl(self._agent, ctx)) as events:
            async for event in events:
                if event.partial:
                    continue
                usage = event.usage_metadata or usage
                texts += [part.text for part in _parts(event) if part.text and not part.thought]
        return Spoken(text="".join(texts).strip(), usage=usage)

    async def say(
        self,
        ctx: InvocationContext,
        text: str,
        *,
        changes: dict[str, Any] | None = None,
        escalate: bool = False,
        usage: types.GenerateContentResponseUsageMetadata | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Yield a message with its state changes, in pieces first where the front end streams."""
        if ctx.run_config and ctx.run_config.streaming_mode == StreamingMode.SSE:
            for piece in _PIECE.findall(text):
                yield self._event(ctx, piece, partial=True)
        actions = EventActions(state_delta=changes or {}, escalate=True if escalate else None)
        yield self._event(ctx, text, actions=actions, usage_metadata=usage)

    def _event(self, ctx: InvocationContext, text: str, **fields: Any) -> Event:
        content = types.Content(role="model", parts=[types.Part(text=text)])
        return Event(
            invocation_id=ctx.invocation_id,
            author=self._agent.name,
            branch=ctx.branch,
            content=content,
            **fields,
        )


def trouble(err: Exception) -> str:
    """What a learner hears when something failed: the cause where it is theirs to mend, and what to do."""
    if isinstance(err, InvalidInputError):
        return str(err)
    cause = f"{err} " if isinstance(err, TutorError) else ""
    return f"Something went wrong on my side. {cause}Nothing is lost: say that again, or ask something else."


def message_of(ctx: InvocationContext) -> str:
    """The text of the message that this turn answers."""
    return (
        " ".join(part.text for part in (ctx.user_content.parts or []) if part.text)
        if ctx.user_content
        else ""
    )


def _parts(event: Event) -> list[types.Part]:
    return list(event.content.parts or []) if event.content else []
