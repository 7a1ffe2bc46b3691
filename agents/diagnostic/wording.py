"""What the diagnostic says."""

from collections.abc import Sequence

from agents.feedback.phrases import bold, joined

NOTHING_ASKED = "No questions, then. I start at the beginning of the topic and go by your answers from there."

_MOST_NAMED = 3


def opening(topic: str, *, most: int) -> str:
    """Say what is coming, and that it can be left."""
    return (
        f"Before we start on **{topic}**, up to {most} quick questions, so that I don't tell you what you know. "
        "A guess is fine. If this is all new to you, say “I'm new to this”, or “skip” to go straight on."
    )


def recommendations(
    *, foundations: Sequence[str], own: Sequence[str], strong: Sequence[str]
) -> tuple[str, ...]:
    """What to do, the most important first."""
    said: list[str] = []
    if foundations:
        said.append(f"Begin with {joined(foundations, most=_MOST_NAMED)}: the topic leans on it.")
    if own:
        said.append(
            f"{'Then take' if foundations else 'Take'} {joined(own, most=_MOST_NAMED)} one at a time."
        )
    if strong:
        said.append(f"Pass quickly over {joined(strong, most=_MOST_NAMED)}: you have that.")
    if not foundations and not own:
        said.append("Go straight to the questions: there may be nothing left to explain.")
    return tuple(said)


def result_text(*, topic: str, gaps: Sequence[str], strong: Sequence[str], foundations: Sequence[str]) -> str:
    """What the questions showed, in a few sentences: first what is there."""
    parts = [_strengths(strong)] if strong else []
    if not gaps:
        parts.append(f"I found no gaps before **{topic}**. We can start right away.")
    elif foundations:
        parts.append(
            f"{joined(bold(foundations), most=_MOST_NAMED)} {_is(foundations)} worth a look first, "
            f"because **{topic}** leans on {'it' if len(foundations) == 1 else 'them'}."
        )
    else:
        parts.append(f"What **{topic}** leans on is in place. {_new(gaps)}, so that is what we learn.")
    return " ".join(parts)


def _strengths(strong: Sequence[str]) -> str:
    return f"You are at home with {joined(bold(strong), most=_MOST_NAMED)}."


def _new(gaps: Sequence[str]) -> str:
    return f"{joined(bold(gaps), most=_MOST_NAMED)} {_is(gaps)} new"


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"
