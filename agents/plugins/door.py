"""What comes in, from somebody with a name and of a length that can be read; and what goes out to a model, and how often."""

import logging
import time
from dataclasses import dataclass, field
from typing import Any

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from agents.models.voice import Silence, is_waiting, silence_of_turn
from agents.screen import DRAWN, MOST_MESSAGE, Screen, readable, shown
from agents.services import Services
from agents.turn import ModelCall, TurnDraft
from storage import ID_CHARACTERS, is_learner_id

logger = logging.getLogger(__name__)

_SHORTENED = f"(Your message was very long: I read its first {MOST_MESSAGE:,} characters.)"


class DoorPlugin(BasePlugin):
    """The first to see a message: whoever reads it behind the door can rely on what it is."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="door")
        self._services = services

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        left = MOST_MESSAGE
        for part in user_message.parts or []:
            if part.text is not None:
                text = readable(part.text[: MOST_MESSAGE + 1])
                if len(text) > left:
                    self._services.turns.of(invocation_context.invocation_id).notes[:] = [_SHORTENED]
                # In place: a plugin that returns a message is the last one to see it.
                part.text = text[:left]
                left -= len(part.text)
        return None

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> types.Content | None:
        if is_learner_id(invocation_context.user_id):
            return None
        self._services.turns.of(invocation_context.invocation_id).outcome.status = "error"
        return types.ModelContent(
            f"I cannot keep a record for this user id: it must have 1 to {ID_CHARACTERS} characters that can be "
            "seen. Come back with another one."
        )


@dataclass(slots=True)
class _Streams:
    """Messages that are being streamed, by author."""

    screens: dict[str, Screen] = field(default_factory=dict)


class DisplayPlugin(BasePlugin):
    """Whoever wrote it, a course, a learner or a model: it is shown as text."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="display")
        self._services = services

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> Event | None:
        screens = self._services.turns.of(invocation_context.invocation_id).part(_Streams).screens
        run = invocation_context.run_config
        is_drawn = bool((run.custom_metadata or {}).get(DRAWN)) if run else False
        for part in (event.content.parts or []) if event.content else []:
            if part.text and event.partial:
                part.text = screens.setdefault(event.author, Screen(draws_formulas=is_drawn)).feed(part.text)
            elif part.text:
                part.text = shown(part.text, draws_formulas=is_drawn)
        if not event.partial:
            screens.pop(event.author, None)
        return None


@dataclass(slots=True)
class CallUnderWay:
    """When a request went out, and when the first word of its answer came."""

    began: float = field(default_factory=time.perf_counter)
    first_word: float | None = None  # seconds into the call


class ModelCallsPlugin(BasePlugin):
    """Keeps the record of what a large model was asked, and how long it may keep the learner waiting."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="model_calls")
        self._services = services

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> types.Content | None:
        if invocation_context.run_config:
            # A second belt: the agents count for themselves, and answer without a model at their limit.
            invocation_context.run_config.max_llm_calls = 4 * self._services.settings.max_llm_calls
        return None

    async def before_model_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        turn = self._services.turns.of(callback_context.invocation_id)
        turn.parts[CallUnderWay] = CallUnderWay()
        turn.model.silence = turn.model.silence or Silence(self._services.settings.model_timeout)
        silence_of_turn.set(turn.model.silence)
        return None

    async def after_model_callback(
        self, *, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        turn = self._services.turns.of(callback_context.invocation_id)
        brief = turn.briefs.get(callback_context.agent_name)
        if brief is None or brief.made_by_code(llm_response) or is_waiting(llm_response):
            return None
        if llm_response.partial:
            call = turn.part(CallUnderWay)
            call.first_word = call.first_word or time.perf_counter() - call.began
        else:
            turn.model.calls.append(_ended(turn, brief.task, usage=llm_response.usage_metadata))
        return None

    async def on_model_error_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest, error: Exception
    ) -> LlmResponse | None:
        """The agent's own hook answers in its place."""
        cause = getattr(error, "cause", "down")
        if cause != "none":
            logger.warning("the model failed: %s", getattr(error, "cause", type(error).__name__))
            turn = self._services.turns.of(callback_context.invocation_id)
            brief = turn.briefs.get(callback_context.agent_name)
            turn.model.calls.append(_ended(turn, brief.task if brief else "", outcome=cause))
        return None

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, object], tool_context: ToolContext, error: Exception
    ) -> dict[str, object] | None:
        logger.warning("tool %s failed: %s", tool.name, type(error).__name__)
        return {
            "success": False,
            "error": {"code": "TOOL_ERROR", "message": f"{tool.name} did not work just now."},
        }


def _ended(turn: TurnDraft, task: str, **how: Any) -> ModelCall:
    call = turn.part(CallUnderWay)
    return ModelCall.ended(task, began=call.began, first_word=call.first_word, **how)
