"""The task manager: wiring, and the rules for its model's calls."""

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext

from agents.briefing import words_config
from agents.services import Services
from agents.speaking import Brief, hooks
from agents.task_manager.toolset import LazyTaskTools, task_connection

if TYPE_CHECKING:
    from agents.task_manager.brief import TaskManagerBrief


def build_task_manager(*, model: BaseLlm, services: Services) -> LlmAgent:
    tools = services.task_tools = LazyTaskTools(
        partial(task_connection, services.settings), is_busy=lambda: services.turns.under_way
    )

    def brief() -> type[Brief]:
        from agents.task_manager.brief import TaskManagerBrief

        return TaskManagerBrief

    def brief_of(context: ToolContext) -> "TaskManagerBrief":
        return cast("TaskManagerBrief", services.turns.of(context.invocation_id).briefs["task_manager"])

    def before_tool(tool: BaseTool, args: dict[str, Any], tool_context: ToolContext) -> dict[str, Any] | None:
        from tasks_tools.identity import call_as

        # Who asks is the Runner's word, and travels beside the arguments, out of any model's reach.
        call_as(tool_context.user_id)
        return brief_of(tool_context).may_call(tool.name, args)

    def after_tool(
        tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, tool_response: Any
    ) -> dict[str, Any] | None:
        if brief_of(tool_context).is_asked_first(tool_response):
            return None
        unanswered = tools.notice_failure(tool, args, tool_context, tool_response)
        brief_of(tool_context).used(tool.name, args, unanswered or tool_response)
        return unanswered

    return LlmAgent(
        name="task_manager",
        model=model,
        description="Keeps the learner's to-dos and reminders.",
        tools=[tools],
        include_contents="none",
        generate_content_config=words_config(services.settings),
        before_tool_callback=before_tool,
        after_tool_callback=after_tool,
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
        **hooks(services, brief),
    )
