"""The conversation so far, as far as the learner wants it remembered and the model can hold it."""

from dataclasses import dataclass

from google.adk.sessions.session import Session

Message = tuple[str, str]

FORGOTTEN = "(Our conversation has grown long, so I had to leave its oldest part out of view.)"
MOST_TOKENS = 12_000
_CHARS_A_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The last messages, and whether the token limit cut them."""

    messages: tuple[Message, ...]
    was_cut: bool


def conversation(session: Session, *, since_turn: int = 0) -> list[Message]:
    """Who said what, oldest first, without the current message and what was reset."""
    lines: list[Message] = []
    turns = 0
    for event in session.events:
        text = (
            "".join(part.text for part in (event.content.parts or []) if part.text) if event.content else ""
        )
        if event.author == "user" and text:
            turns += 1
        if text and turns >= since_turn:
            lines.append(("user" if event.author == "user" else "assistant", text))
    return lines[:-1]


def window(messages: list[Message], *, most_messages: int, most_tokens: int = MOST_TOKENS) -> Window:
    """Slide to the last messages; where they are too long, the oldest leave."""
    kept = messages[-most_messages:]
    was_cut = False
    while kept and sum(len(text) for _, text in kept) > most_tokens * _CHARS_A_TOKEN:
        kept = kept[1:]
        was_cut = True
    return Window(messages=tuple(kept), was_cut=was_cut)
