"""The diagnostic: a few questions over the prerequisite graph, then gaps, level and what to do."""

from google.adk.models.base_llm import BaseLlm

from agents.prompts import from_prompt
from agents.services import Services
from agents.step_agent import StepAgent


def build_diagnostic(*, model: BaseLlm, services: Services) -> StepAgent:
    return StepAgent(
        name="diagnostic",
        step="agents.diagnostic.step.Diagnostic",
        model=model,
        description="Finds out in a few questions what the learner knows and lacks.",
        instruction=from_prompt("diagnostic/prompt.md"),
        include_contents="none",
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
        services=services,
    )
