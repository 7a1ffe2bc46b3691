"""The feedback: closes a cycle, says how it went, and decides by the numbers whether the loop ends."""

from google.adk.models.base_llm import BaseLlm

from agents.prompts import from_prompt
from agents.services import Services
from agents.step_agent import StepAgent


def build_feedback(*, model: BaseLlm, services: Services) -> StepAgent:
    return StepAgent(
        name="feedback",
        step="agents.feedback.step.Feedback",
        model=model,
        description="Says what was right, what was confused, and what comes next.",
        instruction=from_prompt("feedback/prompt.md"),
        include_contents="none",
        services=services,
    )
