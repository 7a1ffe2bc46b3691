"""The task manager: to-dos, only through the MCP tools, in the learner's own name."""

import logging
import sys
from typing import Any

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from agents.prompts import from_prompt
from agents.services import Services
from agents.state import SessionState
from agents.task_manager import replies
from agents.task_manager.work import Moment, Said, Work, after_look_up, begin, finish, tasks_of
from agents.turn import ReasoningTrace

logger = logging.getLogger(__name__)

_TOOLS = ("add_task", "list_tasks", "update_task", "complete_task", "delete_task")
_START_SECONDS = 20.0


class TaskDesk:
    """The callbacks of the task manager: code decides each call, the tools do it."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def before_model(self, callback_context: CallbackContext, llm_request: LlmRequest) -> LlmResponse:
        try:
            return self._step(callback_context, llm_request)
        except Exception:
            logger.exception("task manager failed")
            turn = self._services.turns.of(callback_context.invocation_id)
            turn.status = "error"
            return LlmResponse(content=_words(replies.unavailable().text))

    def _step(self, callback_context: CallbackContext, llm_request: LlmRequest) -> LlmResponse:
        turn = self._services.turns.of(callback_context.invocation_id)
        state = SessionState.of(callback_context.state.to_dict())
        # ADK drops a toolset that does not connect, with no more than a line in the log.
        if not set(_TOOLS) <= set(llm_request.tools_dict):
            return self._say(callback_context, state, Said(reply=replies.unavailable()))
        moment = Moment(now=self._services.now(), zone=self._services.zone)
        work = turn.task_work
        if work is None:
            step = begin(turn.user_query, state=state, moment=moment)
        else:
            results = _results(llm_request, count=len(work.uses))
            if work.is_look_up and results and results[0].get("success"):
                step = after_look_up(work, tasks_of(results[0]), state=state, moment=moment)
            else:
                step = finish(work, results or [{}], state=state, moment=moment)
        if isinstance(step, Work):
            self._trace(callback_context, step)
            turn.task_work = step
            return _calls(step)
        return self._say(callback_context, state, step)

    def name_the_learner(self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext) -> None:
        """Who asks is the Runner's word, and travels beside the arguments, out of any model's reach."""
        from tasks_tools.client_identity import call_as

        call_as(tool_context.user_id)

    def _say(self, callback_context: CallbackContext, state: SessionState, said: Said) -> LlmResponse:
        turn = self._services.turns.of(callback_context.invocation_id)
        turn.status = said.reply.status
        callback_context.state.update(state.changes(**said.changes))
        text = said.reply.text
        if state.pending_question and not state.quiz_paused:
            from agents.coordinator.desk import question_again

            text = f"{text}\n\n---\n\n{question_again(state)}"
        return LlmResponse(content=_words(text))

    def _trace(self, callback_context: CallbackContext, work: Work) -> None:
        self._services.turns.of(callback_context.invocation_id).trace = ReasoningTrace(
            intent=work.intent.intent,
            confidence=work.intent.confidence,
            alternatives=work.intent.alternatives,
            reason=work.intent.reasoning,
        )


def build_task_manager(*, model: BaseLlm, services: Services) -> LlmAgent:
    desk = TaskDesk(services)
    return LlmAgent(
        name="task_manager",
        model=model,
        description="Keeps the learner's to-dos and reminders.",
        instruction=from_prompt("task_manager/prompt.md"),
        include_contents="none",
        tools=[_toolset(services)],
        before_model_callback=desk.before_model,
        before_tool_callback=desk.name_the_learner,
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
    )


def _toolset(services: Services) -> Any:
    # Importing mcp takes over a second, and starting the server another: both wait until a task is spoken of.
    from agents.task_manager.toolset import LazyTaskTools

    settings = services.settings
    return LazyTaskTools(
        command=[sys.executable, "-m", "tasks_tools", "--database", settings.database],
        start_seconds=_START_SECONDS,
        is_busy=lambda: services.turns.under_way,
    )


def _words(text: str) -> types.Content:
    return types.Content(role="model", parts=[types.Part(text=text)])


def _calls(work: Work) -> LlmResponse:
    parts = [
        types.Part(function_call=types.FunctionCall(name=name, args=dict(args))) for name, args in work.uses
    ]
    return LlmResponse(content=types.Content(role="model", parts=parts))


def _results(llm_request: LlmRequest, *, count: int) -> list[dict[str, Any]]:
    """What the last calls returned, as the server put it."""
    found: list[dict[str, Any]] = []
    for content in llm_request.contents:
        for part in content.parts or []:
            if part.function_response and part.function_response.name in _TOOLS:
                response = dict(part.function_response.response or {})
                found.append(response.get("structuredContent") or response)
    return found[-count:]
