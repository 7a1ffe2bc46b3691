"""The quiz's agent: wiring only."""

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm

from agents.briefing import exact_config
from agents.quiz.tools import quiz_tools
from agents.services import Services
from agents.speaking import Brief, hooks


def build_quiz(*, model: BaseLlm, services: Services) -> LlmAgent:
    def brief() -> type[Brief]:
        from agents.quiz.brief import QuizBrief

        return QuizBrief

    return LlmAgent(
        name="quiz",
        model=model,
        description="Asks questions about the topic one at a time and grades the answers.",
        tools=[*quiz_tools(services)],
        include_contents="none",
        generate_content_config=exact_config(),
        **hooks(services, brief),
    )
