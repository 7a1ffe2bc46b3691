"""The conversation so far, as far as the learner wants it remembered and the model can hold it."""

from dataclasses import dataclass

from google.adk.events.event import Event
from google.adk.sessions.session import Session

Said = tuple[str, str]  # who, what

FORGOTTEN = "(Our conversation has grown long, so I had to leave its oldest part out of view.)"
MOST_TOKENS = 12_000
_CHARS_A_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The last messages, and whether the token limit cut them."""

    messages: tuple[Said, ...]
    was_cut: bool


def conversation(session: Session, *, since_turn: int = 0) -> list[Said]:
    """Who said what, oldest first, without the current message and what was reset."""
    lines: list[Said] = []
    asked = sum(event.author == "user" and bool(_text(event)) for event in session.events)
    # Counted from the end: what was said long ago may be deleted.
    turns = max(0, int((session.state.get("last_response") or {}).get("turn_number", 0)) + 1 - asked)
    for event in session.events:
        text = _text(event)
        if event.author == "user" and text:
            turns += 1
        if text and turns >= since_turn:
            lines.append(("user" if event.author == "user" else "assistant", text))
    return lines[:-1]


def last_message(session: Session) -> str:
    """What the learner said before the current message."""
    said = (event for event in reversed(session.events) if event.author == "user" and event.content)
    next(said, None)
    before = next(said, None)
    parts = before.content.parts if before and before.content else None
    return " ".join(part.text for part in parts or [] if part.text)


def window(messages: list[Said], *, most_messages: int, most_tokens: int = MOST_TOKENS) -> Window:
    """Slide to the last messages; where they are too long, the oldest leave."""
    kept = messages[-most_messages:]
    was_cut = False
    while kept and sum(len(text) for _, text in kept) > most_tokens * _CHARS_A_TOKEN:
        kept = kept[1:]
        was_cut = True
    return Window(messages=tuple(kept), was_cut=was_cut)


def estimated_tokens(*texts: str) -> int:
    """About how many tokens the words are, at least one."""
    return max(1, sum(map(len, texts)) // _CHARS_A_TOKEN)


def _text(event: Event) -> str:
    return "".join(part.text for part in (event.content.parts or []) if part.text) if event.content else ""
