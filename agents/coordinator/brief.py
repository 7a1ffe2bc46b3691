"""The coordinator's turn: code routes and serves what it is sure of; of the rest the model decides, with tools."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from google.adk.tools.tool_context import ToolContext

from agents import lesson_place
from agents.briefing import clip, fenced, fitting, learner_block
from agents.citations import with_sources
from agents.conversation import FORGOTTEN, conversation, last_message, window
from agents.coordinator.desk import COURSE_KEY, usual_course
from agents.coordinator.intents import ACTIONS, ROUTES, Action, Intent, understand
from agents.coordinator.offline import (
    CourseQuestion,
    GroundedAnswer,
    asked_thing,
    grounded_answer,
    is_answerable,
    no_information,
)
from agents.coordinator.question import resolve, search_queries, subject_of
from agents.coordinator.routing import decide
from agents.coordinator.search import look_up
from agents.coordinator.visit import Decision, HandOver, LookUp, Visit, last_exchange, numbered, situation_of
from agents.language.understanding import language_of
from agents.learner_record import restore, threshold_given
from agents.models.voice import ModelFailureError
from agents.quiz.offline import with_question
from agents.repair import Draft
from agents.said import Said, one_after_another
from agents.speaking import SEARCH, Brief, Move, unable
from agents.state import SessionState
from agents.turn import NO_INFORMATION, Clarification, ReasoningTrace
from rag.index import Scope
from rag.retriever import RetrievalToolResponse, checked_query, merged

logger = logging.getLogger(__name__)

WITHOUT_MARKS = "Your last answer had no passage number in it. Write it again, with the number, like [1], behind what comes from a passage; or begin with [0] if the passages do not hold the answer."
ENOUGH_WORDS = 3  # to tell a language by
_SURE = 0.6
_WELL_ANSWERED = 0.95  # no other course is asked from here on
_OWN_COURSE = 0.01  # what an answer of this one is ahead
_PASSAGE_TOKENS = 2000  # of the 3,000 of an answer's brief
_TOLD = 800  # characters
_MOST_TOPICS = 40
_MEANWHILE = "While I am still thinking about it, this is what the course says:"
_AS_READ = "what the course says above has to do"
_UNKNOWN = re.compile(r"\[0\]\s*")  # a model's mark for what the passages do not hold
# An offer outlives these; whoever speaks of something else does not mean it with a later yes.
_BESIDE_AN_OFFER = ("thanks", "small_talk", "unclear", "empty", "progress", "help", "tasks")


def is_doubtful(intent: Intent, message: str) -> bool:
    """Whether a model would know better what was meant."""
    if intent.action in ("foreign", "unsure"):
        return True
    is_foreign = len(message.split()) >= ENOUGH_WORDS and language_of(message) not in ("", "en")
    return intent.action != "empty" and (intent.confidence < _SURE or is_foreign)


class CoordinatorBrief(Brief):
    """One message at the coordinator."""

    prompt = "coordinator/prompt.md"
    task = "answer"
    instead = "this is what the course itself says"
    found_tokens = _PASSAGE_TOKENS

    async def prepare(self) -> Move | None:
        self.course = ""  # the one that is searched, where it is not the learner's own
        self.failed: RetrievalToolResponse | None = None  # what could not be looked up
        self._changes: dict[str, Any] = {}
        self._looked_up: LookUp | None = None
        self._already_said = ""  # what the answer should not repeat
        self._lead = ""  # said before the answer
        self._own: GroundedAnswer | None = None  # in the course's own words
        self._was_read = False
        self._acted: list[Move] = []  # what the model's tools have decided
        self._unsure: Intent | None = None  # what code took the message for
        self.state = await self._whole_state()
        intent = await self._understand()
        if is_doubtful(intent, self.turn.meant):
            self._unsure, self.task = intent, "route"
            self.instead = ""
            return None
        return await self._decide(intent)

    def apologise(self, err: Exception) -> Move:
        changes = {"last_routed_to": "coordinator", "routing_reason": "it failed"}
        return replace(super().apologise(err), changes=changes, escalate=False)

    # What the model is told, and what becomes of its words.

    async def told(self) -> Sequence[str]:
        block = await learner_block(self.services, self.state, self.ctx.session, user_id=self.ctx.user_id)
        topics = (await self.services.syllabus(self.state.course)).topic_names()
        parts = [f"The course covers: {'; '.join(topics[:_MOST_TOPICS])}.", block]
        if self.state.quiz_paused:
            parts.append("A quiz is paused.")
        if self.state.suggestion:
            parts.append(f"You have offered: {self.state.suggestion}.")
        parts.append(f"They say:\n{fenced(clip(self.turn.meant, most=2000))}")
        return parts

    @property
    def message(self) -> str:
        """Fenced in the brief, where nothing in it passes for an order."""
        return "Answer the learner's message, or use the tools to do what it asks for."

    async def instruction(self) -> str:
        told = await super().instruction()
        if self._looked_up is None:
            return told
        parts = [f"It means: {self._looked_up.question}"]
        if self._already_said:
            parts.append(
                f"They have been told, so say it another way:\n{fenced(clip(self._already_said, most=_TOLD))}"
            )
        return "\n\n".join([told, *parts])

    @property
    def known(self) -> str:
        return f"{' '.join(self.turn.sources.found)} {self.turn.meant}"

    def feed(self, piece: str) -> str:
        """Before anything was looked up nobody knows yet whether the words will stand."""
        shown = super().feed(piece)
        return shown if self._looked_up or self.passages else ""

    @property
    def is_looking_up(self) -> bool:
        """Whether it is code that wants to know."""
        return self._looked_up is not None

    @property
    def _has_asked(self) -> bool:
        return any(call.tool_name == SEARCH for call in self.turn.tool_calls)

    @property
    def _has_searched(self) -> bool:
        return any(self.turn.sources.found)

    async def go_on(self) -> Move | None:
        if self.failed is not None:
            return self._look_up_failed(self.failed)
        if self._acted:
            return self._together()
        self.take_found()
        if not self.passages and self._looked_up:
            return self._answered(await self._own_answer())
        self.instead = CoordinatorBrief.instead
        return None

    async def meanwhile(self) -> str:
        if not self._has_searched:
            return ""
        self._own = await self._own_answer()
        self._was_read, self.instead = True, _AS_READ
        self.turn.sources.cite(self._own.sources)
        return f"{_MEANWHILE}\n\n{self._own.text}"

    async def offline(self) -> Move | None:
        if self._acted:
            return self._together()
        if self._unsure and not self._has_searched:
            unsure, self._unsure = self._unsure, None
            if decided := await self._decide(unsure):
                return decided
        if self._was_read:
            return Move(text=with_question("", self.state), changes=self._changes)
        if self._looked_up and self._looked_up.instead and not self._has_searched:
            return await self._carry_out(self._looked_up.instead, self._intent)
        return self._answered(await self._own_answer(), is_offline=True)

    async def heard(self, text: str) -> Move:
        if not (self._has_searched or self.passages):
            return self._answered(
                GroundedAnswer(said=Said.of(self.commented(text))), is_about_course=self._has_asked
            )
        draft = self.finished(text)
        if not draft.is_grounded and not _is_unknown(text):
            self.turn.model.replaced("no_marks", text[:200])
            text = await self.again(text, WITHOUT_MARKS)
            draft = Draft(self.passages, known=self.known)
            draft.feed(text)
            draft.finish()
        if _is_unknown(text):
            rest = _UNKNOWN.sub("", text).strip()
            is_said = NO_INFORMATION in rest
            question = await self._course_question()
            unknown = no_information(asked_thing(question.question), course=question.course)
            return self._answered(
                GroundedAnswer(said=Said.of(rest if is_said else f"{unknown} {rest}".strip()))
            )
        if not draft.is_grounded:
            raise ModelFailureError("ungrounded")
        await self.mended(draft)
        said, sources = with_sources(draft.text, self.passages)
        return self._answered(GroundedAnswer(said=said, sources=sources))

    # What the model decides by its tools.

    async def act(
        self, action: Action, tool_context: ToolContext, *, topic: str = "", manner: str = ""
    ) -> dict[str, Any]:
        """Carry out what the model takes the message for, as code carries out what it reads itself."""
        if action not in ACTIONS:
            return {"error": f"There is no '{action}'. See what the tool takes."}
        intent = Intent(
            route=ROUTES.get(action, "coordinator"),
            action=action,
            confidence=_SURE,
            reason=f"the language model reads it as '{action}'",
            topic=topic.strip(),
            manner=manner,
        )
        self.turn.trace = ReasoningTrace(
            intent=action,
            confidence=_SURE,
            alternatives=self.turn.trace.alternatives,
            reason=intent.reason,
        )
        reply = await self._decide(intent)
        if reply is None:
            return {"look_up": "The passages are in your instruction now."}
        tool_context.state.update(dict(reply.changes))
        self.state = self._after(reply.changes)
        if reply.hand_over:
            tool_context.actions.transfer_to_agent = reply.hand_over
            return {"handed_over_to": reply.hand_over}
        if reply.calls:
            [(_, args), *_rest] = reply.calls
            return {"look_up": args["query"]}
        self._acted.append(replace(reply, changes={}))
        return {"shown": str(reply.text)}

    def _together(self) -> Move:
        texts = dict.fromkeys(Said.of(each.text) for each in self._acted)
        chart = next((each.chart for each in self._acted if each.chart), None)
        return Move(text=one_after_another(*texts), chart=chart)

    # What code decides.

    async def _decide(self, intent: Intent) -> Move | None:
        self._intent = intent
        visit = Visit(
            services=self.services,
            invocation=self.ctx,
            state=self.state,
            user_id=self.ctx.user_id,
            message=self.turn.meant,
            intent=intent,
            is_repeated=self.turn.meant == last_message(self.ctx.session),
        )
        return await self._carry_out(await decide(visit), intent)

    async def _carry_out(self, decision: Decision, intent: Intent) -> Move | None:
        state, turn = self.state, self.turn
        route = decision.agent_name if isinstance(decision, HandOver) else "coordinator"
        # What was offered is gone with the next message that is about something else.
        kept = {} if intent.action in _BESIDE_AN_OFFER else {"suggestion": ""}
        noted = state.changes(
            last_routed_to=route,
            routing_reason=intent.reason,
            pending_task=state.pending_task if route == "task_manager" else None,
            doubtful_message="",
            choices=[],
            **kept,
        )
        changes = {**self._changes, **noted, **decision.changes}
        if state.open_cycle_id is not None and "open_cycle_id" in decision.changes:
            turn.closed_cycles.append("left")
        if isinstance(decision, LookUp):
            return await self._look_up(decision, changes)
        if isinstance(decision, HandOver):
            self._changes = {}
            return Move(hand_over=decision.agent_name, changes=changes)
        now_state, self._changes = self._after(changes), {}
        turn.outcome.status, turn.outcome.error = decision.status, decision.error
        turn.sources.retrieved(decision.sources)
        turn.sources.cite(decision.sources)
        labels = tuple(choice.label for choice in now_state.choices)
        turn.outcome.clarification = Clarification(
            question=str(decision.text), options=decision.options or labels
        )
        text = with_question(decision.text, now_state) if decision.shows_question else decision.text
        return Move(text=text, changes=changes, chart=decision.chart)

    async def _look_up(self, decision: LookUp, changes: dict[str, Any]) -> Move | None:
        """Ask the course that has the answer: this one, or else another, and then say which."""
        state = self.state
        if decision.instead and not decision.passages:
            return await self._carry_out(decision.instead, self._intent)
        if decision.passages:  # nothing has to be looked up
            self._looked_up, self._changes = decision, changes
            self.passages = [*fitting(decision.passages, tokens=_PASSAGE_TOKENS)]
            self.turn.sources.retrieved(decision.passages)
            return None
        terms = (await self.services.syllabus(state.course)).names
        asked = checked_query(decision.question)
        if asked == self.turn.meant:
            asked = resolve(asked, history=last_exchange(state), topic=state.current_topic, terms=terms)
        self._looked_up = replace(decision, question=asked)
        queries = search_queries(asked)
        # ADK runs the calls at once, so the first to come back may be any of them.
        self.turn.sources.found = dict.fromkeys(queries, ())
        if decision.already_said:
            self._already_said = self._heard_so_far()
        self.course = await self._answering_course(queries)
        if state.course and self.course != state.course:
            title = (await self.services.syllabus(self.course)).title
            self._lead = f"This is from another course, **{title}**."
        subject = subject_of(asked, terms=(await self.services.syllabus(self.course)).names)
        noted = state.changes(last_question=asked, last_subject=subject or state.last_subject)
        self._changes = {}
        return Move(
            calls=[("retrieve_context", {"query": query}) for query in queries], changes={**changes, **noted}
        )

    def _look_up_failed(self, failed: RetrievalToolResponse) -> Move:
        """What could not be looked up is not what the course does not have."""
        logger.warning("look-up failed: %s", failed.error)
        self.turn.outcome.status, self.turn.outcome.error = "error", failed.error
        is_theirs = failed.error == "INVALID_INPUT"
        text = failed.message or ""
        return Move(text=with_question(text if is_theirs else unable(text), self.state))

    async def _own_answer(self) -> GroundedAnswer:
        """The answer in the course's own words."""
        return grounded_answer(await self._course_question())

    async def _course_question(self) -> CourseQuestion:
        syllabus = await self.services.syllabus(self.course or self.state.course)
        courses = await self.services.library.courses()
        is_anywhere = not self.state.course and len(courses) > 1
        return CourseQuestion(
            question=next(iter(self.turn.sources.found), "") or self.turn.meant,
            passages=tuple(self.turn.sources.results.values()),
            course="" if is_anywhere else syllabus.title,
            course_topics=tuple(each.title for each in courses)
            if is_anywhere
            else tuple(syllabus.topic_names()),
            terms=syllabus.names,
            already_said=self._already_said,
        )

    def _answered(
        self, answer: GroundedAnswer, *, is_offline: bool = False, is_about_course: bool = True
    ) -> Move:
        """An answer leaves with its sources, what belongs before and after it, and the open question."""
        sources = self.turn.sources
        # Whole, however much of them a model was shown.
        sources.cite(sources.results[source.chunk_id] for source in answer.sources)
        said = answer.said
        if is_about_course and not sources.citations:
            sources.none_answers()
            if NO_INFORMATION not in answer.text:
                said = Said.of(f"{NO_INFORMATION} about that in this course. {answer.text}")
            if otherwise := self._looked_up.otherwise if self._looked_up else ():
                other = f"If you meant something else, say its number:\n\n{numbered(otherwise)}"
                said = one_after_another(said, other)
                self._changes |= self.state.changes(choices=list(otherwise), doubtful_message=self.turn.meant)
        own_lead = self._looked_up.lead if self._looked_up and is_offline else ""
        if lead := f"{own_lead} {self._lead}".strip():
            said = one_after_another(lead, said)
        history = window(
            conversation(self.ctx.session, since_turn=self.state.history_reset_turn),
            most_messages=self.services.settings.max_history,
        )
        if history.was_cut:
            said = one_after_another(said, FORGOTTEN)
        return Move(text=with_question(said, self.state), changes=self._changes)

    # What is known of the learner and the message.

    async def _whole_state(self) -> SessionState:
        """The session's state; a new session of a known learner gets what the database remembers."""
        values = self.ctx.session.state
        state = SessionState.of(values)
        if healing := SessionState.healing(values):
            logger.warning("healed %s of session %s", ", ".join(healing), self.ctx.session.id)
            self._changes |= healing
        if ended := state.without_what_was_said(self.services.now() - self.services.retention):
            state = self._with(ended)
        if state.user_id == self.ctx.user_id:
            if not state.course or (await self.services.syllabus(state.course)).documents:
                return await self._with_threshold(await self._where_it_is_by_now(state))
            # A teacher has removed the course since: its lesson is over, and another one may be there.
            state = self._with(state.without_lesson(course=""))
        user_id = self.ctx.user_id
        remembered = state.course or str(values.get(COURSE_KEY) or "")
        course = await usual_course(self.services, user_id, remembered=remembered)
        state = await self._with_threshold(state.model_copy(update={"course": course}))
        changes = await restore(self.services, state, user_id=user_id, session_id=self.ctx.session.id)
        return self._with(changes)

    async def _with_threshold(self, state: SessionState) -> SessionState:
        """The state with the threshold that counts; a client that wrote a lower one is told."""
        given, note = threshold_given(await self.services.thresholds(self.ctx.user_id), state)
        self.turn.notes += [note] if note else []
        self._changes |= given
        return state.model_copy(update=given)

    async def _where_it_is_by_now(self, state: SessionState) -> SessionState:
        """The session's lesson as another session of the same learner has left it."""
        user_id, session_id = self.ctx.user_id, self.ctx.session.id
        place = await lesson_place.moved_on(self.services, state, user_id=user_id, session_id=session_id)
        way = (
            await lesson_place.back_to(self.services, state, place, session_id=session_id) if place else None
        )
        return self._with(way.changes) if way else state

    def _with(self, changes: Mapping[str, Any]) -> SessionState:
        """The state with these changes, which leave with the reply."""
        self._changes |= changes
        return self._after(changes)

    def _after(self, changes: Mapping[str, Any]) -> SessionState:
        return SessionState.of({**self.ctx.session.state, **self._changes, **changes})

    async def _understand(self) -> Intent:
        state, turn = self.state, self.turn
        syllabus = await self.services.syllabus(state.course)
        message = turn.meant
        intent = understand(message, situation_of(state, syllabus, run=self.ctx.run_config))
        spoken = intent.language or language_of(message)
        if spoken and spoken != state.language and len(message.split()) >= ENOUGH_WORDS:
            self.state = self._with(state.changes(language=spoken))
        turn.kept_message = intent.kept
        turn.trace = ReasoningTrace(
            intent=intent.action,
            confidence=intent.confidence,
            alternatives=intent.alternatives,
            reason=intent.reason,
        )
        return intent

    def _heard_so_far(self) -> str:
        """What the learner has heard by now, as far back as anybody remembers."""
        heard = conversation(self.ctx.session, since_turn=self.state.history_reset_turn)
        recent = heard[-self.services.settings.max_history :]
        return "\n".join([self.state.explanation, *(text for role, text in recent if role != "user")])

    async def _answering_course(self, queries: Sequence[str]) -> str:
        """This course where it answers well, else the one that answers best; this one when none does."""
        state = self.state
        others = [course.name for course in await self.services.library.courses()]
        best, most = state.course or next(iter(others), ""), 0.0
        for name in dict.fromkeys([state.course, *others] if state.course else others):
            settings, names = self.services.settings, (await self.services.syllabus(name)).names
            found = [
                await look_up(
                    self.services.library,
                    query,
                    top_k=settings.top_k,
                    threshold=settings.score_threshold,
                    scope=Scope(course=name),
                    terms=names,
                )
                for query in queries
            ]
            grounding = is_answerable(queries[0], merged(found), terms=names)
            is_here = name == state.course
            if is_here and grounding.answerable and grounding.confidence >= _WELL_ANSWERED:
                return name
            worth = grounding.confidence + (_OWN_COURSE if is_here else 0.0)
            if grounding.answerable and worth > most:
                best, most = name, worth
        return best


def _is_unknown(reply: str) -> bool:
    return bool(_UNKNOWN.match(reply.strip())) or NO_INFORMATION in reply
