"""Turns of one session queue up, in this process and across processes; a message that comes twice is one.

ADK's stale check is not atomic on SQLite: of several turns at once, most fail and some lose history.
"""

import asyncio
import gc
import logging
import sqlite3
import sys
import time
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from weakref import WeakSet

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig
from google.adk.sessions.session import Session
from google.genai import types

from agents.adk_compat import adopt, adopt_version
from agents.glance import begin_glance
from agents.models.voice import text_of, words_in
from agents.services import SAVED_NOW, Outage, Services
from agents.speaking import trouble
from agents.state import SessionState
from storage.errors import TutorError

logger = logging.getLogger(__name__)

Append = Callable[..., Awaitable[Event]]
Key = tuple[str, str, str]


class SteadySessions:
    """Stands between the Runner and its session service, whichever front end chose it."""

    def __init__(self) -> None:
        self._watched: WeakSet[BaseSessionService] = WeakSet()
        self._unstored: dict[Key, list[Event]] = {}
        self._passing: set[str] = set()  # invocations that leave nothing in their session
        self.outage = Outage()

    def watch(self, service: BaseSessionService) -> None:
        """From now on, what this service fails to append is kept here."""
        if service not in self._watched:
            self._watched.add(service)
            # On the instance, because ADK's front ends make their service themselves and offer no other place.
            service.append_event = partial(self._append, service, service.append_event)  # type: ignore[method-assign]

    def let_pass(self, invocation_id: str) -> None:
        """This turn's events are shown and not stored: it was refused, or answered before."""
        self._passing.add(invocation_id)

    def forget(self, invocation_id: str) -> None:
        self._passing.discard(invocation_id)

    def has_unstored(self, session: Session) -> bool:
        return _key(session) in self._unstored

    async def catch_up(self, service: BaseSessionService, session: Session) -> None:
        """Bring a session that was just loaded to where the conversation is: stored by now, or at least in memory."""
        waiting = self._unstored.get(_key(session))
        if not waiting:
            return
        append = service.append_event.args[1]  # type: ignore[attr-defined]
        if self.outage.is_on or not await self._flushed(service, append, session):
            for event in waiting:
                await BaseSessionService.append_event(service, session, event)
            return
        newest = await service.get_session(
            app_name=session.app_name, user_id=session.user_id, session_id=session.id
        )
        if newest is not None:
            adopt(session, newest)

    async def _append(
        self, service: BaseSessionService, append: Append, session: Session, event: Event
    ) -> Event:
        if event.invocation_id in self._passing or event.partial:
            return event
        key = _key(session)
        if not self.outage.is_on and (
            key not in self._unstored or await self._flushed(service, append, session)
        ):
            try:
                return await append(session=session, event=event)
            except _failures() as err:
                self.outage.begin(type(err).__name__)
                logger.warning("the session %s cannot be stored: %s", session.id, type(err).__name__)
        self._unstored.setdefault(key, []).append(event)
        return await BaseSessionService.append_event(service, session, event)

    async def _flushed(self, service: BaseSessionService, append: Append, session: Session) -> bool:
        """Append what is waiting to a copy of its own: the caller's session has it already."""
        key = _key(session)
        try:
            stored = await service.get_session(
                app_name=session.app_name, user_id=session.user_id, session_id=session.id
            )
            if stored is None:  # deleted meanwhile
                del self._unstored[key]
                return True
            waiting = self._unstored[key]
            while waiting:
                await append(session=stored, event=waiting[0])
                del waiting[0]
            del self._unstored[key]
        except _failures() as err:
            self.outage.begin(type(err).__name__)
            return False
        adopt_version(session, stored)
        return True


def _key(session: Any) -> Key:
    return (session.app_name, session.user_id, session.id)


def _failures() -> tuple[type[Exception], ...]:
    """What ADK's session services raise when they cannot write; imported with the first of them."""
    from sqlalchemy.exc import DBAPIError

    return sqlite3.Error, DBAPIError, OSError


