"""The coordinator: wiring only."""

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.llm_agent import Agent
from google.adk.models.base_llm import BaseLlm

from agents.briefing import words_config
from agents.coordinator.tools import retrieve_context_tool, transfers, verbs
from agents.services import Services
from agents.speaking import Brief, hooks


def build_coordinator(*, model: BaseLlm, services: Services, sub_agents: list[BaseAgent]) -> Agent:
    def brief() -> type[Brief]:
        from agents.coordinator.brief import CoordinatorBrief

        return CoordinatorBrief

    return Agent(
        name="coordinator",
        model=model,
        description="Routes the learner to the right specialist and answers questions about the course.",
        # What was said before is in the brief: ADK would build it anew for every turn, also where code answers.
        include_contents="none",
        generate_content_config=words_config(services.settings),
        tools=[retrieve_context_tool(services), *verbs(services)],
        before_tool_callback=transfers(services),
        sub_agents=sub_agents,
        **hooks(services, brief),
    )
