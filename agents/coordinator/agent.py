"""The coordinator: code routes what it is sure of; the model answers questions about the material."""

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.llm_agent import Agent
from google.adk.models.base_llm import BaseLlm

from agents.coordinator.tools import retrieve_context_tool
from agents.later import Later
from agents.patience import PatientAgent
from agents.prompts import from_prompt
from agents.services import Services


def build_coordinator(*, model: BaseLlm, services: Services, sub_agents: list[BaseAgent]) -> Agent:
    work = Later("agents.coordinator.callbacks.CoordinatorDesk", services)
    return PatientAgent(
        name="coordinator",
        model=model,
        description="Routes the learner to the right specialist and answers questions about the course.",
        instruction=from_prompt("coordinator/prompt.md"),
        # The conversation goes into the brief: ADK would build it anew for every turn, also where code answers.
        include_contents="none",
        tools=[retrieve_context_tool(services)],
        before_model_callback=work.method("before_model"),
        after_model_callback=work.method("after_model"),
        on_model_error_callback=work.method("model_failed"),
        after_agent_callback=work.method("after_agent"),
        sub_agents=sub_agents,
        services=services,
    )
