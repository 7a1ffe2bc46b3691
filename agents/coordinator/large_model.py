"""The coordinator with a large model: it says what a message means, and answers from passages; code checks and decides."""

import re
from contextlib import suppress

from google.adk.agents.callback_context import CallbackContext
from google.adk.models.llm_request import LlmRequest

from agents.briefing import learner_block
from agents.coordinator.intents import Intent
from agents.coordinator.requests import WITHOUT_MARKS, answer_request, intent_of, intent_request
from agents.coordinator.situation import situation_of
from agents.coordinator.skill import CoordinatorBrief, grounded_answer
from agents.language.tongue import language_of
from agents.models.asking import Consultation
from agents.models.direct import ask_directly
from agents.models.voice import ModelFailureError
from agents.repair.draft import Draft
from agents.repair.mending import mend
from agents.services import Services
from agents.sources import with_sources
from agents.state import SessionState
from agents.turn import NO_INFORMATION, ReasoningTrace, Repair
from agents.turns import TurnDraft
from agents.tutor.citations import cited_results
from rag.results import RetrievalResult

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

    def __init__(self, services: Services) -> None:
        self._services = services

    async def ask_for_intent(
        self,
        callback_context: CallbackContext,
        llm_request: LlmRequest,
        state: SessionState,
        intent: Intent,
    ) -> None:
        """Make the request ask what the message means; code's own reading is kept for when nothing comes."""
        turn = self._turn(callback_context)
        syllabus = await self._services.syllabus(state.course)
        learner = await learner_block(
            self._services, state, callback_context.session, user_id=callback_context.user_id
        )
        turn.intent = intent
        turn.asking = intent_request(
            turn.meant,
            situation_of(state, syllabus),
            state,
            learner=learner,
            topics=tuple(syllabus.topic_names()),
        )
        turn.asking.shape(llm_request, model=self._services.model.model)

    async def meant(
        self, callback_context: CallbackContext, state: SessionState, reply: str
    ) -> tuple[Intent, str]:
        """What the model took the message for, or what code did where that makes no sense; and a question in full."""
        turn = self._turn(callback_context)
        syllabus = await self._services.syllabus(state.course)
        found = intent_of(reply, situation=situation_of(state, syllabus)) if reply else None
        if found is None:
            turn.repairs.append(
                Repair(action="replaced", kind="invalid" if reply else "failed", sentence="intent")
            )
            assert turn.intent is not None  # kept when the model was asked
            return turn.intent, ""
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
        callback_context: CallbackContext,
        llm_request: LlmRequest,
        state: SessionState,
        brief: CoordinatorBrief,
    ) -> str | None:
        """Make the request ask for an answer; the course's own where there is nothing to ask."""
        turn = self._turn(callback_context)
        own = grounded_answer(brief).text
        if turn.is_silent:
            return f"{_NO_MODEL}\n\n{own}"
        if not brief.passages:
            return own
        turn.asking, passages = await self._request(callback_context, state, brief)
        turn.draft = _draft(turn, brief, passages)
        turn.meanwhile = f"{_MEANWHILE}\n\n{own}"
        turn.asking.shape(llm_request, model=self._services.model.model)
        return None

    async def grounded(
        self, callback_context: CallbackContext, state: SessionState, brief: CoordinatorBrief, reply: str
    ) -> str:
        """The model's answer as far as it holds; once more where it rests on nothing; the course's own at last."""
        turn = self._turn(callback_context)
        draft = turn.draft or Draft(())
        if reply:
            _complete(draft, reply)
            if not draft.is_grounded and not _is_unknown(reply) and len(turn.calls) < _MOST_CALLS:
                turn.repairs.append(Repair(action="replaced", kind="no_marks", sentence=reply[:200]))
                asked, passages = await self._request(callback_context, state, brief, remark=WITHOUT_MARKS)
                draft = _draft(turn, brief, passages)
                with suppress(ModelFailureError):
                    reply = await self._ask(callback_context, asked)
                    _complete(draft, reply)
        if reply and _is_unknown(reply):
            rest = _UNKNOWN.sub("", reply).strip()
            is_said = NO_INFORMATION in rest
            return rest if is_said else f"{NO_INFORMATION} about that in this course. {rest}".strip()
        if not reply or not draft.is_grounded:
            turn.repairs.append(Repair(action="replaced", kind="ungrounded" if reply else "failed"))
            return self._own(turn, brief)
        await mend(draft, draft.passages, ask=lambda asked: self._ask(callback_context, asked))
        turn.repairs += draft.repairs
        return with_sources(draft.text, draft.passages, query=brief.question)

    def _own(self, turn: TurnDraft, brief: CoordinatorBrief) -> str:
        own = grounded_answer(brief).text
        if turn.meanwhile:
            return f"{_NO_MODEL}\n\n{own}"
        turn.cite(cited_results(own, tuple(turn.retrieved_results.values())))  # it was read already
        return _AS_READ

    async def _request(
        self,
        callback_context: CallbackContext,
        state: SessionState,
        brief: CoordinatorBrief,
        *,
        remark: str = "",
    ) -> tuple[Consultation, tuple[RetrievalResult, ...]]:
        return await answer_request(
            self._services,
            state,
            callback_context.session,
            brief,
            user_id=callback_context.user_id,
            message=self._turn(callback_context).meant,
            remark=remark,
        )

    async def _ask(self, callback_context: CallbackContext, asked: Consultation) -> str:
        turn = self._turn(callback_context)
        text = await ask_directly(self._services.model, asked, calls=turn.calls)
        turn.model_calls += 1
        turn.tokens_used += turn.calls[-1].prompt_tokens + turn.calls[-1].output_tokens
        return text

    def _turn(self, callback_context: CallbackContext) -> TurnDraft:
        return self._services.turns.of(callback_context.invocation_id)


def _draft(turn: TurnDraft, brief: CoordinatorBrief, passages: tuple[RetrievalResult, ...]) -> Draft:
    return Draft(passages, known=f"{brief.question} {turn.meant}")


def _complete(draft: Draft, reply: str) -> None:
    """Give the draft what it has not heard yet: a front end that does not stream hears all at once."""
    if not draft.raw:
        draft.feed(reply)
    draft.finish()


def _is_unknown(reply: str) -> bool:
    return bool(_UNKNOWN.match(reply.strip())) or NO_INFORMATION in reply
