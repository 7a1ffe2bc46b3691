"""Eval cases start with a learner whom nobody has met, however often they are run on the same data."""

from google.adk.agents.invocation_context import InvocationContext
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.sessions.session import Session
from google.genai import types

from agents.adk_compat import EVAL_SESSION
from agents.services import Services

# ADK's evaluation begins its session ids so; our eval cases begin their learners' ids so. Both must hold,
# because what follows deletes a learner's records.
EVAL_LEARNER = "eval-"


class RehearsalPlugin(BasePlugin):
    """Forgets an eval case's learner at the first message of its session."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="rehearsal")
        self._services = services

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        session = invocation_context.session
        if is_rehearsal(session) and not session.events:
            await self._services.ready()
            await self._services.forget(session.user_id)
        return None


def is_rehearsal(session: Session) -> bool:
    return session.id.startswith(EVAL_SESSION) and session.user_id.startswith(EVAL_LEARNER)
