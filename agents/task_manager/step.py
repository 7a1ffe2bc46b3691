"""One turn of the task manager: what the learner said, the calls that serve it, and what comes of them."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from google.adk.agents.callback_context import CallbackContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import BaseModel, Field

from agents.briefing import clip, fenced, prompt
from agents.models.voice import Consultation, read_json, text_of
from agents.quiz.offline import with_question
from agents.services import Services
from agents.state import SessionState
from agents.task_manager import offline
from agents.task_manager.conversation import TaskConversation, TaskOutcome, Work
from agents.task_manager.reading import Entities, IntentResult
from agents.task_manager.toolset import TASK_TOOLS
from agents.turn import Clarification, ReasoningTrace, ToolChoice

logger = logging.getLogger(__name__)

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


@dataclass(slots=True)
class TasksUnderWay:
    """The calls of one turn that are out."""

    work: Work | None = None


class TaskDesk:
    """The callbacks of one turn: code decides each call, the tools do it."""

    def __init__(self, services: Services, context: CallbackContext) -> None:
        self._services = services
        self._context = context
        self._turn = services.turns.of(context.invocation_id)
        self._state = SessionState.of(context.state.to_dict())
        self._talk = TaskConversation(state=self._state, now=services.now().astimezone(services.zone))

    def before_model(self, llm_request: LlmRequest) -> LlmResponse | None:
        """Serve the message, or what its calls returned; a large model is asked where code would guess."""
        try:
            step = self._next(llm_request)
            # A server that does not answer has no tools to call.
            is_reachable = set(llm_request.tools_dict) >= TASK_TOOLS
            is_asked = self._services.has_large_model and not self._turn.model.is_silent and is_reachable
            if is_asked and self._under_way.work is None and any(each.is_guess for each in step.commands):
                self._trace(step)
                shown = [f"task {position}" for position in self._state.task_references]
                self._turn.model.asking = task_request(self._turn.meant, listed=shown)
                self._turn.model.asking.shape(llm_request, model=self._services.model.model)
                return None
            if isinstance(step, Work) and not is_reachable:
                step = self._talk.said(offline.UNAVAILABLE, step.commands)
            return self._go(step)
        except Exception:
            return self._broken()

    def after_model(self, llm_response: LlmResponse) -> LlmResponse | None:
        """What a large model read goes the way of what code reads; where it read nothing, code asks back."""
        if self._turn.model.asking is None:
            return None
        if llm_response.partial:
            return LlmResponse(content=types.Content(role="model", parts=[]), partial=True)
        self._turn.model.asking = None
        try:
            found = commands_of(text_of(llm_response))
            if not found:
                self._turn.model.replaced("invalid", "task commands")
            return self._go(self._talk.take(found) if found else self._talk.begin(self._turn.meant))
        except Exception:
            return self._broken()

    def unread(self) -> LlmResponse | None:
        """The model failed: after_model takes an empty text for nothing read."""
        if self._turn.model.asking is None:
            return None
        return LlmResponse(content=types.Content(role="model", parts=[]), partial=False)

    @property
    def _under_way(self) -> TasksUnderWay:
        return self._turn.part(TasksUnderWay)

    def _next(self, llm_request: LlmRequest) -> Work | TaskOutcome:
        work = self._under_way.work
        if work is None:
            return self._talk.begin(self._turn.meant)
        return self._talk.go_on(work, _results(llm_request, count=len(work.uses)))

    def _go(self, step: Work | TaskOutcome) -> LlmResponse:
        """Say it, or call what it takes."""
        self._trace(step)
        if isinstance(step, Work):
            self._under_way.work = step
            return LlmResponse(
                content=types.Content(
                    role="model",
                    parts=[
                        types.Part.from_function_call(name=name, args=dict(args)) for name, args in step.uses
                    ],
                )
            )
        reply, turn, state = step.reply, self._turn, self._state
        turn.outcome.status, turn.outcome.error = reply.status, turn.outcome.error or reply.error
        turn.outcome.clarification = Clarification(question=reply.text.split("\n")[0], options=reply.options)
        self._context.state.update(state.changes(**step.changes))
        return _says(with_question(reply.text, state))

    def _broken(self) -> LlmResponse:
        logger.exception("task manager failed")
        turn = self._turn
        turn.outcome.status, turn.outcome.error, turn.model.asking = (
            "error",
            turn.outcome.error or "FAILED",
            None,
        )
        return _says(offline.UNAVAILABLE.text)

    def _trace(self, step: Work | TaskOutcome) -> None:
        intent, selected = step.commands[0].intent, step.commands[0].selection
        self._turn.trace = ReasoningTrace(
            intent=intent.intent,
            confidence=intent.confidence,
            alternatives=intent.alternatives,
            reason=intent.reasoning,
            tool_choice=ToolChoice(
                tool_name=selected.tool_name,
                confidence=selected.confidence,
                requires_confirmation=selected.requires_confirmation,
                alternatives=selected.alternatives,
            ),
        )


def _says(text: str) -> LlmResponse:
    return LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))


def _results(llm_request: LlmRequest, *, count: int) -> list[dict[str, Any]]:
    """What the last calls returned, as the server put it."""
    found: list[dict[str, Any]] = []
    for content in llm_request.contents:
        for part in content.parts or []:
            if part.function_response and part.function_response.name in TASK_TOOLS:
                response = dict(part.function_response.response or {})
                found.append(response.get("structuredContent") or response)
    return found[-count:]
