"""The diagnostic: a few questions over the prerequisite graph, then gaps, level and what to do."""

from collections.abc import AsyncGenerator, Collection, Sequence
from functools import partial

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from agents.briefing import clip, fenced, learner_block, words_request
from agents.diagnostic.offline import (
    NOT_COUNTED,
    STRONG_FROM,
    Conclusion,
    conclude,
    conclude_new,
    conclude_nothing,
    opening,
    result_text,
    shortcut,
)
from agents.learner_record import Planner
from agents.lesson_material import glossary_passages
from agents.mastery_book import NOT_ASKED, asked, first_answer, lesson_of, note_asked
from agents.quiz.marking import UNREAD, keep, mark
from agents.quiz.offline import question_again, render_probe
from agents.state import SessionState
from agents.step_agent import Step, message_of
from agents.task_manager.study_tasks import for_gaps, tend
from agents.teaching.diagnosis import ProbeState, begin, next_probe, update
from agents.teaching.grading import Grade
from agents.teaching.mastery import GUESS
from agents.teaching.questions.writing import CandidateItem, candidates, is_fair
from agents.teaching.values import MOST_PROBES, Concept, PassageLike, QuizQuestion, QuizResponse
from storage.learners import DiagnosticResult, KnowledgeGap

_TERM_WORDS = 4  # an answer of up to so many words names a thing, and is graded as surely as a choice


def question_about(
    concept: str,
    passages: Sequence[PassageLike],
    *,
    concepts: Sequence[Concept],
    asked: Sequence[QuizQuestion] = (),
    preface: str = "",
    never: Collection[str] = (),
) -> QuizQuestion | None:
    """The most telling question whose answer neither the preface nor an earlier question says; None without any."""
    said = "\n".join([preface, *(each.question_text for each in asked)])
    found = (
        each.item
        for each in sorted(candidates(passages, concepts=concepts), key=_noise)
        if each.item.concept_name == concept
        and each.item.question_id not in never
        and not each.is_last_resort
        and is_fair(each.item, earlier=asked, beside=said)
    )
    return next(found, None)


def _noise(candidate: CandidateItem) -> int:
    """Half of all true/false questions are guessed; an explanation in one's own words may not be judged at all."""
    item = candidate.item
    if item.kind in ("cloze", "short_answer"):
        return 0 if len(item.expected_answer.split()) <= _TERM_WORDS else 4
    if item.kind == "multiple_choice" and item.written_as == "cloze":
        return 2  # it may say little about what the thing is
    return 3 if item.kind == "true_false" else 1


