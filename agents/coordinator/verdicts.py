"""'Why?' right after an answer: what became of it, and what in the course says so."""

from agents.record import said
from agents.services import Services
from agents.state import SessionState

# What a turn was about that ended in a mark.
MARKING = ("answer", "skip", "disagree")


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
