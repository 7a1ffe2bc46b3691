"""The task manager: to-dos, only through the MCP tools, in the learner's own name."""

import sys

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm

from agents.later import Later
from agents.prompts import from_prompt
from agents.services import Services
from agents.task_manager.toolset import LazyTaskTools

_START_SECONDS = 20.0


def build_task_manager(*, model: BaseLlm, services: Services) -> LlmAgent:
    work = Later("agents.task_manager.callbacks.TaskDesk", services)
    return LlmAgent(
        name="task_manager",
        model=model,
        description="Keeps the learner's to-dos and reminders.",
        instruction=from_prompt("task_manager/prompt.md"),
        include_contents="none",
        tools=[_toolset(services)],
        before_model_callback=work.method("before_model"),
        before_tool_callback=work.method("name_the_learner"),
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
    )


def _toolset(services: Services) -> LazyTaskTools:
    def command() -> list[str]:
        return [sys.executable, "-m", "tasks_tools", "--database", services.settings.database]

    return LazyTaskTools(command=command, start_seconds=_START_SECONDS)