MESSAGE_ID = (
    "message_id"  # in a request's custom_metadata: what a client calls its message, however often it sends it
)
_WAIT = 90.0  # seconds: longer than a turn takes whose model says nothing
_MOST_REMEMBERED = 1000  # sessions, of each its last message
_LOOKED_BACK = 100  # events in which an earlier one is looked for
_SAME_MESSAGE = 2.0  # seconds in which the same words to the same question are the same message
_BUSY = "I am still busy with your message before this one, so I have not read this one. Send it again in a moment."


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A message as it came in: what it said, at which place of the conversation, when."""

    text: str
    place: tuple[str, int, int]  # the open question, the round, and how many were asked in it before
    at: float
    message_id: str = ""
    was_answered: bool = False
    was_delivered: bool = False
    ended: float = 0.0

    def repeats(self, first: "Arrival") -> bool:
        """The same words, too soon to be said again: to the same question, before the reply, or after one that got lost.

        Where no question is open, whoever has the reply and says it again ("tell me more") wants it again.
        """
        is_soon = self.at - first.at <= _SAME_MESSAGE
        is_same_place = self.place == first.place and (bool(self.place[0]) or self.at < first.ended)
        is_same = self.text == first.text and (is_same_place or not first.was_delivered)
        return first.was_answered and is_soon and is_same


class Queues:
    """The turns of each session in the order in which they came; a session that nobody speaks in has no queue."""

    def __init__(self) -> None:
        self._queues: dict[Any, tuple[asyncio.Lock, int]] = {}

    def __len__(self) -> int:
        return len(self._queues)

    @asynccontextmanager
    async def turn(self, session: str) -> AsyncIterator[None]:
        key = (id(asyncio.get_running_loop()), session)
        lock, waiting = self._queues.get(key) or (asyncio.Lock(), 0)
        self._queues[key] = lock, waiting + 1
        try:
            async with lock:
                yield
        finally:
            lock, waiting = self._queues.pop(key)
            if waiting > 1:
                self._queues[key] = lock, waiting - 1


class SerialisePlugin(BasePlugin):
    """Takes the session's lock with the message and gives it back with the turn's end, however it ends."""

    def __init__(
        self, services: Services, *, wait: float = _WAIT, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(name="serialise")
        self._services = services
        self._wait = wait
        self._clock = clock
        self.queues = Queues()
        self.sessions = SteadySessions()
        self._held: dict[str, AsyncExitStack] = {}
        self._answered: dict[str, str] = {}  # what to say at once, by invocation
        self._last: dict[str, Arrival] = {}  # by session
        self._releasing: set[asyncio.Task[None]] = set()

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        await self._begin(invocation_context, user_message)
        return None

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> types.Content | None:
        if invocation_context.invocation_id not in self._held:
            # A client that sends the same invocation again skips on_user_message.
            await self._begin(invocation_context, invocation_context.user_content)
        said = self._answered.get(invocation_context.invocation_id)
        return types.ModelContent(said) if said else None

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        # ADK calls this too when whoever listened has left.
        has_left = isinstance(sys.exception(), GeneratorExit)
        name = _name(invocation_context.session)
        self._note_end(name, invocation_context.invocation_id, was_delivered=not has_left)
        if invocation_context.invocation_id in self._answered:
            self._services.turns.close(
                invocation_context.invocation_id
            )  # nothing was done that could be logged
        await self._release(invocation_context.invocation_id)

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:
        await self._release(invocation_context.invocation_id)

    async def close(self) -> None:
        """A Runner ends: what is open is closed, unless another Runner of the app has a turn under way."""
        if not self._services.turns.under_way:
            await self._services.close()

    async def _begin(self, ctx: InvocationContext, message: types.Content | None) -> None:
        arrival = self._arrival(ctx, message)
        self._services.turns.of(ctx.invocation_id)  # from here on it is under way
        self.sessions.watch(ctx.session_service)
        self._release_in_any_case(ctx)
        try:
            await self._services.ready()
            self._services.back_up_daily()
            await self._take(ctx)
        except TutorError as err:
            self._say_at_once(ctx.invocation_id, trouble(err))
            return
        except TimeoutError:
            logger.warning("session %s is busy for too long", ctx.session.id)
            self._say_at_once(ctx.invocation_id, _BUSY)
            return
        await self._refresh(ctx)
        if reply := self._earlier_reply(ctx, arrival):
            self._say_at_once(ctx.invocation_id, reply)
            return
        self._remember(_name(ctx.session), arrival)
        if await self._services.books.catch_up():
            self._services.turns.of(ctx.invocation_id).notes.append(SAVED_NOW)
        # Imported on use: `adk run` shows its prompt before that.
        from agents.opening import open_turn

        with suppress(TutorError):  # who needs what could not be read tries it again, and tells it
            await open_turn(
                self._services,
                SessionState.of(ctx.session.state),
                user_id=ctx.user_id,
                session_id=ctx.session.id,
            )

    def _earlier_reply(self, ctx: InvocationContext, arrival: Arrival) -> str:
        """What was answered to this very message when it came before; empty when it did not."""
        if arrival.message_id:
            return _reply_to(arrival.message_id, ctx.session)
        state = SessionState.of(ctx.session.state)
        first = self._last.get(_name(ctx.session))
        if first is None or state.is_interrupted or not arrival.repeats(first):
            return ""
        return str(state.last_response.get("answer", ""))

    def _remember(self, name: str, arrival: Arrival) -> None:
        self._last.pop(name, None)  # so that the oldest stand first
        self._last[name] = arrival
        if len(self._last) > _MOST_REMEMBERED:
            del self._last[next(iter(self._last))]

    async def _take(self, ctx: InvocationContext) -> None:
        name = _name(ctx.session)
        stack = self._held[ctx.invocation_id] = AsyncExitStack()
        try:
            async with asyncio.timeout(self._wait):
                # The queue keeps the order within this process; the database's lock has none.
                queue = self.queues.turn(name)
                await self._enter_queue(stack, queue)
                await stack.enter_async_context(self._services.session_lock(name))
                stack.callback(begin_glance().end)
        except BaseException:
            self._held.pop(ctx.invocation_id, None)
            await asyncio.shield(stack.aclose())
            raise

    async def _enter_queue(self, stack: AsyncExitStack, queue: Any) -> None:
        entering = asyncio.ensure_future(stack.enter_async_context(queue))
        try:
            done, _ = await asyncio.wait([entering], timeout=self._wait / 4)
            if not done:
                # A turn that was left in a task that lives on is only known by its garbage.
                gc.collect()
            await entering
        except BaseException:
            entering.cancel()
            with suppress(asyncio.CancelledError):
                await entering
            raise

    def _arrival(self, ctx: InvocationContext, message: types.Content | None) -> Arrival:
        metadata = (ctx.run_config.custom_metadata if ctx.run_config else None) or {}
        is_resent = any(event.invocation_id == ctx.invocation_id for event in ctx.session.events)
        known = str((ctx.invocation_id if is_resent else "") or metadata.get(MESSAGE_ID) or "")
        state = SessionState.of(ctx.session.state)
        question = state.pending_question
        asked = state.quiz_question_index + len(state.diagnostic_responses)
        place = (question.question_id if question else "", state.learning_cycle_count, asked)
        return Arrival(text=words_in(message), place=place, at=self._clock(), message_id=known)

    def _say_at_once(self, invocation_id: str, text: str) -> None:
        """Nothing is done about this message, and nothing of it is kept."""
        self._answered[invocation_id] = text
        self._services.turns.of(invocation_id).leaves_nothing = True
        self.sessions.let_pass(invocation_id)

    def _note_end(self, session: str, invocation_id: str, *, was_delivered: bool) -> None:
        last = self._last.get(session)
        if last and invocation_id not in self._answered:
            was_answered = bool(self._services.turns.of(invocation_id).texts)
            self._last[session] = replace(
                last, was_answered=was_answered, was_delivered=was_delivered, ended=self._clock()
            )

    async def _refresh(self, invocation_context: InvocationContext) -> None:
        """The session was loaded before we had the lock; bring that very object up to date."""
        session = invocation_context.session
        service = invocation_context.session_service
        load = partial(
            service.get_session, app_name=session.app_name, user_id=session.user_id, session_id=session.id
        )
        if self.sessions.has_unstored(session):
            newest = await load()
            if newest is not None and newest is not session:
                adopt(session, newest)
            await self.sessions.catch_up(service, session)
            return
        # Reading no event is cheap; reading a long session twice in every turn is not.
        stored = await load(config=GetSessionConfig(num_recent_events=0))
        if stored is None or stored.last_update_time == session.last_update_time:
            return
        run = invocation_context.run_config
        newest = await load(config=run.get_session_config if run else None)
        if newest is not None and newest is not session:
            adopt(session, newest)

    async def _release(self, invocation_id: str) -> None:
        self._answered.pop(invocation_id, None)
        self.sessions.forget(invocation_id)
        stack = self._held.pop(invocation_id, None)
        if stack:
            await stack.aclose()

    def _release_in_any_case(self, ctx: InvocationContext) -> None:
        """A client that leaves ends the turn without a callback: then its task ends, or else its context is garbage."""
        loop, invocation_id, name = asyncio.get_running_loop(), ctx.invocation_id, _name(ctx.session)

        def let_go(*_: object) -> None:
            if invocation_id in self._held or invocation_id in self._answered:
                self._note_end(name, invocation_id, was_delivered=False)
                self._services.turns.close(invocation_id)
                releasing = loop.create_task(self._release(invocation_id))
                self._releasing.add(releasing)
                releasing.add_done_callback(self._releasing.discard)

        def is_garbage() -> None:
            with suppress(RuntimeError):  # the loop has ended, and every lock with it
                loop.call_soon_threadsafe(let_go)

        weakref.finalize(ctx, is_garbage).atexit = False
        if task := asyncio.current_task():
            task.add_done_callback(let_go)


def _reply_to(message_id: str, session: Session) -> str:
    """What this message was answered with: ADK keeps a request's metadata with each of its events."""
    asked = {
        event.invocation_id
        for event in session.events[-_LOOKED_BACK:]
        if message_id in (event.invocation_id, (event.custom_metadata or {}).get(MESSAGE_ID))
    }
    texts = (
        text_of(event)
        for event in session.events[-_LOOKED_BACK:]
        if event.invocation_id in asked and event.author != "user"
    )
    return "\n\n".join(text for text in texts if text)


def _name(session: Session) -> str:
    """ADK's session ids are a learner's own: two learners may have the same."""
    return f"{session.app_name}/{session.user_id}/{session.id}"
