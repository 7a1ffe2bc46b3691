"""The quiz's agent: wiring only; its turn is in step.py."""

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm

from agents.briefing import from_prompt
from agents.services import Services
from agents.step_agent import Step, StepAgent


def build_quiz(*, model: BaseLlm, services: Services) -> StepAgent:
    def make_step(agent: LlmAgent) -> Step:
        from agents.quiz.step import Quiz

        return Quiz(agent, services)

    return StepAgent(
        name="quiz",
        make_step=make_step,
        model=model,
        description="Asks questions about the topic one at a time and grades the answers.",
        instruction=from_prompt("quiz/prompt.md"),
        include_contents="none",
        services=services,
    )
