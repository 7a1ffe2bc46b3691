"""Writes every hand-over between agents to agent_transitions."""

from dataclasses import dataclass, field

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.plugins.base_plugin import BasePlugin
from google.genai import types

from agents.services import Services
from agents.state import SessionState
from agents.step_agent import StepAgent
from storage.session_records import AgentTransition

_FIRST = "user"
# A container is no agent that anybody is handed to.
_CONTAINERS = {"learning_cycle"}


@dataclass(slots=True)
class HandOvers:
    """Who had the turn last, and what is still to be written."""

    last_agent: str = ""
    unwritten: list[AgentTransition] = field(default_factory=list)


class TransitionsPlugin(BasePlugin):
    """Notes who hands over to whom, and why; a step that is not due takes no part."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="transitions")
        self._services = services

    async def before_agent_callback(
        self, *, agent: BaseAgent, callback_context: CallbackContext
    ) -> types.Content | None:
        if agent.name in _CONTAINERS:
            return None
        state = SessionState.of(callback_context.state.to_dict())
        if isinstance(agent, StepAgent) and not agent.is_due(state):
            return None
        turn = self._services.turns.of(callback_context.invocation_id)
        so_far = turn.part(HandOvers)
        if so_far.last_agent == agent.name:
            return None
        before, so_far.last_agent = so_far.last_agent or _FIRST, agent.name
        so_far.unwritten.append(
            AgentTransition(
                session_id=callback_context.session.id,
                from_agent=before,
                to_agent=agent.name,
                reason=_reason(before, agent, state),
                message_excerpt=turn.user_query,
                timestamp=self._services.now(),
                user_id=callback_context.user_id,
            )
        )
        return None

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> Event | None:
        """Whatever led to a reply is written before anybody sees it, in one transaction."""
        if event.get_function_calls() or event.get_function_responses():
            return None
        await self._write(invocation_context)
        return None

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        await self._write(invocation_context)

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:
        await self._write(invocation_context)

    async def _write(self, invocation_context: InvocationContext) -> None:
        so_far = self._services.turns.of(invocation_context.invocation_id).part(HandOvers)
        if so_far.unwritten:
            waiting, so_far.unwritten = so_far.unwritten, []
            await self._services.books.attempt(
                "hand-overs", lambda: self._services.sessions.add_transitions(waiting), otherwise=None
            )


def _reason(before: str, agent: BaseAgent, state: SessionState) -> str:
    if before == _FIRST:
        return "a message came in"
    if before == "coordinator":
        return state.routing_reason or "routed"
    cycle = state.learning_cycle_count + 1
    return {
        "tutor": f"cycle {cycle} begins",
        "quiz": "a question waits for its answer" if state.quiz_questions else "the explanation is given",
        "feedback": f"the quiz of cycle {cycle} is over",
    }.get(agent.name, "next step")
