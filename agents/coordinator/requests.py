"""What the coordinator asks a large model: what a message means, and an answer from the course's passages."""

from google.adk.sessions.session import Session
from pydantic import BaseModel, Field

from agents.briefing import clip, fenced, fitting, learner_block, passages_text, words_request
from agents.coordinator.intents import ACTIONS, ROUTES, Intent, Situation
from agents.coordinator.skill import CoordinatorBrief
from agents.models.asking import Consultation, read_json
from agents.prompts import prompt
from agents.services import Services
from agents.state import SessionState
from rag.results import RetrievalResult

WITHOUT_MARKS = "Your last answer had no passage number in it. Write it again, with the number, like [1], behind what comes from a passage; or begin with [0] if the passages do not hold the answer."
_PASSAGE_TOKENS = 2000  # of the 3,000 of an answer's brief
_TOLD = 800  # characters
_MOST_TOPICS = 40


class ModelIntent(BaseModel):
    """What a model takes a message for."""

    action: str
    topic: str = ""
    query: str = ""
    manner: str = ""
    confidence: float = Field(default=0.7, ge=0, le=1)


def intent_request(
    message: str, situation: Situation, state: SessionState, *, learner: str, topics: tuple[str, ...]
) -> Consultation:
    """Ask what a message means, through the same door by which code decides."""
    question = situation.question
    here = f"A question is open: {question.text}" if question else "No question is open."
    if situation.is_paused:
        here = "A quiz is paused."
    offered = f" The tutor has offered: {state.suggestion}." if state.suggestion else ""
    parts = [
        f"The course covers: {'; '.join(topics[:_MOST_TOPICS])}.",
        learner,
        f"{here}{offered}",
        f"The message:\n{fenced(clip(message, most=2000))}",
    ]
    return Consultation(
        task="intent",
        system=prompt("coordinator/intent.md"),
        brief="\n\n".join(parts),
        schema=ModelIntent,
        max_tokens=400,
    )


def intent_of(reply: str, *, situation: Situation) -> tuple[Intent, str] | None:
    """The intent in a model's reply, and the question in full where it asks one; None when it makes no sense."""
    read = read_json(reply, ModelIntent)
    if read is None or read.action not in ACTIONS or read.action in ("foreign", "unsure", "empty"):
        return None
    action = read.action
    if action == "answer" and situation.question is None:
        action = "ask"
    intent = Intent(
        route=ROUTES.get(action, "coordinator"),
        action=action,
        confidence=read.confidence,
        reason=f"the language model reads it as '{action}'",
        topic=read.topic.strip(),
        manner=read.manner.strip() if action == "reexplain" else "",
    )
    return intent, read.query.strip()


async def answer_request(
    services: Services,
    state: SessionState,
    session: Session,
    brief: CoordinatorBrief,
    *,
    user_id: str,
    message: str,
    remark: str = "",
) -> tuple[Consultation, tuple[RetrievalResult, ...]]:
    """Ask for an answer, and the passages as they are numbered in it."""
    passages = fitting(brief.passages, tokens=_PASSAGE_TOKENS // (2 if services.model_is_slow else 1))
    parts = [
        passages_text(passages),
        await learner_block(services, state, session, user_id=user_id),
        f"They ask:\n{fenced(clip(message, most=2000))}",
    ]
    if brief.question and brief.question != message:
        parts.append(f"Which means: {brief.question}")
    if brief.already_said:
        parts.append(
            f"They have been told, so say it another way:\n{fenced(clip(brief.already_said, most=_TOLD))}"
        )
    asked = words_request(services, "answer", "coordinator/prompt.md", [*parts, remark])
    return asked, passages
