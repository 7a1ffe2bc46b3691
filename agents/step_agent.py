"""The steps: an agent runs only when it is its turn, code decides what it may say, the model speaks, and nobody is left in front of nothing."""

import asyncio
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar

from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.llm_agent import Agent, LlmAgent
from google.adk.agents.run_config import RunConfig
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai import types
from pydantic import Field

from agents.adk_compat import StreamingMode, ask_model
from agents.models.embedded import prepare
from agents.models.voice import Consultation, ModelFailureError, text_of, words_in
from agents.repair import Draft
from agents.services import Services
from agents.state import SessionState
from agents.teaching.values import RetrievalResult
from agents.turn import error_code
from storage.errors import CohereAPIError, InvalidInputError, QdrantConnectionError, TutorError

logger = logging.getLogger(__name__)


_IN_SHORT = "(My language model did not answer, so in short.)"
_PIECE = re.compile(r"(?:\S+\s*){1,12}")


class Step(ABC):
    """What one agent of the loop does; it keeps nothing between turns."""

    def __init__(self, agent: LlmAgent, services: Services) -> None:
        self._agent = agent
        self.services = services

    @abstractmethod
    def is_due(self, state: SessionState) -> bool:
        """Whether the state says that this step is next."""

    @abstractmethod
    def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        """Do the step's work and yield what the learner sees."""

    def apologise(self, ctx: InvocationContext, err: Exception) -> AsyncGenerator[Event, None]:
        return self.say(ctx, trouble(err), escalate=True)

    async def speak(self, ctx: InvocationContext, text: str) -> str:
        """Let the embedded model say it, through ADK's whole flow, and keep what it says to ourselves."""
        prepare(text)
        texts: list[str] = []
        async with aclosing(ask_model(self._agent, ctx)) as events:
            async for event in events:
                if not event.partial:
                    texts.append(text_of(event))
        return "".join(texts).strip()

    async def consult(
        self,
        ctx: InvocationContext,
        asked: Consultation,
        *,
        feed: Callable[[str], str] | None = None,
        meanwhile: Callable[[], str] | None = None,
    ) -> AsyncGenerator[Event | str, None]:
        """Ask a large model through ADK's flow: events for the learner as it speaks, its whole text last.

        `feed` gets each piece and returns what may be shown of it. Where the model has not begun after a few
        seconds, `meanwhile` says what there is to read until it does. Raises ModelFailureError.
        """
        streams = ctx.run_config is not None and ctx.run_config.streaming_mode == StreamingMode.SSE
        pieces = self._pieces(ctx, asked)
        text, has_begun = "", False
        async with aclosing(pieces):
            async for piece in pieces:
                if piece is None:
                    if meanwhile and not has_begun:
                        async for event in self.say(ctx, meanwhile()):
                            yield event
                        meanwhile = None
                    continue
                has_begun = True
                text += piece
                shown = feed(piece) if feed else ""
                if shown and streams:
                    yield self._event(ctx, shown, partial=True)
        yield text

    async def answer_of(self, ctx: InvocationContext, asked: Consultation) -> str:
        """Ask a large model for what nobody reads as it comes."""
        said = ""
        async for each in self.consult(ctx, asked):
            said = each if isinstance(each, str) else said
        return said

    async def comment(
        self, ctx: InvocationContext, asked: Consultation, *, before: str, after: str, otherwise: str
    ) -> AsyncGenerator[Event | str, None]:
        """The model's words between what code says before and after them; `otherwise` where it does not answer."""
        turn = self.services.turns.of(ctx.invocation_id)
        draft = Draft((), known=asked.brief)
        is_first = True

        def feed(piece: str) -> str:
            nonlocal is_first
            shown = draft.feed(piece)
            lead, is_first = (f"{before}\n\n" if is_first and shown else ""), is_first and not shown
            return f"{lead}{shown}"

        try:
            async for each in self.consult(ctx, asked, feed=feed):
                if isinstance(each, Event):
                    yield each
            draft.finish()
            draft.mend()
            turn.model.repairs += draft.repairs
            if not draft.text:
                raise ModelFailureError("empty")
            yield "\n\n".join(part for part in (before, draft.text, after) if part)
        except ModelFailureError as failure:
            turn.model.replaced(failure.cause)
            yield f"{_IN_SHORT} {otherwise}"

    async def _pieces(self, ctx: InvocationContext, asked: Consultation) -> AsyncGenerator[str | None, None]:
        """The model's words as they come; None when it keeps us waiting."""
        turn = self.services.turns.of(ctx.invocation_id)
        if turn.model.is_silent:
            raise ModelFailureError("silent", detail="earlier in this turn")
        turn.model.asking = asked
        config = (ctx.run_config or RunConfig()).model_copy(update={"streaming_mode": StreamingMode.SSE})
        inside = ctx.model_copy(update={"run_config": config})
        has_streamed = False
        try:
            events = patiently(ask_model(self._agent, inside), seconds=PATIENCE)
            async with aclosing(events):
                async for event in events:
                    if event is None:
                        yield None
                        continue
                    text = text_of(event)
                    if text and (event.partial or not has_streamed):
                        yield text
                    has_streamed = has_streamed or bool(text)
        finally:
            turn.model.asking = None

    async def say(
        self,
        ctx: InvocationContext,
        text: str,
        *,
        changes: dict[str, Any] | None = None,
        escalate: bool = False,
        was_streamed: bool = False,
    ) -> AsyncGenerator[Event, None]:
        """Yield a message with its state changes, in pieces first where the front end streams."""
        if not was_streamed and ctx.run_config and ctx.run_config.streaming_mode == StreamingMode.SSE:
            for piece in _PIECE.findall(text):
                yield self._event(ctx, piece, partial=True)
        actions = EventActions(state_delta=changes or {}, escalate=True if escalate else None)
        yield self._event(ctx, text, actions=actions)

    def _event(self, ctx: InvocationContext, text: str, **fields: Any) -> Event:
        content = types.ModelContent(text)
        return Event(
            invocation_id=ctx.invocation_id,
            author=self._agent.name,
            branch=ctx.branch,
            content=content,
            **fields,
        )


def trouble(err: Exception) -> str:
    """What a learner hears when something failed: the cause where it is theirs to mend, and what to do."""
    if isinstance(err, InvalidInputError):
        return str(err)
    if isinstance(err, QdrantConnectionError | CohereAPIError):
        return unable(str(err))
    cause = f"{err} " if isinstance(err, TutorError) else ""
    return f"Something went wrong on my side. {cause}Nothing is lost: say that again, or ask something else."


def unable(cause: str) -> str:
    """An outage of the index or of an embedder, which says nothing about what the course holds."""
    return f"Unable to retrieve content. {cause} Nothing is lost: ask again in a moment."


def message_of(ctx: InvocationContext) -> str:
    """The text of the message that this turn answers."""
    return words_in(ctx.user_content)


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
