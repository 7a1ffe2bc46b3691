"""What is written as a turn ends, in one transaction: its log, who handed over to whom, and the place in the lesson."""

from itertools import takewhile
from typing import TYPE_CHECKING

from google.adk.agents.invocation_context import InvocationContext
from google.adk.plugins.base_plugin import BasePlugin

from agents.plugins.recorder import HandOvers, RecorderPlugin
from agents.services import Services
from agents.state import LESSON, SessionState

if TYPE_CHECKING:
    from storage.lessons import LessonPlace


class ClosingPlugin(BasePlugin):
    """Before the session's lock is given back: a later turn's place must not be overtaken by an earlier one's."""

    def __init__(self, services: Services, recorder: RecorderPlugin) -> None:
        super().__init__(name="closing")
        self._services = services
        self._recorder = recorder

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        draft = self._services.turns.of(invocation_context.invocation_id)
        if draft.leaves_nothing:
            return
        turn = self._recorder.log_of(draft, invocation_context) if draft.texts else None
        transitions = draft.part(HandOvers).taken()
        place = await self._place(invocation_context)
        if turn or transitions or place:
            await self._services.books.attempt(
                "the end of a turn",
                lambda: self._services.sessions.close_turn(turn=turn, transitions=transitions, place=place),
            )

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:
        draft = self._services.turns.of(invocation_context.invocation_id)
        if transitions := draft.part(HandOvers).taken():
            await self._services.books.attempt(
                "hand-overs", lambda: self._services.sessions.add_transitions(transitions)
            )

    async def _place(self, invocation_context: InvocationContext) -> "LessonPlace | None":
        """How far the lesson under way is, where this turn has moved it."""
        session, turn = invocation_context.session, invocation_context.invocation_id
        own = takewhile(lambda event: event.invocation_id == turn, reversed(session.events))
        if not any(LESSON & event.actions.state_delta.keys() for event in own):
            return None
        state = SessionState.of(session.state)
        if not state.learning_phase:
            return None
        # Imported on use: `adk run` shows its prompt before that.
        from agents.lesson_place import place_of

        return await place_of(self._services, state, user_id=session.user_id, session_id=session.id)
