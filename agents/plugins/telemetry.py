"""Tells OpenTelemetry what each turn did: on ADK's own spans, for adk web's trace view, and in counters."""

import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from agents.adk_compat import INVOCATION_ATTRIBUTE
from agents.services import Services
from agents.state import SessionState
from agents.teaching.values import QuizResponse
from agents.turn import TurnDraft

if TYPE_CHECKING:
    from opentelemetry.util.types import AttributeValue


class TelemetryPlugin(BasePlugin):
    """Ids, names and numbers only: nothing that a learner wrote leaves through it."""

    def __init__(self, services: Services, *, model_name: str) -> None:
        super().__init__(name="telemetry")
        self._services = services
        self._model_name = model_name

    async def before_agent_callback(
        self, *, agent: BaseAgent, callback_context: CallbackContext
    ) -> types.Content | None:
        turn = self._services.turns.of(callback_context.invocation_id)
        turn.on_answer = self._signals.answer  # while the span of who graded it is open
        if agent.parent_agent and agent.parent_agent.parent_agent is None:
            turn.route = agent.name
        state = SessionState.of(callback_context.state.to_dict()) if self._signals.is_traced() else None
        if state and not agent.sub_agents:
            self._signals.step_begins(state)
        return None

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        """A hand-over is a tool call too: its span says what the message was taken for."""
        self._signals.decision(self._services.turns.of(tool_context.invocation_id))
        return None

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        self._turn_ends(invocation_context)

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:
        turn = self._services.turns.of(invocation_context.invocation_id)
        turn.outcome.status, turn.outcome.error = "error", type(error).__name__
        self._turn_ends(invocation_context)

    def _turn_ends(self, invocation_context: InvocationContext) -> None:
        turn = self._services.turns.of(invocation_context.invocation_id)
        if not turn.turn_id:
            # Not begun, or written down already: what failed came after it.
            return
        self._services.meter.turn(turn, seconds=time.perf_counter() - turn.started)
        state = SessionState.of(invocation_context.session.state) if self._signals.is_traced() else None
        self._signals.turn(
            turn, state, invocation_id=invocation_context.invocation_id, model=self._model_name
        )

    @cached_property
    def _signals(self) -> "Signals":
        return Signals()


class Signals:
    """Writes to whichever span ADK has open, and to counters of our own."""

    def __init__(self) -> None:
        # With the first turn: `adk run` shows its prompt before that.
        from opentelemetry.metrics import get_meter
        from opentelemetry.trace import get_current_span

        self._span = get_current_span
        meter = get_meter("mastery_loop")
        self._turns = meter.create_counter("tutor.turns", description="turns, by route and status")
        self._answers = meter.create_counter(
            "tutor.answers", description="graded answers, by correctness and grader"
        )
        self._cycles = meter.create_counter("tutor.cycles", description="learning cycles closed, by outcome")
        self._model_calls = meter.create_counter("tutor.model_calls", description="calls of the model")
        self._tokens = meter.create_counter("tutor.tokens", unit="{token}", description="tokens, both ways")
        self._seconds = meter.create_histogram(
            "tutor.turn.duration", unit="s", description="from the message to the end of the turn, by route"
        )

    def is_traced(self) -> bool:
        """Whether anybody will see the attributes of the open span."""
        return self._span().is_recording()

    def step_begins(self, state: SessionState) -> None:
        """On a step's span: where the learner stands."""
        self._span().set_attributes(_place(state))

    def decision(self, turn: TurnDraft) -> None:
        """On the span of a tool or a hand-over: what the message was taken for."""
        self._span().set_attributes(_decided(turn))

    def answer(self, marked: QuizResponse) -> None:
        """On the span of the step that graded it: how an answer was judged."""
        self._span().set_attributes(
            {
                "tutor.answer.correct": marked.is_correct,
                "tutor.answer.score": marked.score,
                "tutor.answer.grader": marked.grader,
                "tutor.answer.confident": marked.confident,
                "tutor.answer.seconds": marked.time_taken_seconds,
            }
        )
        self._answers.add(
            1, {"tutor.answer.correct": marked.is_correct, "tutor.answer.grader": marked.grader}
        )

    def turn(self, turn: TurnDraft, state: SessionState | None, *, invocation_id: str, model: str) -> None:
        """On the invocation's span: what the turn did and where it left the learner."""
        seconds = time.perf_counter() - turn.started
        route: dict[str, AttributeValue] = {"tutor.route": turn.route}
        self._span().set_attributes(
            {
                **route,
                **_decided(turn),
                **_done(turn),
                "tutor.seconds": seconds,
                INVOCATION_ATTRIBUTE: invocation_id,
                **(_place(state) if state else {}),
            }
        )
        self._turns.add(1, {**route, "tutor.status": turn.outcome.status})
        self._seconds.record(seconds, route)
        self._model_calls.add(turn.model.requests, {"tutor.model": model})
        self._tokens.add(turn.tokens_used, {"tutor.model": model})
        for outcome in turn.closed_cycles:
            self._cycles.add(1, {"tutor.cycle.outcome": outcome})


def _decided(turn: TurnDraft) -> dict[str, "AttributeValue"]:
    return {"tutor.intent": turn.trace.intent, "tutor.confidence": turn.trace.confidence}


def _done(turn: TurnDraft) -> dict[str, "AttributeValue"]:
    done: dict[str, AttributeValue] = {
        "tutor.turn": turn.turn_number,
        "tutor.status": turn.outcome.status,
        "tutor.grounded": bool(turn.sources.citations),
        "tutor.citations": len(turn.sources.citations),
        "tutor.passages": len(turn.sources.results),
        "tutor.tools": [call.tool_name for call in turn.tool_calls],
        "tutor.model_calls": turn.model.requests,
        "tutor.tokens": turn.tokens_used,
    }
    if turn.model.repairs:
        done["tutor.repairs"] = [f"{repair.action}: {repair.kind}" for repair in turn.model.repairs]
    if turn.closed_cycles:
        done["tutor.cycle.outcome"] = list(turn.closed_cycles)
    if turn.outcome.error:
        done["tutor.error"] = turn.outcome.error
    return done


def _place(state: SessionState) -> dict[str, "AttributeValue"]:
    """Where the learner stands: the topic is the course's own name for it."""
    is_learning = bool(state.learning_phase)
    return {
        "tutor.course": state.course,
        "tutor.topic": state.current_topic,
        "tutor.phase": state.learning_phase,
        "tutor.cycle": state.learning_cycle_count + is_learning,
        "tutor.question": state.quiz_question_index + 1 if state.learning_phase == "quiz" else 0,
        "tutor.questions": len(state.quiz_questions),
        "tutor.mastery": state.mastery_score,
        "tutor.mastery_threshold": state.mastery_threshold,
    }
