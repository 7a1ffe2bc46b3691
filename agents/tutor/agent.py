"""The tutor's agent: wiring only; its turn is in step.py."""

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm

from agents.briefing import from_prompt
from agents.services import Services
from agents.step_agent import Step, StepAgent


def build_tutor(*, model: BaseLlm, services: Services) -> StepAgent:
    def make_step(agent: LlmAgent) -> Step:
        from agents.tutor.step import Tutor

        return Tutor(agent, services)

    return StepAgent(
        name="tutor",
        make_step=make_step,
        model=model,
        description="Explains a topic from the course material, with citations.",
        instruction=from_prompt("tutor/prompt.md"),
        include_contents="none",
        services=services,
    )
