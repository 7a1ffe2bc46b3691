"""TODO."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from google.adk.agents.callback_context import CallbackContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types
from pydantic import BaseModel, Field

from agents.briefing import clip, fenced
from agents.models.asking import Consultation, read_json
from agents.prompts import prompt
from agents.quiz.item_render import question_again
from agents.services import Services
from agents.state import SessionState
from agents.task_manager import replies
from agents.task_manager.connection import TASK_TOOLS
from agents.task_manager.conversation import Conversation, Said, Work, tasks_of
from agents.task_manager.reading import Entities, IntentResult, ToolSelectionResult
from agents.task_manager.toolset import LazyTaskTools, unanswered
from agents.turn import Clarification, ReasoningTrace, Repair, ToolChoice
from tasks_tools.client_identity import call_as

_MOST = 8
_CONFIDENCE = 0.75  # of what a model reads: enough to act on, and a delete is confirmed by the learner anyway


class TaskCommand(BaseModel):
    """One thing to do."""

    intent: Literal["create", "list", "update", "complete", "delete", "none"]
    title: str = ""
    reference: str = ""
    due: str = ""
    status: Literal["", "pending", "completed", "all"] = ""
    told: bool = False


class TaskCommands(BaseModel):
    """What a model reads in a message."""

    commands: list[TaskCommand] = Field(max_length=_MOST)


def task_request(message: str, *, listed: Sequence[str]) -> Consultation:
    shown = f"The last list that they saw:\n{fenced(chr(10).join(listed))}\n\n" if listed else ""
    return Consultation(
        task="tasks",
        system=prompt("task_manager/prompt.md"),
        brief=f"{shown}The message:\n{fenced(clip(message, most=2000))}",
        schema=TaskCommands,
        max_tokens=1000,
    )


def commands_of(reply: str) -> tuple[IntentResult, ...]:
    """The commands in a model's reply, as code would have read them."""
    read = read_json(reply, TaskCommands)
    return tuple(
        IntentResult(
            intent=each.intent,
            confidence=_CONFIDENCE,
            entities=Entities(
                title=each.title or None,
                reference=each.reference or None,
                due=each.due or None,
                status=each.status or None,
            ),
            told=each.told,
            reasoning="the language model reads it so",
        )
        for each in (read.commands if read else [])
        if each.intent != "none"
    )


logger = logging.getLogger(__name__)


@dataclass(slots=True)
class TasksUnderWay:
    """The calls of one turn that are out, and whether there is a server to take them."""

    work: Work | None = None
    is_reachable: bool = True


