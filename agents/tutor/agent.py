"""The tutor's agent: wiring only."""

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm

from agents.briefing import words_config
from agents.coordinator.tools import retrieve_context_tool
from agents.services import Services
from agents.speaking import Brief, hooks


def build_tutor(*, model: BaseLlm, services: Services) -> LlmAgent:
    def brief() -> type[Brief]:
        from agents.tutor.brief import TutorBrief

        return TutorBrief

    return LlmAgent(
        name="tutor",
        model=model,
        description="Explains a topic from the course material, with citations.",
        tools=[retrieve_context_tool(services)],
        include_contents="none",
        generate_content_config=words_config(services.settings),
        **hooks(services, brief),
    )
