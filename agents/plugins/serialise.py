"""Turns of one session queue up, in this process and across processes.

ADK's stale check is not atomic on SQLite: of several turns at once, most fail and some lose history.
"""

import asyncio
from contextlib import AsyncExitStack
from functools import partial

from google.adk.agents.invocation_context import InvocationContext
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.sessions.base_session_service import GetSessionConfig
from google.genai import types

from agents.services import Services


class SerialisePlugin(BasePlugin):
    """Takes the session's lock with the message and gives it back with the turn's end."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="serialise")
        self._services = services
        self._queues: dict[str, asyncio.Lock] = {}
        self._held: dict[str, AsyncExitStack] = {}
        self._releasing: set[asyncio.Task[None]] = set()

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        await self._services.ready()
        session = invocation_context.session
        stack = AsyncExitStack()
        # The queue keeps the order within this process; the database's lock has none.
        await stack.enter_async_context(self._queues.setdefault(session.id, asyncio.Lock()))
        await stack.enter_async_context(self._services.session_lock(session.id))
        self._held[invocation_context.invocation_id] = stack
        self._release_with_task(invocation_context.invocation_id)
        await self._refresh(invocation_context)
        return None

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        await self._release(invocation_context.invocation_id)

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:
        await self._release(invocation_context.invocation_id)

    async def _refresh(self, invocation_context: InvocationContext) -> None:
        """The session was loaded before we had the lock; bring that very object up to date."""
        session = invocation_context.session
        load = partial(
            invocation_context.session_service.get_session,
            app_name=session.app_name,
            user_id=session.user_id,
            session_id=session.id,
        )
        # Reading one event is cheap; reading a long session twice in every turn is not.
        glance = await load(config=GetSessionConfig(num_recent_events=1))
        if glance is None or glance.last_update_time == session.last_update_time:
            return
        newest = await load()
        if newest is None or newest is session:
            return
        session.events[:] = newest.events
        session.state.clear()
        session.state.update(newest.state)
        session.last_update_time = newest.last_update_time
        session._storage_update_marker = newest._storage_update_marker

    async def _release(self, invocation_id: str) -> None:
        stack = self._held.pop(invocation_id, None)
        if stack:
            await stack.aclose()

    def _release_with_task(self, invocation_id: str) -> None:
        """A client that disconnects cancels the turn, and then no callback is called."""
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()

        def let_go(_: object) -> None:
            self._services.turns.close(invocation_id)
            releasing = loop.create_task(self._release(invocation_id))
            self._releasing.add(releasing)
            releasing.add_done_callback(self._releasing.discard)

        if task:
            task.add_done_callback(let_go)
