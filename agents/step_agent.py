"""The agents that are more than an LlmAgent: a step runs only when it is its turn, and nobody is left in front of nothing."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol, TypeVar

from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.llm_agent import Agent, LlmAgent
from google.adk.events.event import Event
from google.genai import types
from pydantic import Field

from agents.adk_compat import ask_model
from agents.services import Services
from agents.state import SessionState
from agents.turn import error_code
from rag.results import RetrievalResult

logger = logging.getLogger(__name__)


class Step(Protocol):
    """What an agent of the loop does when it is its turn; agents.speech has what they share."""

    def is_due(self, state: SessionState) -> bool: ...

    def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]: ...

    def apologise(self, ctx: InvocationContext, err: Exception) -> AsyncGenerator[Event, None]: ...


class StepAgent(LlmAgent):
    """One class for all steps: each subclass of an LlmAgent would cost every start some milliseconds.

    Overriding the run keeps a skipped step from leaving an empty bubble, which an empty
    answer of a callback would.
    """

    services: Services = Field(exclude=True)
    # Imports the Step: `adk run` shows its prompt before that.
    make_step: Callable[[LlmAgent], Step] = Field(exclude=True)

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
            turn.outcome.status, turn.outcome.error = "error", error_code(err)
            async for event in step.apologise(ctx, err):
                yield event

    def _made(self) -> Step:
        return self.make_step(self)


Item = TypeVar("Item")

PATIENCE = 5.0  # seconds in front of nothing; then there is something of the course to read


async def patiently(
    stream: AsyncGenerator[Item, None], *, seconds: float
) -> AsyncGenerator[Item | None, None]:
    """The stream's items, and None whenever the next one keeps us waiting.

    One task drives the stream from its beginning to its end, as ADK's spans want it, and goes on only when an item
    was dealt with: the next step of an agent relies on the Runner having stored the last event.
    """
    queue: asyncio.Queue[tuple[Item | None, Exception | None]] = asyncio.Queue()
    taken = asyncio.Event()

    async def drive() -> None:
        try:
            async with aclosing(stream):
                async for item in stream:
                    taken.clear()
                    queue.put_nowait((item, None))
                    await taken.wait()
            queue.put_nowait((None, None))
        except Exception as err:
            queue.put_nowait((None, err))

    task = asyncio.create_task(drive())
    try:
        while True:
            try:
                async with asyncio.timeout(seconds):
                    item, err = await queue.get()
            except TimeoutError:
                yield None
                continue
            if err is not None:
                raise err
            if item is None:
                return
            yield item
            taken.set()
    finally:
        if not task.done():
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@dataclass(slots=True)
class Meanwhile:
    """What there is to read while a model is still to begin; empty once it was shown."""

    text: str = ""
    sources: tuple[RetrievalResult, ...] = ()
    has_begun: bool = False


class PatientAgent(Agent):
    """Leaves nobody in front of nothing: while a model is still to begin its answer, the course's own is there.

    Here and not beside the coordinator: ADK takes the folder of the root agent's class for the app's.
    """

    services: Services = Field(exclude=True)

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        events = ask_model(self, ctx)
        if not self.services.has_large_model:
            async with aclosing(events):
                async for event in events:
                    yield event
            return
        turn = self.services.turns.of(ctx.invocation_id)
        waiting = turn.part(Meanwhile)
        waited = patiently(events, seconds=PATIENCE)
        async with aclosing(waited):
            async for each in waited:
                if each is not None:
                    yield each
                elif waiting.text and not waiting.has_begun:
                    text, waiting.text = waiting.text, ""
                    turn.sources.cite(waiting.sources)
                    yield Event(
                        invocation_id=ctx.invocation_id,
                        author=self.name,
                        branch=ctx.branch,
                        content=types.ModelContent(text),
                    )
