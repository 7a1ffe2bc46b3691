"""The coordinator: code routes what it is sure of; the model answers questions about the material."""

import logging
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from google.adk.agents.callback_context import CallbackContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from agents.briefing import learner_block
from agents.coordinator.course_desk import COURSE_KEY, usual_course
from agents.coordinator.followup import resolve, subject_of
from agents.coordinator.grounding import is_answerable
from agents.coordinator.intents import Awaiting, Intent, Situation, understand
from agents.coordinator.lookup import search_queries
from agents.coordinator.requests import WITHOUT_MARKS, answer_request, intent_of, intent_request
from agents.coordinator.routing import decide
from agents.coordinator.skill import CoordinatorBrief, grounded_answer
from agents.coordinator.visit import Decision, HandOver, LookUp, Visit
from agents.history import FORGOTTEN, conversation, window
from agents.language.tongue import language_of
from agents.language.understanding import OpenQuestion
from agents.models.asking import Consultation
from agents.models.direct import ask_directly
from agents.models.voice import ModelFailureError
from agents.prompts import fence
from agents.quiz.item_render import question_again
from agents.record import restore
from agents.repair.draft import Draft
from agents.repair.mending import mend
from agents.services import Services
from agents.sources import with_sources
from agents.speech import trouble
from agents.state import Choice, SessionState
from agents.syllabus import Syllabus
from agents.turn import NO_INFORMATION, ReasoningTrace, Repair
from agents.tutor.citations import cited_results
from rag.index.port import Scope
from rag.results import RetrievalResult, merged
from rag.retriever import MOST_RESULTS

logger = logging.getLogger(__name__)

_SURE = 0.6
_ENOUGH_WORDS = 3  # to tell a language by
_MOST_CALLS = 2  # for one answer, before it is mended
_NO_MODEL = "My language model did not answer, so this is what the course itself says."
_MEANWHILE = "While I am still thinking about it, this is what the course says:"
_UNKNOWN = re.compile(r"\[0\]\s*")  # a model's mark for what the passages do not hold
_WELL_ANSWERED, _OWN_COURSE = (
    0.95,
    0.01,
)  # no other course is asked from here on; what an answer of this one is ahead
_STEP = re.compile(r"^\d+\. \*\*(.+?)\*\*", re.MULTILINE)
# An offer outlives these; whoever speaks of something else does not mean it with a later yes.
_BESIDE_AN_OFFER = ("thanks", "small_talk", "unclear", "empty", "progress", "help", "tasks")