class TaskDesk:
    """The callbacks of the task manager: code decides each call, the tools do it."""

    def __init__(self, services: Services, tools: LazyTaskTools) -> None:
        self._services = services
        self._tools = tools

    async def before_model(
        self, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        try:
            return self._step(callback_context, llm_request)
        except Exception:
            return self._broken(callback_context)

    async def after_model(
        self, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        """What a large model read goes the way of what code reads; where it read nothing, code asks back."""
        turn = self._services.turns.of(callback_context.invocation_id)
        if turn.asking is None:
            return None
        if llm_response.partial:
            return LlmResponse(content=types.Content(role="model", parts=[]), partial=True)
        turn.asking = None
        try:
            talk = self._talk(callback_context)
            found = commands_of(_text(llm_response))
            if not found:
                turn.repairs.append(Repair(action="replaced", kind="invalid", sentence="task commands"))
            step = talk.take(found) if found else talk.begin(turn.meant)
            return self._go(callback_context, talk, step)
        except Exception:
            return self._broken(callback_context)

    async def model_failed(
        self, callback_context: CallbackContext, llm_request: LlmRequest, error: Exception
    ) -> LlmResponse | None:
        """No answer: after_model takes an empty text for nothing read."""
        if self._services.turns.of(callback_context.invocation_id).asking is None:
            return None
        return LlmResponse(content=types.Content(role="model", parts=[]), partial=False)

    def _step(self, callback_context: CallbackContext, llm_request: LlmRequest) -> LlmResponse | None:
        turn = self._services.turns.of(callback_context.invocation_id)
        talk = self._talk(callback_context)
        under_way = turn.part(TasksUnderWay)
        work = under_way.work
        # A server that does not answer has no tools to call.
        under_way.is_reachable = set(llm_request.tools_dict) >= TASK_TOOLS
        if work is None:
            step = talk.begin(turn.meant)
            is_asked = self._services.has_large_model and not turn.is_silent
            if is_asked and any(each.is_guess for each in step.commands):
                self._trace(callback_context, step)
                turn.asking = task_request(turn.meant, listed=_listed(talk.state))
                turn.asking.shape(llm_request, model=self._services.model.model)
                return None
        else:
            results = _results(llm_request, count=len(work.uses))
            if work.is_look_up and results and results[0].get("success"):
                step = talk.after_look_up(work, tasks_of(results[0]))
            else:
                step = talk.finish(work, results or [{}])
        return self._go(callback_context, talk, step)

    def _talk(self, callback_context: CallbackContext) -> Conversation:
        state = SessionState.of(callback_context.state.to_dict())
        return Conversation(state=state, now=self._services.now(), zone=self._services.zone)

    def _go(self, callback_context: CallbackContext, talk: Conversation, step: Work | Said) -> LlmResponse:
        """Say it, or call what it takes."""
        turn = self._services.turns.of(callback_context.invocation_id)
        self._trace(callback_context, step)
        if isinstance(step, Said):
            return self._say(callback_context, talk.state, step)
        if not turn.part(TasksUnderWay).is_reachable:
            return self._say(callback_context, talk.state, talk.said(replies.unavailable(), step.commands))
        turn.part(TasksUnderWay).work = step
        return _calls(step)

    def _broken(self, callback_context: CallbackContext) -> LlmResponse:
        logger.exception("task manager failed")
        turn = self._services.turns.of(callback_context.invocation_id)
        turn.status, turn.error, turn.asking = "error", turn.error or "FAILED", None
        return LlmResponse(content=_words(replies.unavailable().text))

    async def name_the_learner(self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext) -> None:
        """Who asks is the Runner's word, and travels beside the arguments, out of any model's reach."""
        call_as(tool_context.user_id)

    async def notice_failure(
        self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, tool_response: Any
    ) -> dict[str, Any] | None:
        """A call that never came back leaves its server, and comes out as a typed result."""
        if isinstance(tool_response, dict) and "structuredContent" in tool_response:
            return None
        self._tools.drop(tool_context.invocation_id, cause=f"{tool.name} did not come back")
        return unanswered()

    def _say(self, callback_context: CallbackContext, state: SessionState, end: Said) -> LlmResponse:
        turn = self._services.turns.of(callback_context.invocation_id)
        reply = end.reply
        turn.status, turn.error = reply.status, turn.error or reply.error
        turn.clarification = Clarification(question=reply.text.split("\n")[0], options=reply.options)
        callback_context.state.update(state.changes(**end.changes))
        text = end.reply.text
        if state.pending_question and not state.quiz_paused:
            text = f"{text}\n\n---\n\n{question_again(state)}"
        return LlmResponse(content=_words(text))

    def _trace(self, callback_context: CallbackContext, step: Work | Said) -> None:
        first = step.commands[0]
        self._services.turns.of(callback_context.invocation_id).trace = ReasoningTrace(
            intent=first.intent.intent,
            confidence=first.intent.confidence,
            alternatives=first.intent.alternatives,
            reason=first.intent.reasoning,
            tool_choice=_choice(first.selection),
        )


def _listed(state: SessionState) -> list[str]:
    """The positions that the learner can point at; the titles are the task server's."""
    return [f"task {position}" for position in state.task_references]


def _text(response: LlmResponse) -> str:
    parts = response.content.parts if response.content else None
    return "".join(part.text for part in parts or [] if part.text and not part.thought)


def _choice(selected: ToolSelectionResult) -> ToolChoice:
    return ToolChoice(
        tool_name=selected.tool_name,
        confidence=selected.confidence,
        requires_confirmation=selected.requires_confirmation,
        alternatives=selected.alternatives,
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
            if part.function_response and part.function_response.name in TASK_TOOLS:
                response = dict(part.function_response.response or {})
                found.append(response.get("structuredContent") or response)
    return found[-count:]
