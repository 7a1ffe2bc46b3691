"""The coordinator: code routes what it is sure of; the model answers questions about the material."""

import logging
import re
from collections.abc import Sequence
from typing import Any, cast

from google.adk.agents.callback_context import CallbackContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from agents.coordinator.course_desk import COURSE_KEY, usual_course
from agents.coordinator.followup import resolve, subject_of
from agents.coordinator.grounding import is_answerable
from agents.coordinator.intents import Awaiting, Intent, Situation, understand
from agents.coordinator.lookup import search_queries
from agents.coordinator.routing import decide
from agents.coordinator.skill import CoordinatorBrief, grounded_answer
from agents.coordinator.visit import Decision, HandOver, LookUp, Visit
from agents.history import FORGOTTEN, conversation, window
from agents.language.understanding import OpenQuestion
from agents.prompts import fence
from agents.quiz.item_render import question_again
from agents.record import restore
from agents.services import Services
from agents.sources import with_sources
from agents.speech import trouble
from agents.state import Choice, SessionState
from agents.syllabus import Syllabus
from agents.turn import NO_INFORMATION, ReasoningTrace
from agents.tutor.citations import check_citations, cited_results
from rag.index.port import Scope
from rag.results import merged
from rag.retriever import MOST_RESULTS

logger = logging.getLogger(__name__)

_SURE = 0.6
_WELL_ANSWERED, _OWN_COURSE = (
    0.95,
    0.01,
)  # no other course is asked from here on; what an answer of this one is ahead
_STEP = re.compile(r"^\d+\. \*\*(.+?)\*\*", re.MULTILINE)
# An offer outlives these; whoever speaks of something else does not mean it with a later yes.
_BESIDE_AN_OFFER = ("thanks", "small_talk", "unclear", "empty", "progress", "help", "tasks")


class Coordinator:
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
            llm_request.append_instructions([fence(await self._brief(callback_context, state))])
            return None
        intent = await self._understand(callback_context, state)
        if self._services.has_large_model and (intent.confidence < _SURE or intent.action == "foreign"):
            llm_request.append_instructions([fence(await self._brief(callback_context, state))])
            return None
        visit = Visit(
            services=self._services,
            state=state,
            user_id=callback_context.user_id,
            message=intent.kept or self._message(callback_context),
            intent=intent,
        )
        return await self._carry_out(await decide(visit), callback_context, state, intent)

    async def after_model(
        self, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        """An answer leaves with true citations and its sources, or says that there is no information."""
        text = _text(llm_response)
        if llm_response.partial or not text:
            return None
        state = SessionState.of(callback_context.state.to_dict())
        turn = self._services.turns.of(callback_context.invocation_id)
        passages = tuple(turn.retrieved_results.values())
        if passages or NO_INFORMATION in text:
            text = await self._checked(callback_context, state, text)
            turn.cite(cited_results(text, passages))
        if turn.lead:
            text = f"{turn.lead}\n\n{text}"
        if turn.was_cut:
            text = f"{text}\n\n{FORGOTTEN}"
        said = _with_question(text, state)
        return llm_response.model_copy(update={"content": _words(said)})

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
        intent = understand(self._message(callback_context), situation_of(state, syllabus))
        turn = self._services.turns.of(callback_context.invocation_id)
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
        turn.lead = decision.lead
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
            question=asked[0] if asked and asked[0] else turn.user_query,
            passages=tuple(turn.retrieved_results.values()),
            course_topics=tuple(syllabus.topic_names()),
            terms=syllabus.names,
            already_said=turn.already_said,
        )

    async def _checked(self, callback_context: CallbackContext, state: SessionState, text: str) -> str:
        """A large model's answer as it is when every claim is cited and true; else our own."""
        brief = await self._brief(callback_context, state)
        if NO_INFORMATION in text:
            return text
        if check_citations(text, brief.passages):
            return grounded_answer(brief).text
        return with_sources(text, brief.passages, query=brief.question)

    def _message(self, callback_context: CallbackContext) -> str:
        return self._services.turns.of(callback_context.invocation_id).user_query


def situation_of(state: SessionState, syllabus: Syllabus) -> Situation:
    """What the conversation knows that a message does not say."""
    question = state.pending_question
    is_open = question is not None and not state.quiz_paused
    return Situation(
        place="question" if is_open else "lesson" if state.explanation else "idle",
        question=OpenQuestion(
            kind="short_answer" if question.kind == "recall" else question.kind,
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


def _just_retrieved(llm_request: LlmRequest) -> bool:
    last = llm_request.contents[-1] if llm_request.contents else None
    return any(part.function_response for part in (last.parts or [])) if last else False


def _with_question(text: str, state: SessionState) -> str:
    if state.pending_question is None or state.quiz_paused:
        return text
    return f"{text}\n\n---\n\n{question_again(state)}"


def _text(response: LlmResponse) -> str:
    parts = response.content.parts if response.content else None
    return "".join(part.text for part in parts or [] if part.text and not part.thought).strip()


def _calls(tool: str, uses: Sequence[dict[str, Any]]) -> LlmResponse:
    parts = [types.Part(function_call=types.FunctionCall(name=tool, args=use)) for use in uses]
    return LlmResponse(content=types.Content(role="model", parts=parts))


def _words(text: str) -> types.Content:
    return types.Content(role="model", parts=[types.Part(text=text)])