class Diagnostic(Step):
    """Due whenever the coordinator hands over to it: to begin, or with an answer."""

    def is_due(self, state: SessionState) -> bool:
        return True

    async def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        marked: QuizResponse | None = None
        is_running = bool(state.diagnostic_questions)
        gives_up = state.diagnostic_command == "give_up"
        way_out = (
            None if gives_up else state.diagnostic_command or shortcut(message_of(ctx), is_asked=is_running)
        )
        lead = ""
        if is_running and not way_out:
            marked = await self._mark(ctx, state)
            if marked:
                answered = [*state.diagnostic_responses, marked]
                state = state.model_copy(update={"diagnostic_responses": answered})
            else:
                lead, state = NOT_ASKED, _as_asked(state)
        topic, belief = await self._belief(state, user_id=ctx.user_id)
        question = None if way_out else await self._next_question(state, belief, topic=topic)
        lead = lead or (_taken(marked) if marked else opening(topic))
        work = (
            self._ask(ctx, state, question, lead=lead)
            if question
            else self._conclude(ctx, state, belief, topic=topic, way_out=way_out, marked=marked)
        )
        async for event in work:
            yield event

    async def _belief(self, state: SessionState, *, user_id: str) -> tuple[str, ProbeState]:
        graph = await Planner(services=self.services).graph(state.course)
        syllabus = await self.services.syllabus(state.course)
        concepts = state.topic_concepts or [concept.name for concept in syllabus.concepts]
        rows = await self.services.learners.mastery(user_id, course=state.course)
        asked = {question.concept_name for question in state.diagnostic_questions}
        mastery = {row.concept_name: row.mastery_score for row in rows if row.concept_name not in asked}
        belief = begin(graph, concepts, mastery=mastery)
        for question, answer in zip(state.diagnostic_questions, state.diagnostic_responses, strict=False):
            if answer.grader == UNREAD:
                continue
            belief = update(
                belief, question.concept_name, is_correct=answer.is_correct, guess=GUESS[question.kind]
            )
        return state.current_topic or syllabus.title, belief

    async def _next_question(
        self, state: SessionState, belief: ProbeState, *, topic: str
    ) -> QuizQuestion | None:
        """A question about the concept that tells most; one that the course cannot ask about is passed over."""
        if len(state.diagnostic_questions) >= MOST_PROBES:  # what could not be judged is asked for, too
            return None
        syllabus = await self.services.syllabus(state.course)
        by_name = {concept.name: concept for concept in syllabus.concepts}
        passed_over = belief
        while (concept := next_probe(passed_over)) is not None:
            found = await self._write(by_name[concept], state, concepts=syllabus.concepts, topic=topic)
            if found:
                return found
            passed_over = update(passed_over, concept, is_correct=belief.known[concept] >= STRONG_FROM)
        return None

    async def _write(
        self, concept: Concept, state: SessionState, *, concepts: tuple[Concept, ...], topic: str
    ) -> QuizQuestion | None:
        here = state.model_copy(update={"topic_concepts": [concept.name]})
        own = await self.services.library.corpus.chunks_by_id([concept.chunk_id])
        passages: list[PassageLike] = [*own, *await glossary_passages(here, self.services)]
        return question_about(
            concept.name,
            passages,
            concepts=concepts,
            asked=state.diagnostic_questions,
            preface=opening(topic),
            never=(await self.services.rulings(state.course)).never_asked,
        )

    async def _mark(self, ctx: InvocationContext, state: SessionState) -> QuizResponse | None:
        """The mark of this message, or of the answer that was in already; None for what we did not ask."""
        shown = state.pending_question
        probe = await asked(self.services, ctx, shown, kind="diagnostic") if shown else None
        if probe is None:
            return None
        if first := await first_answer(self.services, probe):
            return first
        answer = state.confirmed_answer or message_of(ctx)
        if state.diagnostic_command == "give_up":
            answer = "I don't know"
        grade, grader = await mark(self, ctx, state, probe.question, answer, explains=False)
        if grade is None:  # nobody has judged it, so it counts as not asked
            grade, grader = Grade(is_correct=False, score=0.0, reason="", confident=False), UNREAD
        return await keep(self, ctx, state, probe, answer, grade, grader=grader)

    async def _ask(
        self, ctx: InvocationContext, state: SessionState, question: QuizQuestion, *, lead: str
    ) -> AsyncGenerator[Event, None]:
        questions = [*state.diagnostic_questions, question]
        await note_asked(
            self.services,
            ctx,
            state,
            kind="diagnostic",
            questions=questions,
            is_new=len(questions) == 1,
        )
        shown = render_probe(question, number=len(state.diagnostic_responses) + 1)
        changes = state.changes(
            diagnostic_questions=questions,
            diagnostic_responses=state.diagnostic_responses,
            diagnostic_complete=False,
            diagnostic_command="",
            confirmed_answer="",
            question_asked_at=self.services.now(),
        )
        async for event in self.say(ctx, f"{lead}\n\n{shown}", changes=changes):
            yield event

    async def _conclude(
        self,
        ctx: InvocationContext,
        state: SessionState,
        belief: ProbeState,
        *,
        topic: str,
        way_out: str | None,
        marked: QuizResponse | None,
    ) -> AsyncGenerator[Event, None]:
        result = _result(state, belief, topic=topic, way_out=way_out)
        draft = result_text(result, topic=topic, is_course=not state.current_topic)
        text, was_streamed = "", False
        async for each in self._told(ctx, state, draft, topic=topic):
            if isinstance(each, Event):
                was_streamed = True
                yield each
            else:
                text = each
        gaps = await self._record(ctx, state, result, topic=topic) if belief.asked or way_out == "new" else []
        # To whom everything is new, the first concept is no more of a gap than the last.
        wanted = () if way_out == "new" else for_gaps(gaps)
        noted = await tend(self.services, ctx, course=state.course, wanted=wanted)
        first = result.gaps[0] if result.gaps else await self._next_thing(ctx, state, belief)
        changes = state.with_lesson_back(
            prerequisite_gaps=list(_prerequisites(result, state)),
            learner_level=state.learner_level if result.level == "unknown" else result.level,
            diagnostic_complete=True,
            diagnostic_questions=[],
            diagnostic_responses=[],
            diagnostic_command="",
            confirmed_answer="",
            suggestion="" if state.lesson_aside else first,
            next_topic=first,
        )
        unread = NOT_COUNTED if marked and marked.grader == UNREAD and belief.asked else ""
        after = SessionState.model_validate({**dict(state), **changes})
        parts = (unread, text, noted, _what_now(after, first))
        said = "\n\n".join(part for part in parts if part)
        async for event in self.say(ctx, said, changes=changes, was_streamed=was_streamed):
            yield event

    async def _next_thing(self, ctx: InvocationContext, state: SessionState, belief: ProbeState) -> str:
        """Where to begin without a gap: with the topic itself, and in a whole course with what is not shown yet."""
        if state.current_topic:
            return state.current_topic
        plan = await Planner(services=self.services).next_steps(state, user_id=ctx.user_id)
        return plan.next_topic or (belief.concepts[0] if belief.concepts else "")

    async def _told(
        self, ctx: InvocationContext, state: SessionState, draft: str, *, topic: str
    ) -> AsyncGenerator[Event | str, None]:
        if not self.services.has_large_model or not state.diagnostic_responses:
            yield draft if self.services.has_large_model else await self.speak(ctx, draft)
            return
        block = await learner_block(self.services, state, ctx.session, user_id=ctx.user_id, with_talk=False)
        pairs = zip(state.diagnostic_questions, state.diagnostic_responses, strict=False)
        answers = "\n".join(
            f"- {clip(question.question_text)} | they said: {clip(answer.learner_answer)} | "
            f"{'right' if answer.is_correct else 'not read' if answer.grader == UNREAD else 'not right'}"
            for question, answer in pairs
        )
        asked = words_request(
            self.services,
            "diagnosis",
            "diagnostic/prompt.md",
            [block, f"The test before {topic}:\n{fenced(answers)}\n\nConcluded: {draft}"],
        )
        async for each in self.comment(ctx, asked, before="", after=draft, otherwise=draft):
            yield each

    async def _record(
        self, ctx: InvocationContext, state: SessionState, result: Conclusion, *, topic: str
    ) -> list[KnowledgeGap]:
        now = self.services.now()
        books, learners = self.services.books, self.services.learners
        lesson = await lesson_of(self.services, ctx, "diagnostic") if state.diagnostic_questions else None
        found = DiagnosticResult(
            user_id=ctx.user_id,
            session_id=ctx.session.id,
            topic=topic,
            prerequisite_gaps=_prerequisites(result, state),
            learner_level=result.level,
            recommendations=result.recommendations,
            timestamp=now,
            asking=lesson.asking if lesson else None,
        )
        await books.surely("a diagnostic", lambda: learners.add_diagnostic(found))
        opened = [
            await books.attempt(
                "a gap",
                partial(
                    learners.open_gap,
                    ctx.user_id,
                    course=state.course,
                    concept_name=gap,
                    topic=topic,
                    origin="diagnostic",
                    now=now,
                ),
            )
            for gap in result.gaps
        ]
        return [gap for gap in opened if gap]


