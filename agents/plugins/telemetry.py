"""Tells OpenTelemetry what each turn did: on ADK's own spans, for adk web's trace view, and in counters."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from agents.services import Services
from agents.state import SessionState
from agents.step_agent import StepAgent

if TYPE_CHECKING:
    from agents.plugins.signals import Signals


class TelemetryPlugin(BasePlugin):
    """Ids, names and numbers only: nothing that a learner wrote leaves through it."""

    def __init__(self, services: Services, *, model_name: str) -> None:
        super().__init__(name="telemetry")
        self._services = services
        self._model_name = model_name

    async def before_agent_callback(
        self, *, agent: BaseAgent, callback_context: CallbackContext
    ) -> types.Content | None:
        if agent.parent_agent and agent.parent_agent.parent_agent is None:
            self._services.turns.of(callback_context.invocation_id).route = agent.name
        state = SessionState.of(callback_context.state.to_dict()) if self._signals.is_traced() else None
        if state and isinstance(agent, StepAgent):
            self._signals.step_begins(state, is_due=agent.is_due(state))
        return None

    async def after_agent_callback(
        self, *, agent: BaseAgent, callback_context: CallbackContext
    ) -> types.Content | None:
        turn = self._services.turns.of(callback_context.invocation_id)
        while turn.answers:
            self._signals.answer(turn.answers.pop(0))
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
        state = SessionState.of(invocation_context.session.state) if self._signals.is_traced() else None
        self._signals.turn(
            turn, state, invocation_id=invocation_context.invocation_id, model=self._model_name
        )

    @cached_property
    def _signals(self) -> "Signals":
        """Imported with the first turn: `adk run` shows its prompt before that."""
        from agents.plugins.signals import Signals

        return Signals()
