"""The diagnostic: a few questions over the prerequisite graph, then gaps, level and what to do."""

from collections.abc import AsyncGenerator
from dataclasses import replace

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from agents.briefing import clip, fenced, learner_block, words_request
from agents.diagnostic.conclusion import (
    DiagnosticResult,
    conclude,
    conclude_new,
    conclude_skipped,
    shortcut,
)
from agents.diagnostic.probe import MOST_PROBES, ProbeState, begin, next_probe, update
from agents.diagnostic.questions import question_about
from agents.diagnostic.skill import DiagnosticBrief
from agents.diagnostic.wording import opening, result_text
from agents.feedback.evidence import BEFORE_LESSONS
from agents.lesson import glossary_passages
from agents.models.asking import read_json
from agents.models.voice import ModelFailureError
from agents.pathplanner.planner import Planner
from agents.quiz.item_render import render_question
from agents.quiz.judging import Judgement, grade_of, judge_request, judges_block
from agents.quiz.marking import code_grade, ledger_row, response
from agents.speech import Step, message_of
from agents.state import QuizQuestion, QuizResponse, SessionState
from agents.task_manager.study import for_gaps
from agents.task_manager.study_desk import tend
from agents.teaching.belief import GUESS
from agents.teaching.questions.sentences import PassageLike
from agents.turn import Repair
from storage import learner_records
from storage.course import Concept

