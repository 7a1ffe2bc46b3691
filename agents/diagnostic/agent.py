"""The diagnostic's agent: wiring only."""

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm

from agents.briefing import words_config
from agents.quiz.tools import give_verdict_tool
from agents.services import Services
from agents.speaking import Brief, hooks


def build_diagnostic(*, model: BaseLlm, services: Services) -> LlmAgent:
    def brief() -> type[Brief]:
        from agents.diagnostic.brief import DiagnosticBrief

        return DiagnosticBrief

    return LlmAgent(
        name="diagnostic",
        model=model,
        description="Finds out in a few questions what the learner knows and lacks.",
        tools=[give_verdict_tool(services)],
        include_contents="none",
        generate_content_config=words_config(services.settings),
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
        **hooks(services, brief),
    )
