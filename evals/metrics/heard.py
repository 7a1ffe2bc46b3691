"""What a learner heard in one turn, read from ADK's record of it, and what the eval case expects."""

from collections.abc import Sequence
from dataclasses import dataclass

from google.adk.evaluation.eval_case import (
    Invocation,
    InvocationEvents,
    get_all_usage_metadata,
)
from google.genai import types

SOURCES = "**Sources:**"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One bubble of the chat."""

    author: str
    text: str

    @property
    def body(self) -> str:
        """The text without the footer that lists its sources, and without a question that is shown again."""
        return self.text.partition(SOURCES)[0].partition("\n---\n")[0].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One turn."""

    said: str
    messages: tuple[Message, ...]
    route: str
    model_calls: int

    @property
    def text(self) -> str:
        return "\n\n".join(message.text for message in self.messages)

    @property
    def speakers(self) -> tuple[str, ...]:
        return tuple(message.author for message in self.messages)


def heard(invocation: Invocation) -> Heard:
    """A turn as the learner saw it."""
    messages = _messages(invocation)
    return Heard(
        said=text_of(invocation.user_content, between=" "),
        messages=messages,
        route=_route(messages),
        model_calls=len(get_all_usage_metadata(invocation)),
    )


def expectations(invocation: Invocation) -> dict[str, list[str]]:
    """What the case expects of a turn: its rubrics, by their type."""
    wanted: dict[str, list[str]] = {}
    for rubric in invocation.rubrics or []:
        if rubric.type:
            wanted.setdefault(rubric.type, []).append(rubric.rubric_content.text_property or "")
    return wanted


def text_of(content: types.Content | None, *, between: str = "") -> str:
    parts = content.parts if content else None
    return between.join(part.text for part in parts or [] if part.text and not part.thought)


def _messages(invocation: Invocation) -> tuple[Message, ...]:
    """ADK keeps the last message apart and leaves an event without content in its place."""
    data = invocation.intermediate_data
    events = data.invocation_events if isinstance(data, InvocationEvents) else []
    texts = [
        (event.author, text_of(event.content if event.content else invocation.final_response))
        for event in events
    ]
    return tuple(Message(author=author, text=text) for author, text in texts if text.strip())


_IN_THE_LOOP = ("tutor", "quiz", "feedback")


def _route(messages: Sequence[Message]) -> str:
    """The agent that spoke last; the steps of the loop are the loop."""
    last = messages[-1].author if messages else "coordinator"
    return "learning_loop" if last in _IN_THE_LOOP else last
