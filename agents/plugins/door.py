"""What comes in: a message of a length that can be read, made of characters, from somebody with a name."""

from dataclasses import dataclass, field

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.plugins.base_plugin import BasePlugin
from google.genai import types

from agents.screen import MOST_MESSAGE, Screen, readable, shown
from agents.services import Services
from storage.learner_records import MOST_CHARACTERS, is_learner_id

_SHORTENED = f"(Your message was very long: I read its first {MOST_MESSAGE:,} characters.)"
_NOBODY = (
    f"I cannot keep a record for this user id: it must have 1 to {MOST_CHARACTERS} characters that can be seen. "
    "Come back with another one."
)


class DoorPlugin(BasePlugin):
    """The first to see a message: whoever reads it behind the door can rely on what it is."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="door")
        self._services = services

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        left = MOST_MESSAGE
        for part in user_message.parts or []:
            if part.text is not None:
                text = readable(part.text[: MOST_MESSAGE + 1])
                if len(text) > left:
                    self._services.turns.of(invocation_context.invocation_id).notes[:] = [_SHORTENED]
                # In place: a plugin that returns a message is the last one to see it.
                part.text = text[:left]
                left -= len(part.text)
        return None

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> types.Content | None:
        if is_learner_id(invocation_context.user_id):
            return None
        self._services.turns.of(invocation_context.invocation_id).outcome.status = "error"
        return types.ModelContent(_NOBODY)


@dataclass(slots=True)
class _Streams:
    """Messages that are being streamed, by author."""

    screens: dict[str, Screen] = field(default_factory=dict)


class DisplayPlugin(BasePlugin):
    """Whoever wrote it, a course, a learner or a model: it is shown as text."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="display")
        self._services = services

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> Event | None:
        screens = self._services.turns.of(invocation_context.invocation_id).part(_Streams).screens
        for part in (event.content.parts or []) if event.content else []:
            if part.text and event.partial:
                part.text = screens.setdefault(event.author, Screen()).feed(part.text)
            elif part.text:
                part.text = shown(part.text)
        if not event.partial:
            screens.pop(event.author, None)
        return None
