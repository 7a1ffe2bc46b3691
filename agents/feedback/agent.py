"""The feedback's agent: wiring only."""

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm

from agents.briefing import words_config
from agents.services import Services
from agents.speaking import Brief, hooks


def build_feedback(*, model: BaseLlm, services: Services) -> LlmAgent:
    def brief() -> type[Brief]:
        from agents.feedback.brief import FeedbackBrief

        return FeedbackBrief

    return LlmAgent(
        name="feedback",
        model=model,
        description="Says what was right, what was confused, and what comes next.",
        include_contents="none",
        generate_content_config=words_config(services.settings),
        **hooks(services, brief),
    )