class CoordinatorDesk:
    """The callbacks of the coordinator agent."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def before_model(
        self, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        """Serve or route what code can decide; what is left goes to the model with its brief."""
        try:
            return await self._before_model(callback_context, llm_request)
        except Exception as err:
            logger.exception("coordinator failed")
            turn = self._services.turns.of(callback_context.invocation_id)
            turn.status, turn.error = "error", type(err).__name__
            return LlmResponse(content=_words(trouble(err)))

    async def _before_model(
        self, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        state = await self._state(callback_context)
        if _just_retrieved(llm_request):
            return await self._ask_for_answer(callback_context, llm_request, state)
        intent = await self._understand(callback_context, state)
        turn = self._services.turns.of(callback_context.invocation_id)
        if self._services.has_large_model and _is_doubtful(intent, turn.user_query):
            turn.intent = intent
            turn.asking = await self._intent_request(callback_context, state)
            turn.asking.shape(llm_request, model=self._services.model.model)
            return None
        return await self._decide(callback_context, state, intent)

    async def _decide(
        self, callback_context: CallbackContext, state: SessionState, intent: Intent, *, query: str = ""
    ) -> LlmResponse:
        visit = Visit(
            services=self._services,
            state=state,
            user_id=callback_context.user_id,
            message=query or self._message(callback_context),
            intent=intent,
        )
        return await self._carry_out(await decide(visit), callback_context, state, intent)

    async def _intent_request(self, callback_context: CallbackContext, state: SessionState) -> Consultation:
        syllabus = await self._services.syllabus(state.course)
        learner = await learner_block(
            self._services, state, callback_context.session, user_id=callback_context.user_id
        )
        return intent_request(
            self._message(callback_context),
            situation_of(state, syllabus),
            state,
            learner=learner,
            topics=tuple(syllabus.topic_names()),
        )

    async def _ask_for_answer(
        self, callback_context: CallbackContext, llm_request: LlmRequest, state: SessionState
    ) -> LlmResponse | None:
        brief = await self._brief(callback_context, state)
        if not self._services.has_large_model:
            llm_request.append_instructions([fence(brief)])
            return None
        turn = self._services.turns.of(callback_context.invocation_id)
        if not brief.passages or turn.is_silent:
            own = grounded_answer(brief).text
            return await self._answered(
                callback_context, state, f"{_NO_MODEL}\n\n{own}" if turn.is_silent else own
            )
        turn.asking, passages = await self._answer_request(callback_context, state, brief)
        turn.draft = Draft(passages, known=f"{brief.question} {turn.user_query}")
        turn.meanwhile = f"{_MEANWHILE}\n\n{grounded_answer(brief).text}"
        turn.asking.shape(llm_request, model=self._services.model.model)
        return None

    async def _answer_request(
        self,
        callback_context: CallbackContext,
        state: SessionState,
        brief: CoordinatorBrief,
        remark: str = "",
    ) -> tuple[Consultation, tuple[RetrievalResult, ...]]:
        return await answer_request(
            self._services,
            state,
            callback_context.session,
            brief,
            user_id=callback_context.user_id,
            message=self._message(callback_context),
            remark=remark,
        )

    async def after_model(
        self, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        """What a model said becomes a decision or a checked answer; what it failed to say is code's to say."""
        try:
            return await self._after_model(callback_context, llm_response)
        except Exception as err:
            logger.exception("coordinator failed")
            turn = self._services.turns.of(callback_context.invocation_id)
            turn.status, turn.error, turn.asking = "error", type(err).__name__, None
            return LlmResponse(content=_words(trouble(err)))

    async def _after_model(
        self, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        turn = self._services.turns.of(callback_context.invocation_id)
        text = _text(llm_response)
        asking = turn.asking
        if llm_response.partial:
            shown = turn.draft.feed(_raw(llm_response)) if turn.draft else ""
            is_ours = asking is not None
            return LlmResponse(content=_words(shown), partial=True) if is_ours else None
        if not text and asking is None:
            return None
        state = SessionState.of(callback_context.state.to_dict())
        turn.asking = None
        if asking is None:
            return await self._answered(callback_context, state, text)
        if asking.task == "intent":
            return await self._meant(callback_context, state, text)
        said = await self._grounded(callback_context, state, text)
        return await self._answered(callback_context, state, said)

    async def model_failed(
        self, callback_context: CallbackContext, llm_request: LlmRequest, error: Exception
    ) -> LlmResponse | None:
        """No answer: the offline way, which after_model takes for an empty text."""
        if self._services.turns.of(callback_context.invocation_id).asking is None:
            return None
        return LlmResponse(content=types.Content(role="model", parts=[]), partial=False)

    async def _meant(self, callback_context: CallbackContext, state: SessionState, reply: str) -> LlmResponse:
        """Carry out what the model took the message for, or what code did where that makes no sense."""
        turn = self._services.turns.of(callback_context.invocation_id)
        syllabus = await self._services.syllabus(state.course)
        intent, query = turn.intent, ""
        found = intent_of(reply, situation=situation_of(state, syllabus)) if reply else None
        if found:
            intent, query = found
            turn.trace = ReasoningTrace(
                intent=intent.action,
                confidence=intent.confidence,
                alternatives=turn.trace.alternatives,
                reason=intent.reason,
            )
        else:
            turn.repairs.append(
                Repair(action="replaced", kind="invalid" if reply else "failed", sentence="intent")
            )
        assert intent is not None  # kept when the model was asked
        return await self._decide(
            callback_context, state, intent, query=query if intent.action == "ask" else ""
        )

    async def _grounded(self, callback_context: CallbackContext, state: SessionState, reply: str) -> str:
        """The model's answer as far as it holds; once more where it rests on nothing; the course's own at last."""
        turn = self._services.turns.of(callback_context.invocation_id)
        brief = await self._brief(callback_context, state)
        draft = turn.draft or Draft(())
        _, passages = await self._answer_request(callback_context, state, brief)
        known = f"{brief.question} {turn.user_query}"
        if reply:
            _complete(draft, reply)
            if not draft.is_grounded and not _is_unknown(reply) and len(turn.calls) < _MOST_CALLS:
                turn.repairs.append(Repair(action="replaced", kind="no_marks", sentence=reply[:200]))
                asked, passages = await self._answer_request(callback_context, state, brief, WITHOUT_MARKS)
                draft = Draft(passages, known=known)
                with suppress(ModelFailureError):
                    reply = await self._ask(callback_context, asked)
                    _complete(draft, reply)
        if reply and _is_unknown(reply):
            rest = _UNKNOWN.sub("", reply).strip()
            return (
                rest
                if NO_INFORMATION in rest
                else f"{NO_INFORMATION} about that in this course. {rest}".strip()
            )
        if not reply or not draft.is_grounded:
            turn.repairs.append(Repair(action="replaced", kind="ungrounded" if reply else "failed"))
            return f"{_NO_MODEL}\n\n{grounded_answer(brief).text}"
        await mend(draft, passages, ask=lambda asked: self._ask(callback_context, asked))
        turn.repairs += draft.repairs
        return with_sources(draft.text, passages, query=brief.question)

    async def _ask(self, callback_context: CallbackContext, asked: Consultation) -> str:
        turn = self._services.turns.of(callback_context.invocation_id)
        return await ask_directly(self._services.model, asked, calls=turn.calls)

    async def _answered(
        self, callback_context: CallbackContext, state: SessionState, text: str
    ) -> LlmResponse:
        """An answer leaves with its sources, what belongs before and after it, and the open question."""
        turn = self._services.turns.of(callback_context.invocation_id)
        turn.cite(cited_results(text, tuple(turn.retrieved_results.values())))
        if turn.lead:
            text = f"{turn.lead}\n\n{text}"
        if turn.was_cut:
            text = f"{text}\n\n{FORGOTTEN}"
        return LlmResponse(content=_words(_with_question(text, state)))

    async def after_agent(self, callback_context: CallbackContext) -> types.Content | None:
        """A chart goes out by itself: adk web shows an event's picture in the place of its text."""
        chart = self._services.turns.of(callback_context.invocation_id).chart
        if chart:
            await callback_context.save_artifact(
                "progress.png", types.Part.from_bytes(data=chart, mime_type="image/png")
            )
        return None

    async def _state(self, callback_context: CallbackContext) -> SessionState:
        """The session's state; a new session of a known learner gets what the database remembers."""
        await self._services.ready()
        state = SessionState.of(callback_context.state.to_dict())
        if state.user_id == callback_context.user_id:
            return state
        user_id = callback_context.user_id
        remembered = state.course or str(callback_context.state.get(COURSE_KEY) or "")
        course = await usual_course(self._services, user_id, remembered=remembered)
        state = state.model_copy(update={"course": course})
        changes = await restore(
            self._services, state, user_id=user_id, session_id=callback_context.session.id
        )
        callback_context.state.update(changes)
        return SessionState.of(callback_context.state.to_dict())

    async def _understand(self, callback_context: CallbackContext, state: SessionState) -> Intent:
        syllabus = await self._services.syllabus(state.course)
        message = self._message(callback_context)
        intent = understand(message, situation_of(state, syllabus))
        spoken = intent.language or language_of(message)
        if spoken and spoken != state.language and len(message.split()) >= _ENOUGH_WORDS:
            callback_context.state.update(state.changes(language=spoken))
        turn = self._services.turns.of(callback_context.invocation_id)
        turn.kept_message = intent.kept
        turn.trace = ReasoningTrace(
            intent=intent.action,
            confidence=intent.confidence,
            alternatives=intent.alternatives,
            reason=intent.reason,
        )
        return intent

    async def _carry_out(
        self, decision: Decision, callback_context: CallbackContext, state: SessionState, intent: Intent
    ) -> LlmResponse:
        route = decision.agent_name if isinstance(decision, HandOver) else "coordinator"
        turn = self._services.turns.of(callback_context.invocation_id)
        # What was offered is gone with the next message that is about something else.
        kept = {} if intent.action in _BESIDE_AN_OFFER else {"suggestion": ""}
        pending_task = state.pending_task if route == "task_manager" else None
        noted = state.changes(
            last_routed_to=route,
            routing_reason=intent.reason,
            pending_task=pending_task,
            doubtful_message="",
            choices=[],
            **kept,
        )
        callback_context.state.update({**noted, **decision.changes})
        if state.open_cycle_id is not None and "open_cycle_id" in decision.changes:
            turn.closed_cycles.append("left")
        if isinstance(decision, LookUp):
            return await self._look_up(decision, callback_context, state)
        if isinstance(decision, HandOver):
            return _calls("transfer_to_agent", [{"agent_name": decision.agent_name}])
        turn.status, turn.chart = decision.status, decision.chart
        now_state = SessionState.of(callback_context.state.to_dict())
        text = _with_question(decision.text, now_state) if decision.shows_question else decision.text
        return LlmResponse(content=_words(text))

    async def _look_up(
        self, decision: LookUp, callback_context: CallbackContext, state: SessionState
    ) -> LlmResponse:
        """Ask the course that has the answer: this one, or else another, and then say which."""
        turn = self._services.turns.of(callback_context.invocation_id)
        terms = (await self._services.syllabus(state.course)).names
        asked = decision.question
        if asked == self._message(callback_context):
            asked = resolve(asked, history=_last_exchange(state), topic=state.current_topic, terms=terms)
        turn.queries = search_queries(asked)
        if decision.already_said:
            turn.already_said = self._told(callback_context, state)
        turn.course = await self._answering_course(turn.queries, state)
        turn.lead = "" if self._services.has_large_model else decision.lead
        if state.course and turn.course != state.course:
            title = (await self._services.syllabus(turn.course)).title
            turn.lead = f"{turn.lead} This is from another course, **{title}**.".strip()
        subject = subject_of(asked, terms=(await self._services.syllabus(turn.course)).names)
        callback_context.state.update(
            state.changes(last_question=asked, last_subject=subject or state.last_subject)
        )
        return _calls("retrieve_context", [{"query": query, "top_k": MOST_RESULTS} for query in turn.queries])

    def _told(self, callback_context: CallbackContext, state: SessionState) -> str:
        """What the learner has heard by now, as far back as anybody remembers."""
        heard = conversation(callback_context.session, since_turn=state.history_reset_turn)
        recent = heard[-self._services.settings.max_history :]
        return "\n".join([state.explanation, *(text for role, text in recent if role != "user")])

    async def _answering_course(self, queries: Sequence[str], state: SessionState) -> str:
        """This course where it answers well, else the one that answers best; this one when none does."""
        others = [course.name for course in await self._services.library.courses()]
        best, most = state.course or next(iter(others), ""), 0.0
        for name in dict.fromkeys([state.course, *others] if state.course else others):
            found = [
                await self._services.library.retrieve(query, top_k=MOST_RESULTS, scope=Scope(course=name))
                for query in queries
            ]
            names = (await self._services.syllabus(name)).names
            grounding = is_answerable(queries[0], merged(found), terms=names)
            is_here = name == state.course
            if is_here and grounding.answerable and grounding.confidence >= _WELL_ANSWERED:
                return name
            worth = grounding.confidence + (_OWN_COURSE if is_here else 0.0)
            if grounding.answerable and worth > most:
                best, most = name, worth
        return best

    async def _brief(self, callback_context: CallbackContext, state: SessionState) -> CoordinatorBrief:
        turn = self._services.turns.of(callback_context.invocation_id)
        syllabus = await self._services.syllabus(turn.course or state.course)
        # ADK runs several calls at once, so the first to come back may be any of them.
        asked = turn.queries or tuple(turn.found)
        history = window(
            conversation(callback_context.session, since_turn=state.history_reset_turn),
            most_messages=self._services.settings.max_history,
        )
        turn.was_cut = history.was_cut
        return CoordinatorBrief(
            history=history.messages,
            question=asked[0] if asked and asked[0] else turn.meant,
            passages=tuple(turn.retrieved_results.values()),
            course_topics=tuple(syllabus.topic_names()),
            terms=syllabus.names,
            already_said=turn.already_said,
        )

    def _message(self, callback_context: CallbackContext) -> str:
        return self._services.turns.of(callback_context.invocation_id).meant


def situation_of(state: SessionState, syllabus: Syllabus) -> Situation:
    """What the conversation knows that a message does not say."""
    question = state.pending_question
    is_open = question is not None and not state.quiz_paused
    return Situation(
        place="question" if is_open else "lesson" if state.explanation else "idle",
        question=OpenQuestion(
            kind=question.kind,
            text=question.question_text,
            options=question.options,
            expected=question.expected_answer,
        )
        if question and is_open
        else None,
        is_paused=question is not None and state.quiz_paused,
        awaiting=_awaiting(state),
        doubtful=state.doubtful_message,
        choices=tuple(state.choices) or _plan_steps(state),
        topic_names=(*syllabus.topic_names(), *syllabus.names),
        tongue=syllabus.tongue,
    )


def _awaiting(state: SessionState) -> Awaiting:
    if state.pending_task:
        return cast("Awaiting", f"task_{state.pending_task.waiting_for}")
    if state.doubtful_message:
        return "doubt"
    if state.self_check_answer and state.pending_question and not state.quiz_paused:
        return "comparison"
    return "suggestion" if state.suggestion else ""


def _plan_steps(state: SessionState) -> tuple[Choice, ...]:
    """The steps of a plan that was just shown: 'start with the second one' picks from them."""
    if state.last_routed_to != "pathplanner" or state.pending_question:
        return ()
    steps = _STEP.findall(str(state.last_response.get("answer", "")))
    return tuple(Choice(label=step, action="teach", topic=step) for step in steps)


def _last_exchange(state: SessionState) -> list[tuple[str, str]]:
    """What 'it' and 'the second one' can point at: the last question about the course, and its answer."""
    if not state.last_question:
        return []
    return [("user", state.last_question), ("assistant", str(state.last_response.get("answer", "")))]


def _is_doubtful(intent: Intent, message: str) -> bool:
    """Whether a model would know better what was meant."""
    if intent.action in ("foreign", "unsure"):
        return True
    is_foreign = len(message.split()) >= _ENOUGH_WORDS and language_of(message) not in ("", "en")
    return intent.action != "empty" and (intent.confidence < _SURE or is_foreign)


def _complete(draft: Draft, reply: str) -> None:
    """Give the draft what it has not heard yet: a front end that does not stream hears all at once."""
    if not draft.raw:
        draft.feed(reply)
    draft.finish()


def _is_unknown(reply: str) -> bool:
    return bool(_UNKNOWN.match(reply.strip())) or NO_INFORMATION in reply


def _just_retrieved(llm_request: LlmRequest) -> bool:
    last = llm_request.contents[-1] if llm_request.contents else None
    return any(part.function_response for part in (last.parts or [])) if last else False


def _with_question(text: str, state: SessionState) -> str:
    if state.pending_question is None or state.quiz_paused:
        return text
    return f"{text}\n\n---\n\n{question_again(state)}"


def _text(response: LlmResponse) -> str:
    return _raw(response).strip()


def _raw(response: LlmResponse) -> str:
    parts = response.content.parts if response.content else None
    return "".join(part.text for part in parts or [] if part.text and not part.thought)


def _calls(tool: str, uses: Sequence[dict[str, Any]]) -> LlmResponse:
    parts = [types.Part(function_call=types.FunctionCall(name=tool, args=use)) for use in uses]
    return LlmResponse(content=types.Content(role="model", parts=parts))


def _words(text: str) -> types.Content:
    return types.Content(role="model", parts=[types.Part(text=text)])
