"""What was said long ago is deleted, wherever it is kept: our log of turns, and ADK's own events and pictures."""

import logging
from datetime import datetime, timedelta

from google.adk.agents.invocation_context import InvocationContext
from google.adk.plugins.base_plugin import BasePlugin
from google.genai import types

from agents.adk_sessions import forget_before
from agents.services import Services

logger = logging.getLogger(__name__)

_EVERY = timedelta(days=1)


class RetentionPlugin(BasePlugin):
    """Looks once a day, at the start of a turn: a server may run for months."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="retention")
        self._services = services
        self._looked_at: datetime | None = None

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        now = self._services.now()
        if self._looked_at is None or now - self._looked_at >= _EVERY:
            self._looked_at = now
            try:
                await self._forget(invocation_context, now - self._services.retention)
            except Exception:
                # The learner is here for something else; tomorrow it is tried again.
                logger.exception("old conversations could not be deleted")
        return None

    async def _forget(self, invocation_context: InvocationContext, moment: datetime) -> None:
        session = invocation_context.session
        await self._services.sessions.forget_before(moment)
        await self._services.lessons.forget_before(moment)
        await forget_before(
            invocation_context.session_service,
            moment,
            app_name=session.app_name,
            artifacts=invocation_context.artifact_service,
            but=(session.user_id, session.id),
        )
        session.events[:] = [event for event in session.events if event.timestamp >= moment.timestamp()]
