"""The task manager: to-dos, only through the MCP tools, in the learner's own name."""

from functools import partial
from typing import TYPE_CHECKING, Any

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext

from agents.prompts import from_prompt
from agents.services import Services
from agents.task_manager.connection import task_connection
from agents.task_manager.toolset import LazyTaskTools

if TYPE_CHECKING:
    from agents.task_manager.step import TaskDesk


def build_task_manager(*, model: BaseLlm, services: Services) -> LlmAgent:
    tools = services.task_tools = LazyTaskTools(
        partial(task_connection, services.settings), is_busy=lambda: services.turns.under_way
    )

    def desk() -> "TaskDesk":
        from agents.task_manager.step import TaskDesk

        return TaskDesk(services, tools)

    async def before_model(callback_context: CallbackContext, llm_request: LlmRequest) -> LlmResponse | None:
        return await desk().before_model(callback_context, llm_request)

    async def after_model(callback_context: CallbackContext, llm_response: LlmResponse) -> LlmResponse | None:
        return await desk().after_model(callback_context, llm_response)

    async def model_failed(
        callback_context: CallbackContext, llm_request: LlmRequest, error: Exception
    ) -> LlmResponse | None:
        return await desk().model_failed(callback_context, llm_request, error)

    async def name_the_learner(tool: BaseTool, args: dict[str, Any], tool_context: ToolContext) -> None:
        await desk().name_the_learner(tool, args, tool_context)

    async def notice_failure(
        tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, tool_response: Any
    ) -> dict[str, Any] | None:
        return await desk().notice_failure(tool, args, tool_context, tool_response)

    return LlmAgent(
        name="task_manager",
        model=model,
        description="Keeps the learner's to-dos and reminders.",
        instruction=from_prompt("task_manager/prompt.md"),
        include_contents="none",
        tools=[tools],
        before_model_callback=before_model,
        after_model_callback=after_model,
        on_model_error_callback=model_failed,
        before_tool_callback=name_the_learner,
        after_tool_callback=notice_failure,
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
    )
