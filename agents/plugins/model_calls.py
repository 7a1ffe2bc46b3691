"""Every model request: what it asks for, how many there may be, and what became of it."""

import logging
import time
from dataclasses import dataclass, field
from typing import Any

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from agents.models.consultation import Consultation
from agents.services import Services
from agents.turn import ModelCall, TurnDraft

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class CallUnderWay:
    """When a request went out, and when the first word of its answer came."""

    began: float = field(default_factory=time.perf_counter)
    first_word: float | None = None  # seconds into the call


class ModelCallsPlugin(BasePlugin):
    """Puts a step's question to a large model into the request, and keeps the record of it."""

    def __init__(self, services: Services, *, model_name: str) -> None:
        super().__init__(name="model_calls")
        self._services = services
        self._model_name = model_name

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> types.Content | None:
        if invocation_context.run_config:
            invocation_context.run_config.max_llm_calls = self._services.settings.max_llm_calls
        return None

    async def before_model_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        turn = self._services.turns.of(callback_context.invocation_id)
        turn.parts[CallUnderWay] = CallUnderWay()
        if turn.model.asking:
            turn.model.asking.shape(llm_request, model=self._model_name)
        return None

    async def after_model_callback(
        self, *, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        turn = self._services.turns.of(callback_context.invocation_id)
        if turn.model.asking is None:
            return None
        if llm_response.partial:
            call = turn.part(CallUnderWay)
            call.first_word = call.first_word or time.perf_counter() - call.began
        elif llm_response.content and llm_response.content.parts:  # what stands for a failure has none
            turn.model.calls.append(_ended(turn, turn.model.asking, usage=llm_response.usage_metadata))
        return None

    async def on_model_error_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest, error: Exception
    ) -> LlmResponse | None:
        """Whoever asked decides what to do without an answer."""
        turn = self._services.turns.of(callback_context.invocation_id)
        logger.warning("the model failed: %s", getattr(error, "cause", type(error).__name__))
        if turn.model.asking:
            turn.model.calls.append(_ended(turn, turn.model.asking, outcome=getattr(error, "cause", "down")))
        # Nobody waits for it twice in one turn.
        turn.model.is_silent = turn.model.is_silent or getattr(error, "cause", "") == "silent"
        return None

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, object], tool_context: ToolContext, error: Exception
    ) -> dict[str, object] | None:
        logger.warning("tool %s failed: %s", tool.name, type(error).__name__)
        return {
            "success": False,
            "error": {"code": "TOOL_ERROR", "message": f"{tool.name} did not work just now."},
        }


def _ended(turn: TurnDraft, asking: Consultation, **how: Any) -> ModelCall:
    call = turn.part(CallUnderWay)
    return ModelCall.ended(asking.task, began=call.began, first_word=call.first_word, **how)
