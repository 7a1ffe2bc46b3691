"""The feedback's agent: wiring only; its turn is in step.py."""

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm

from agents.briefing import from_prompt
from agents.services import Services
from agents.step_agent import Step, StepAgent


def build_feedback(*, model: BaseLlm, services: Services) -> StepAgent:
    def make_step(agent: LlmAgent) -> Step:
        from agents.feedback.step import Feedback

        return Feedback(agent, services)

    return StepAgent(
        name="feedback",
        make_step=make_step,
        model=model,
        description="Says what was right, what was confused, and what comes next.",
        instruction=from_prompt("feedback/prompt.md"),
        include_contents="none",
        services=services,
    )
