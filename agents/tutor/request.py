"""The lesson that a large model is asked for."""

from google.adk.sessions.session import Session

from agents.briefing import clip, fitting, learner_block, passages_text, words_request
from agents.models.asking import Consultation
from agents.services import Services
from agents.state import SessionState
from agents.tutor.skill import TutorBrief
from rag.results import RetrievalResult

WITHOUT_MARKS = "Your last text had no passage number in it. Write it again, with the number, like [1], behind what comes from a passage."
_PASSAGE_TOKENS = 1500  # of the 2,500 of a lesson's brief
_TOLD = 1200  # characters of earlier explanations, the latest


async def lesson_request(
    services: Services,
    state: SessionState,
    session: Session,
    brief: TutorBrief,
    *,
    user_id: str,
    remark: str = "",
) -> tuple[Consultation, tuple[RetrievalResult, ...]]:
    """What to ask for, and the passages as they are numbered in it."""
    passages = fitting(brief.passages, tokens=_PASSAGE_TOKENS // (2 if services.model_is_slow else 1))
    parts = [
        passages_text(passages),
        await learner_block(services, state, session, user_id=user_id),
        f"Teach: {brief.topic}. Concepts, in this order: {', '.join(each.name for each in brief.concepts)}.",
    ]
    if brief.cycle > 1:
        parts.append(
            f"This is round {brief.cycle}. Explain again, another way, only: {', '.join(brief.missed) or brief.topic}. "
            f"Said before: “{clip(brief.already_said[-_TOLD:], most=_TOLD)}”"
        )
    asked = words_request(services, "lesson", "tutor/prompt.md", [*parts, remark])
    return asked, passages
