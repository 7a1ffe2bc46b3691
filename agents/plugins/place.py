"""Keeps, as a turn ends, how far the learner is in the lesson under way."""

from itertools import takewhile

from google.adk.agents.invocation_context import InvocationContext
from google.adk.plugins.base_plugin import BasePlugin

from agents.services import Services
from agents.state import LESSON, SessionState


class PlacePlugin(BasePlugin):
    """Before the session's lock is given back: a later turn's place must not be overtaken by an earlier one's."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="place")
        self._services = services

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        session, turn = invocation_context.session, invocation_context.invocation_id
        own = takewhile(lambda event: event.invocation_id == turn, reversed(session.events))
        if not any(LESSON & event.actions.state_delta.keys() for event in own):
            return
        state = SessionState.of(session.state)
        if state.learning_phase:
            from agents.lesson_place import keep

            await keep(self._services, state, user_id=session.user_id, session_id=session.id)
