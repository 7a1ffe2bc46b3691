"""The task manager: to-dos, only through the MCP tools, in the learner's own name."""

from functools import partial
from typing import TYPE_CHECKING, Any

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext

from agents.briefing import from_prompt
from agents.services import Services
from agents.task_manager.toolset import LazyTaskTools, task_connection

if TYPE_CHECKING:
    from agents.task_manager.step import TaskDesk


def build_task_manager(*, model: BaseLlm, services: Services) -> LlmAgent:
    tools = services.task_tools = LazyTaskTools(
        partial(task_connection, services.settings), is_busy=lambda: services.turns.under_way
    )

    def desk(context: CallbackContext) -> "TaskDesk":
        from agents.task_manager.step import TaskDesk

        return TaskDesk(services, context)

    return LlmAgent(
        name="task_manager",
        model=model,
        description="Keeps the learner's to-dos and reminders.",
        instruction=from_prompt("task_manager/prompt.md"),
        include_contents="none",
        tools=[tools],
        before_model_callback=lambda callback_context, llm_request: desk(callback_context).before_model(
            llm_request
        ),
        after_model_callback=lambda callback_context, llm_response: desk(callback_context).after_model(
            llm_response
        ),
        on_model_error_callback=lambda callback_context, llm_request, error: desk(callback_context).unread(),
        before_tool_callback=_name_the_learner,
        after_tool_callback=tools.notice_failure,
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
    )


def _name_the_learner(tool: BaseTool, args: dict[str, Any], tool_context: ToolContext) -> None:
    """Who asks is the Runner's word, and travels beside the arguments, out of any model's reach."""
    from tasks_tools.identity import call_as

    call_as(tool_context.user_id)
