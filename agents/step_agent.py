"""The LlmAgent around a step: it runs only when it is its turn."""

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.llm_agent import LlmAgent
from google.adk.events.event import Event
from pydantic import Field

from agents.later import load
from agents.services import Services
from agents.state import SessionState

if TYPE_CHECKING:
    from agents.speech import Step

logger = logging.getLogger(__name__)


class StepAgent(LlmAgent):
    """One class for all steps: each subclass of an LlmAgent would cost every start some milliseconds.

    Overriding the run keeps a skipped step from leaving an empty bubble, which an empty
    answer of a callback would.
    """

    services: Services = Field(exclude=True)
    step: str = Field(exclude=True, description="The dotted path of the Step.")

    def is_due(self, state: SessionState) -> bool:
        """Whether the state says that this step is next."""
        return self._made().is_due(state)

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        state = SessionState.of(ctx.session.state)
        step = self._made()
        if not step.is_due(state):
            return
        try:
            async with aclosing(step.act(ctx, state)) as events:
                async for event in events:
                    yield event
        except Exception as err:
            # Whatever broke, the learner is told, the state is as it was, and the next turn works.
            logger.exception("step %s failed", self.name)
            turn = self.services.turns.of(ctx.invocation_id)
            turn.status, turn.error = "error", type(err).__name__
            async for event in step.apologise(ctx, err):
                yield event

    def _made(self) -> "Step":
        step: Step = load(self.step)(self, self.services)
        return step
