"""Waiting with the learner in mind: who drives a stream is told when it has been quiet for too long."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeVar

from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.llm_agent import Agent
from google.adk.events.event import Event
from google.genai import types
from pydantic import Field

from agents.services import Services

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


class PatientAgent(Agent):
    """Leaves nobody in front of nothing: while a model is still to begin its answer, the course's own is there.

    Here and not beside the coordinator: ADK takes the folder of the root agent's class for the app's.
    """

    services: Services = Field(exclude=True)

    async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        events = super()._run_async_impl(ctx)
        if not self.services.has_large_model:
            async with aclosing(events):
                async for event in events:
                    yield event
            return
        turn = self.services.turns.of(ctx.invocation_id)
        waited = patiently(events, seconds=PATIENCE)
        async with aclosing(waited):
            async for each in waited:
                if each is not None:
                    yield each
                elif turn.draft and not turn.draft.raw and turn.meanwhile:
                    text, turn.meanwhile = turn.meanwhile, ""
                    yield Event(
                        invocation_id=ctx.invocation_id,
                        author=self.name,
                        branch=ctx.branch,
                        content=types.Content(role="model", parts=[types.Part(text=text)]),
                    )
