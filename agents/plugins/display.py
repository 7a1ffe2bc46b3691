"""Every message passes here on its way to a screen."""

from dataclasses import dataclass, field

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.plugins.base_plugin import BasePlugin

from agents.screen import Screen, shown
from agents.services import Services


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