_STRONG_FROM = 0.7
UNREAD = "unread"  # an answer that nobody could judge


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
        if is_running and not way_out:
            marked = await self._mark(ctx, state)
            state = state.model_copy(update={"diagnostic_responses": [*state.diagnostic_responses, marked]})
        topic, belief = await self._belief(state, user_id=ctx.user_id)
        question = None if way_out else await self._next_question(state, belief)
        work = (
            self._ask(ctx, state, question, topic=topic, marked=marked)
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

    async def _next_question(self, state: SessionState, belief: ProbeState) -> QuizQuestion | None:
        """A question about the concept that tells most; one that the course cannot ask about is passed over."""
        syllabus = await self.services.syllabus(state.course)
        by_name = {concept.name: concept for concept in syllabus.concepts}
        passed_over = belief
        while (concept := next_probe(passed_over)) is not None:
            found = await self._write(by_name[concept], state, concepts=syllabus.concepts)
            if found:
                return found
            passed_over = update(passed_over, concept, is_correct=belief.known[concept] >= _STRONG_FROM)
        return None

    async def _write(
        self, concept: Concept, state: SessionState, *, concepts: tuple[Concept, ...]
    ) -> QuizQuestion | None:
        here = state.model_copy(update={"topic_concepts": [concept.name]})
        own = await self.services.library.corpus.chunks_by_id([concept.chunk_id])
        passages: list[PassageLike] = [*own, *await glossary_passages(here, self.services)]
        return question_about(concept.name, passages, concepts=concepts, asked=state.diagnostic_questions)

    async def _mark(self, ctx: InvocationContext, state: SessionState) -> QuizResponse:
        question = state.diagnostic_questions[len(state.diagnostic_responses)]
        now = self.services.now()
        syllabus = await self.services.syllabus(state.course)
        answer = state.confirmed_answer or message_of(ctx)
        if state.diagnostic_command == "give_up":
            answer = "I don't know"
        grade, grader = code_grade(question, answer, concept_names=syllabus.names), "code"
        is_foreign = bool(state.language) and state.language != syllabus.tongue
        if self.services.has_large_model and not grade.is_correct and (is_foreign or not grade.confident):
            judgement = await self._judged(ctx, state, question, answer)
            grade, grader = (grade_of(judgement), "model") if judgement else (grade, UNREAD)
        marked = response(question, answer, grade, grader=grader, state=state, now=now)
        if grader == UNREAD:
            return marked  # nobody has judged it, so it counts as not asked
        row = ledger_row(
            question, marked, state=state, user_id=ctx.user_id, session_id=ctx.session.id, now=now
        )
        await self.services.ledger.append(replace(row, cycle_number=BEFORE_LESSONS))
        self.services.turns.of(ctx.invocation_id).answers.append(marked)
        return marked

    async def _judged(
        self, ctx: InvocationContext, state: SessionState, question: QuizQuestion, answer: str
    ) -> Judgement | None:
        chunks = await self.services.library.corpus.chunks_by_id([question.chunk_id])
        passage = chunks[0].chunk_text if chunks else ""
        turn = self.services.turns.of(ctx.invocation_id)
        try:
            asked = judge_request(
                question, answer, passage=passage, learner=await judges_block(self.services, state, ctx)
            )
            judgement = read_json(await self.answer_of(ctx, asked), Judgement)
        except ModelFailureError as failure:
            turn.repairs.append(Repair(action="replaced", kind=failure.cause, sentence="judgement"))
            return None
        return None if judgement and judgement.verdict == "not_an_answer" else judgement

    async def _ask(
        self,
        ctx: InvocationContext,
        state: SessionState,
        question: QuizQuestion,
        *,
        topic: str,
        marked: QuizResponse | None,
    ) -> AsyncGenerator[Event, None]:
        number = len(state.diagnostic_responses) + 1
        lead = "Noted." if marked else opening(topic, most=MOST_PROBES)
        shown = render_question(question, number=number, total=MOST_PROBES).replace(
            f"Question {number} of {MOST_PROBES}", f"Question {number}, at most {MOST_PROBES}"
        )
        changes = state.changes(
            diagnostic_questions=[*state.diagnostic_questions, question],
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
        result = {"new": conclude_new, "skip": conclude_skipped}.get(way_out or "", conclude)(belief)
        brief = _brief(result, belief, topic=topic, way_out=way_out)
        text, was_streamed = "", False
        async for each in self._told(ctx, state, brief):
            if isinstance(each, Event):
                was_streamed = True
                yield each
            else:
                text = each
        gaps = await self._record(ctx, state, result, topic=topic)
        # To whom everything is new, the first concept is no more of a gap than the last.
        wanted = () if way_out == "new" else for_gaps(gaps)
        noted = await tend(self.services, user_id=ctx.user_id, course=state.course, wanted=wanted)
        first = result.gaps[0] if result.gaps else topic
        changes = state.changes(
            prerequisite_gaps=list(result.gaps),
            learner_level=result.level,
            diagnostic_complete=True,
            diagnostic_questions=[],
            diagnostic_responses=[],
            diagnostic_command="",
            confirmed_answer="",
            suggestion=first,
            next_topic=first,
        )
        said = "\n\n".join(part for part in (text, noted, f"Shall we start with **{first}**?") if part)
        async for event in self.say(ctx, said, changes=changes, was_streamed=was_streamed):
            yield event

    async def _told(
        self, ctx: InvocationContext, state: SessionState, brief: DiagnosticBrief
    ) -> AsyncGenerator[Event | str, None]:
        if not self.services.has_large_model or not state.diagnostic_responses:
            yield (await self.speak(ctx, brief)).text if not self.services.has_large_model else brief.draft
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
            [block, f"The test before {brief.topic}:\n{fenced(answers)}\n\nConcluded: {brief.draft}"],
        )
        async for each in self.comment(ctx, asked, before="", after=brief.draft, otherwise=brief.draft):
            yield each

    async def _record(
        self, ctx: InvocationContext, state: SessionState, result: DiagnosticResult, *, topic: str
    ) -> list[learner_records.KnowledgeGap]:
        now = self.services.now()
        await self.services.learners.add_diagnostic(
            learner_records.DiagnosticResult(
                user_id=ctx.user_id,
                session_id=ctx.session.id,
                topic=topic,
                prerequisite_gaps=result.gaps,
                learner_level=result.level,
                recommendations=result.recommendations,
                timestamp=now,
            )
        )
        return [
            await self.services.learners.open_gap(
                ctx.user_id, course=state.course, concept_name=gap, topic=topic, origin="diagnostic", now=now
            )
            for gap in result.gaps
        ]


def _brief(
    result: DiagnosticResult, belief: ProbeState, *, topic: str, way_out: str | None
) -> DiagnosticBrief:
    strong = tuple(name for name, chance in belief.known.items() if chance >= _STRONG_FROM and belief.asked)
    draft = result_text(topic=topic, gaps=result.gaps, strong=strong, foundations=result.foundations)
    if way_out == "skip" and not belief.asked:
        draft = result.recommendations[0]
    return DiagnosticBrief(
        topic=topic,
        gaps=result.gaps,
        strong=strong,
        level=result.level,
        recommendations=result.recommendations,
        draft=draft,
    )
