"""The path planner: wiring only."""

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm

from agents.briefing import words_config
from agents.pathplanner.tools import plan_path_tool
from agents.services import Services
from agents.speaking import Brief, hooks


def build_pathplanner(*, model: BaseLlm, services: Services) -> LlmAgent:
    def brief() -> type[Brief]:
        from agents.pathplanner.brief import PathPlannerBrief

        return PathPlannerBrief

    return LlmAgent(
        name="pathplanner",
        model=model,
        description="Recommends what to learn next and why.",
        tools=[plan_path_tool(services)],
        include_contents="none",
        generate_content_config=words_config(services.settings),
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
        **hooks(services, brief),
    )
