"""The task manager: to-dos, only through the MCP tools, in the learner's own name."""

from functools import partial

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm

from agents.later import Later
from agents.prompts import from_prompt
from agents.services import Services
from agents.task_manager.connection import task_connection
from agents.task_manager.toolset import LazyTaskTools


def build_task_manager(*, model: BaseLlm, services: Services) -> LlmAgent:
    tools = LazyTaskTools(
        partial(task_connection, services.settings), is_busy=lambda: services.turns.under_way
    )
    work = Later("agents.task_manager.callbacks.TaskDesk", services, tools)
    return LlmAgent(
        name="task_manager",
        model=model,
        description="Keeps the learner's to-dos and reminders.",
        instruction=from_prompt("task_manager/prompt.md"),
        include_contents="none",
        tools=[tools],
        before_model_callback=work.method("before_model"),
        after_model_callback=work.method("after_model"),
        on_model_error_callback=work.method("model_failed"),
        before_tool_callback=work.method("name_the_learner"),
        after_tool_callback=work.method("notice_failure"),
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
    )
