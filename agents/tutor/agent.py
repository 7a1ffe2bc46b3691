"""The tutor: explains the topic from the course, with citations; later rounds re-teach what was missed."""

from google.adk.models.base_llm import BaseLlm

from agents.prompts import from_prompt
from agents.services import Services
from agents.step_agent import StepAgent


def build_tutor(*, model: BaseLlm, services: Services) -> StepAgent:
    return StepAgent(
        name="tutor",
        step="agents.tutor.step.Tutor",
        model=model,
        description="Explains a topic from the course material, with citations.",
        instruction=from_prompt("tutor/prompt.md"),
        include_contents="none",
        services=services,
    )