def _as_asked(state: SessionState) -> SessionState:
    """Without what stands in the session as asked and is not in our record."""
    asked = state.diagnostic_questions[: len(state.diagnostic_responses)]
    return state.model_copy(update={"diagnostic_questions": asked})


def _prerequisites(result: Conclusion, state: SessionState) -> tuple[str, ...]:
    """The gaps below the topic, never the topic itself; in a whole course every gap is below something."""
    return result.foundations if state.topic_concepts else result.gaps


def _result(state: SessionState, belief: ProbeState, *, topic: str, way_out: str | None) -> Conclusion:
    if way_out == "new":
        return conclude_new(belief)
    if belief.asked:
        return conclude(belief)
    return conclude_nothing(topic, was_asked=bool(state.diagnostic_responses), was_skipped=way_out == "skip")


def _taken(marked: QuizResponse) -> str:
    """What is said to an answer: whether it was right stays open until the end."""
    return NOT_COUNTED if marked.grader == UNREAD else "Noted."


def _what_now(state: SessionState, first: str) -> str:
    """The next step; who was in a quiz finds its question again."""
    if state.pending_question is None:
        return f"Shall we start with **{first}**?" if first else ""
    return (
        f"Say **teach me {first}** when you want to start there. First, back to **{state.topic_label}**:"
        f"\n\n---\n\n{question_again(state)}"
    )
