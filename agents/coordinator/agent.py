"""The coordinator: code routes what it is sure of; the model answers questions about the material."""

from typing import TYPE_CHECKING

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.llm_agent import Agent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from agents.coordinator.tools import retrieve_context_tool
from agents.prompts import from_prompt
from agents.services import Services
from agents.step_agent import PatientAgent

if TYPE_CHECKING:
    from agents.coordinator.step import CoordinatorDesk


def build_coordinator(*, model: BaseLlm, services: Services, sub_agents: list[BaseAgent]) -> Agent:
    def desk() -> "CoordinatorDesk":
        from agents.coordinator.step import CoordinatorDesk

        return CoordinatorDesk(services)

    async def before_model(callback_context: CallbackContext, llm_request: LlmRequest) -> LlmResponse | None:
        return await desk().before_model(callback_context, llm_request)

    async def after_model(callback_context: CallbackContext, llm_response: LlmResponse) -> LlmResponse | None:
        return await desk().after_model(callback_context, llm_response)

    async def model_failed(
        callback_context: CallbackContext, llm_request: LlmRequest, error: Exception
    ) -> LlmResponse | None:
        return await desk().model_failed(callback_context, llm_request, error)

    async def after_agent(callback_context: CallbackContext) -> types.Content | None:
        return await desk().after_agent(callback_context)

    return PatientAgent(
        name="coordinator",
        model=model,
        description="Routes the learner to the right specialist and answers questions about the course.",
        instruction=from_prompt("coordinator/prompt.md"),
        # The conversation goes into the brief: ADK would build it anew for every turn, also where code answers.
        include_contents="none",
        tools=[retrieve_context_tool(services)],
        before_model_callback=before_model,
        after_model_callback=after_model,
        on_model_error_callback=model_failed,
        after_agent_callback=after_agent,
        sub_agents=sub_agents,
        services=services,
    )
