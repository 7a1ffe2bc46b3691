"""The conversation so far, as far as the learner wants it remembered."""

from google.adk.sessions.session import Session

FORGOTTEN = "(Our conversation has grown long, so I had to leave its oldest part out of view.)"


def conversation(session: Session, *, since_turn: int = 0) -> list[tuple[str, str]]:
    """Who said what, oldest first, without the current message and what was reset."""
    lines: list[tuple[str, str]] = []
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
