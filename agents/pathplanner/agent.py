"""The path planner: what to learn next and why, foundations first."""

from google.adk.models.base_llm import BaseLlm

from agents.prompts import from_prompt
from agents.services import Services
from agents.step_agent import StepAgent


def build_pathplanner(*, model: BaseLlm, services: Services) -> StepAgent:
    return StepAgent(
        name="pathplanner",
        step="agents.pathplanner.step.PathPlanner",
        model=model,
        description="Recommends what to learn next and why.",
        instruction=from_prompt("pathplanner/prompt.md"),
        include_contents="none",
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
        services=services,
    )
