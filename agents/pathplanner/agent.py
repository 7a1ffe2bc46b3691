"""The path planner's agent: wiring only; its turn is in step.py."""

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm

from agents.briefing import from_prompt
from agents.services import Services
from agents.step_agent import Step, StepAgent


def build_pathplanner(*, model: BaseLlm, services: Services) -> StepAgent:
    def make_step(agent: LlmAgent) -> Step:
        from agents.pathplanner.step import PathPlanner

        return PathPlanner(agent, services)

    return StepAgent(
        name="pathplanner",
        make_step=make_step,
        model=model,
        description="Recommends what to learn next and why.",
        instruction=from_prompt("pathplanner/prompt.md"),
        include_contents="none",
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
        services=services,
    )
