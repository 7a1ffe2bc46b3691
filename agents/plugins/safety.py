"""What a model returns is checked before anything acts on it; where it fails, the embedded model serves."""

import logging
from collections.abc import Iterable

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from agents.models.embedded import EmbeddedLlm
from agents.settings import Settings

logger = logging.getLogger(__name__)

_TRANSFER = "transfer_to_agent"


class SafetyPlugin(BasePlugin):
    """Empty answers, unknown tools and agents, and failing models all end in the embedded model's reply."""

    def __init__(self, settings: Settings, *, agent_names: Iterable[str]) -> None:
        super().__init__(name="safety")
        self._most_calls = settings.max_llm_calls
        self._agent_names = frozenset(agent_names)
        self._requests: dict[str, LlmRequest] = {}
        self._embedded = EmbeddedLlm()

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> types.Content | None:
        if invocation_context.run_config:
            invocation_context.run_config.max_llm_calls = self._most_calls
        return None

    async def before_model_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        self._requests[callback_context.invocation_id] = llm_request
        return None

    async def after_model_callback(
        self, *, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        request = self._requests.get(callback_context.invocation_id)
        if request is None or llm_response.model_version == self._embedded.model:
            return None
        if llm_response.partial:
            # A fragment has not been checked, so nobody sees it.
            return LlmResponse(content=types.Content(role="model", parts=[]), partial=True)
        problem = self._problem(llm_response, request)
        if problem is None:
            return None
        logger.warning("model reply replaced: %s", problem)
        return await self._reply(request, agent=callback_context.agent_name)

    async def on_model_error_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest, error: Exception
    ) -> LlmResponse | None:
        logger.warning("model failed: %s", type(error).__name__)
        return await self._reply(llm_request, agent=callback_context.agent_name)

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, object], tool_context: ToolContext, error: Exception
    ) -> dict[str, object] | None:
        logger.warning("tool %s failed: %s", tool.name, type(error).__name__)
        return {
            "success": False,
            "error": {"code": "TOOL_ERROR", "message": f"{tool.name} did not work just now."},
        }

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        self._requests.pop(invocation_context.invocation_id, None)

    def _problem(self, response: LlmResponse, request: LlmRequest) -> str | None:
        if response.error_code:
            return f"error {response.error_code}"
        parts = response.content.parts if response.content and response.content.parts else []
        calls = [part.function_call for part in parts if part.function_call]
        if not calls and not any((part.text or "").strip() for part in parts if not part.thought):
            return "empty"
        for call in calls:
            if call.name not in request.tools_dict:
                return "unknown tool"
            if call.name == _TRANSFER and (call.args or {}).get("agent_name") not in self._agent_names:
                return "unknown agent"
        return None

    async def _reply(self, request: LlmRequest, *, agent: str) -> LlmResponse:
        # Gemini's client takes the labels off the request.
        request.config.labels = {"adk_agent_name": agent}
        replies = [reply async for reply in self._embedded.generate_content_async(request)]
        return replies[-1]
