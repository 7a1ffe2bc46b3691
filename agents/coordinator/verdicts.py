"""'Why?' and 'are you sure?': what became of an answer, or what an answer of ours rests on."""

from collections.abc import Mapping
from typing import Any

from agents.record import said
from agents.services import Services
from agents.state import SessionState

# What a turn was about that ended in a mark.
MARKING = ("answer", "give_up", "skip", "disagree")
# What a turn was about that was answered from the course.
_LOOKED_UP = ("ask", "reexplain", "example", "analogy", "more", "yes", "next")
_MOST_PASSAGES = 2
_MOST_CHARS = 500


def was_looked_up(state: SessionState) -> bool:
    """Whether the last turn was answered from the course."""
    by_us = state.last_routed_to == "coordinator" and state.last_intent in _LOOKED_UP
    return by_us and bool(state.last_response.get("citations"))


def why_unmarked(state: SessionState) -> str:
    """Why the last answer has no mark yet; empty when it has one."""
    if state.self_check_answer:
        return (
            f"Your answer was “{state.self_check_answer}”. It uses other words than the course, and I can't tell whether "
            "they mean the same, so I'd rather ask than mark it wrong. Does it say what the course says? **Yes** or **no**."
        )
    if state.unread_answer and state.pending_question:
        return (
            f"Nothing was graded: “{state.unread_answer}” fits none of the options, or more than one of them. "
            "Give the letter, or the option's own words."
        )
    return ""


async def why_marked(services: Services, state: SessionState, user_id: str) -> str:
    """Why the last mark is what it is; empty when there is none."""
    answers = await services.ledger.of(user_id, course=state.course)
    if not answers:
        return ""
    last = answers[-1]
    verdict = "right" if last.is_correct else "not right"
    shown = f"> {last.source_context}\n\n" if last.source_context else ""
    passages = await services.library.corpus.chunks_by_id([last.chunk_id] if last.chunk_id else [])
    places = [
        "*" + " › ".join(dict.fromkeys([each.title, *each.heading_hierarchy])) + "*" for each in passages
    ]
    return (
        f"You said “{said(last)}” to “{last.question_text}”, and I took it as {verdict}, because the course "
        f"says:\n\n{shown}{' '.join(places)}\n\nIf you see it differently, say **I disagree** and why."
    )


def why_answered(state: SessionState) -> str:
    """The passages that our last answer rests on; empty when it had none."""
    passages = state.last_response.get("citations") or []
    if not passages:
        return ""
    quoted = "\n\n".join(_quote(each) for each in passages[:_MOST_PASSAGES])
    return (
        f"I only say what the course says, and this is what it rests on:\n\n{quoted}\n\n"
        "If the course itself is wrong, its author is the one to ask."
    )


def _quote(passage: Mapping[str, Any]) -> str:
    text = " ".join(str(passage.get("chunk_text", "")).split())
    shown = text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS].rsplit(' ', 1)[0]} …"
    place = " › ".join(dict.fromkeys([str(passage.get("title", "")), *passage.get("heading_hierarchy", ())]))
    return f"> {shown}\n\n*{place}*"
