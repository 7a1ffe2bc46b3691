"""The coordinator with a large model: it says what a message means, and answers from passages; code checks and decides."""

import re
from contextlib import suppress
from dataclasses import replace

from google.adk.agents.callback_context import CallbackContext
from google.adk.models.llm_request import LlmRequest
from google.adk.sessions.session import Session
from pydantic import BaseModel, Field

from agents.briefing import (
    ask_directly,
    clip,
    fenced,
    fitting,
    learner_block,
    passages_text,
    prompt,
    words_request,
)
from agents.coordinator.intents import ACTIONS, ROUTES, Intent, Situation
from agents.coordinator.offline import CoordinatorBrief, GroundedAnswer
from agents.coordinator.visit import Inquiry, situation_of
from agents.language.understanding import language_of
from agents.models.voice import Consultation, ModelFailureError, read_json
from agents.repair import Draft, mend
from agents.services import Services
from agents.state import SessionState
from agents.step_agent import Meanwhile
from agents.teaching.values import RetrievalResult
from agents.turn import NO_INFORMATION, ReasoningTrace, TurnDraft
from agents.tutor.citations import with_sources

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
    if (
        read is None
        or read.action not in ACTIONS
        or read.action in ("foreign", "unsure", "empty", "too_late")
    ):
        return None
    action = read.action
    if action == "answer" and (situation.question is None or situation.said_in in ("talk", "button")):
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


ENOUGH_WORDS = 3  # to tell a language by
_SURE = 0.6
_MOST_CALLS = 2  # for one answer, before it is mended
_NO_MODEL = "My language model did not answer, so this is what the course itself says."
_AS_READ = "My language model did not answer, so what the course says above has to do."
_MEANWHILE = "While I am still thinking about it, this is what the course says:"
_UNKNOWN = re.compile(r"\[0\]\s*")  # a model's mark for what the passages do not hold


def is_doubtful(intent: Intent, message: str) -> bool:
    """Whether a model would know better what was meant."""
    if intent.action in ("foreign", "unsure"):
        return True
    is_foreign = len(message.split()) >= ENOUGH_WORDS and language_of(message) not in ("", "en")
    return intent.action != "empty" and (intent.confidence < _SURE or is_foreign)


class LargeModel:
    """What is asked of it in one turn, and what becomes of its replies."""

    def __init__(self, services: Services, context: CallbackContext) -> None:
        self._services = services
        self._context = context
        self._turn = services.turns.of(context.invocation_id)

    async def ask_for_intent(
        self,
        llm_request: LlmRequest,
        state: SessionState,
        intent: Intent,
    ) -> None:
        """Make the request ask what the message means; code's own reading is kept for when nothing comes."""
        turn = self._turn
        syllabus = await self._services.syllabus(state.course)
        learner = await learner_block(
            self._services, state, self._context.session, user_id=self._context.user_id
        )
        turn.part(Inquiry).intent = intent
        turn.model.asking = intent_request(
            turn.meant,
            situation_of(state, syllabus, run=self._context.run_config),
            state,
            learner=learner,
            topics=tuple(syllabus.topic_names()),
        )
        turn.model.asking.shape(llm_request, model=self._services.model.model)

    async def meant(self, state: SessionState, reply: str) -> tuple[Intent, str]:
        """What the model took the message for, or what code did where that makes no sense; and a question in full."""
        turn = self._turn
        syllabus = await self._services.syllabus(state.course)
        found = (
            intent_of(reply, situation=situation_of(state, syllabus, run=self._context.run_config))
            if reply
            else None
        )
        if found is None:
            turn.model.replaced("invalid" if reply else "failed", "intent")
            kept = turn.part(Inquiry).intent
            assert kept is not None  # when the model was asked
            return kept, ""
        intent, query = found
        turn.trace = ReasoningTrace(
            intent=intent.action,
            confidence=intent.confidence,
            alternatives=turn.trace.alternatives,
            reason=intent.reason,
        )
        return intent, query if intent.action == "ask" else ""

    async def ask_for_answer(
        self,
        llm_request: LlmRequest,
        state: SessionState,
        brief: CoordinatorBrief,
        own: GroundedAnswer,
    ) -> GroundedAnswer | None:
        """Make the request ask for an answer; the course's own where there is nothing to ask."""
        turn = self._turn
        turn.part(Inquiry).answer = own
        if turn.model.is_silent:
            return _instead(own)
        if not brief.passages:
            return own
        turn.model.asking, passages = await self._request(state, brief)
        turn.part(Inquiry).draft = _draft(turn, brief, passages)
        waiting = turn.part(Meanwhile)
        waiting.text, waiting.sources = f"{_MEANWHILE}\n\n{own.text}", own.sources
        turn.model.asking.shape(llm_request, model=self._services.model.model)
        return None

    async def grounded(self, state: SessionState, brief: CoordinatorBrief, reply: str) -> GroundedAnswer:
        """The model's answer as far as it holds; once more where it rests on nothing; the course's own at last."""
        turn = self._turn
        draft = turn.part(Inquiry).draft or Draft(())
        if reply:
            _complete(draft, reply)
            if not draft.is_grounded and not _is_unknown(reply) and len(turn.model.calls) < _MOST_CALLS:
                turn.model.replaced("no_marks", reply[:200])
                asked, passages = await self._request(state, brief, remark=WITHOUT_MARKS)
                draft = _draft(turn, brief, passages)
                with suppress(ModelFailureError):
                    reply = await self._ask(asked)
                    _complete(draft, reply)
        if reply and _is_unknown(reply):
            rest = _UNKNOWN.sub("", reply).strip()
            is_said = NO_INFORMATION in rest
            said = rest if is_said else f"{NO_INFORMATION} about that in this course. {rest}".strip()
            return GroundedAnswer(text=said)
        if not reply or not draft.is_grounded:
            turn.model.replaced("ungrounded" if reply else "failed")
            own = turn.part(Inquiry).answer
            # What there was to read meanwhile was read already.
            return _instead(own) if own and turn.part(Meanwhile).text else GroundedAnswer(text=_AS_READ)
        await mend(draft, draft.passages, ask=self._ask)
        turn.model.repairs += draft.repairs
        said, sources = with_sources(draft.text, draft.passages, query=brief.question)
        return GroundedAnswer(text=said, sources=sources)

    async def _request(
        self,
        state: SessionState,
        brief: CoordinatorBrief,
        *,
        remark: str = "",
    ) -> tuple[Consultation, tuple[RetrievalResult, ...]]:
        return await answer_request(
            self._services,
            state,
            self._context.session,
            brief,
            user_id=self._context.user_id,
            message=self._turn.meant,
            remark=remark,
        )

    async def _ask(self, asked: Consultation) -> str:
        turn = self._turn
        text = await ask_directly(self._services.model, asked, calls=turn.model.calls)
        turn.model.made(turn.model.calls[-1:])
        return text


def _instead(own: GroundedAnswer) -> GroundedAnswer:
    return replace(own, text=f"{_NO_MODEL}\n\n{own.text}")


def _draft(turn: TurnDraft, brief: CoordinatorBrief, passages: tuple[RetrievalResult, ...]) -> Draft:
    return Draft(passages, known=f"{brief.question} {turn.meant}")


def _complete(draft: Draft, reply: str) -> None:
    """Give the draft what it has not heard yet: a front end that does not stream hears all at once."""
    if not draft.raw:
        draft.feed(reply)
    draft.finish()


def _is_unknown(reply: str) -> bool:
    return bool(_UNKNOWN.match(reply.strip())) or NO_INFORMATION in reply
