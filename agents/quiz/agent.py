"""The quiz: writes questions from the passages, asks them one at a time, and grades the answers."""

from google.adk.models.base_llm import BaseLlm

from agents.prompts import from_prompt
from agents.services import Services
from agents.step_agent import StepAgent


def build_quiz(*, model: BaseLlm, services: Services) -> StepAgent:
    return StepAgent(
        name="quiz",
        step="agents.quiz.step.Quiz",
        model=model,
        description="Asks questions about the topic one at a time and grades the answers.",
        instruction=from_prompt("quiz/prompt.md"),
        include_contents="none",
        services=services,
    )
