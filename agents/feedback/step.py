"""The feedback: closes a cycle, says how it went, and decides by the numbers whether the loop ends."""

from collections.abc import AsyncGenerator, Mapping
from functools import partial

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from agents.briefing import clip, fenced, learner_block, words_request
from agents.feedback.offline import Round, feedback_text, score_line, what_comes_next
from agents.learner_record import Planner
from agents.lesson_material import close_cycle
from agents.mastery_book import lesson_of, refresh_mastery
from agents.quiz.marking import SKIPPED
from agents.state import SessionState
from agents.step_agent import Step
from agents.task_manager.study_tasks import after_failed_cycles, tend
from agents.teaching import loop
from agents.teaching.evidence import VOIDED, LedgerRow, standing
from agents.teaching.mastery import ConceptMastery, topic_mastery
from agents.teaching.mistakes import History, find_patterns, improvement_areas
from agents.teaching.values import part_label


class Feedback(Step):
    """Due when the quiz is over."""

    def is_due(self, state: SessionState) -> bool:
        return state.learning_phase == "feedback" and state.quiz_command != "dispute"

    async def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        finished = await self._finished(ctx, state)
        await self._record(ctx, state, finished)
        text, was_streamed = "", False
        async for each in self._told(ctx, state, finished):
            if isinstance(each, Event):
                was_streamed = True
                yield each
            else:
                text = each
        noted = await self._tend_tasks(ctx, state, finished)
        async for event in self.say(
            ctx,
            f"{text}\n\n{noted}" if noted else text,
            changes=_changes(state, finished, text=text),
            escalate=finished.outcome != "repeated",
            was_streamed=was_streamed,
        ):
            yield event

    async def _told(
        self, ctx: InvocationContext, state: SessionState, finished: Round
    ) -> AsyncGenerator[Event | str, None]:
        draft = feedback_text(finished)
        if not self.services.has_large_model:
            yield await self.speak(ctx, draft)
            return
        block = await learner_block(self.services, state, ctx.session, user_id=ctx.user_id, with_talk=False)
        quiz = f"The quiz on {finished.topic}:\n{fenced(_quiz_lines(finished))}"
        asked = words_request(self.services, "feedback", "feedback/prompt.md", [block, quiz])
        async for each in self.comment(
            ctx, asked, before=score_line(finished), after=what_comes_next(finished), otherwise=draft
        ):
            yield each

    async def _tend_tasks(self, ctx: InvocationContext, state: SessionState, finished: Round) -> str:
        wanted = after_failed_cycles(
            topic=state.current_topic, cycle_id=state.open_cycle_id, areas=finished.areas
        )
        has_failed = finished.outcome == "limit"
        return await tend(self.services, ctx, course=state.course, wanted=wanted if has_failed else ())

    async def _finished(self, ctx: InvocationContext, state: SessionState) -> Round:
        before = await self._history(state, user_id=ctx.user_id)
        course = await refresh_mastery(self.services, user_id=ctx.user_id, course=state.course, state=state)
        mastery = topic_mastery(course, _of_topic(state, course))
        syllabus = await self.services.syllabus(state.course)
        places = await self._places(state)
        # What was voided counts for nothing, here as in the ledger.
        responses = [each for each in state.quiz_responses if each.grader != VOIDED]
        counted = {each.question_id for each in responses}
        patterns = find_patterns(
            state.quiz_questions,
            [each for each in responses if each.grader != SKIPPED],
            history=before,
            concepts=syllabus.concepts,
            places=places,
        )
        chances = {name: concept.probability for name, concept in mastery.per_concept.items()}
        of_topic = [question for question in state.quiz_questions if question.concept_name in chances]
        areas = improvement_areas(patterns, of_topic, chances=chances) or [mastery.weakest]
        wrong = {row.concept_name for row in await self._answers(state, ctx.user_id) if not row.is_correct}
        return Round(
            topic=state.topic_label,
            questions=[each for each in state.quiz_questions if each.question_id in counted],
            responses=responses,
            mastery=mastery,
            patterns=patterns,
            areas=[area for area in areas if area],
            gaps=[area for area in areas if area in wrong],
            cycle=state.learning_cycle_count + 1,
            max_cycles=state.max_cycles,
            next_topic=await self._next_topic(ctx, state) if mastery.mastered else "",
            places=places,
        )

    async def _history(self, state: SessionState, *, user_id: str) -> History:
        rows = await self.services.learners.mastery(user_id, course=state.course)
        answers = await self._answers(state, user_id)
        return History(
            chances={row.concept_name: row.mastery_score for row in rows},
            seconds=tuple(answer.time_taken_seconds for answer in answers),
        )

    async def _answers(self, state: SessionState, user_id: str) -> list[LedgerRow]:
        return standing(await self.services.ledger.of(user_id, course=state.course))

    async def _places(self, state: SessionState) -> dict[str, str]:
        ids = list(dict.fromkeys(question.chunk_id for question in state.quiz_questions if question.chunk_id))
        passages = await self.services.library.corpus.chunks_by_id(ids)
        return {
            passage.chunk_id: " › ".join(dict.fromkeys([passage.title, *passage.heading_hierarchy]))
            for passage in passages
        }

    async def _next_topic(self, ctx: InvocationContext, state: SessionState) -> str:
        if state.topic_part < state.topic_parts:
            return part_label(state.current_topic, state.topic_part + 1, state.topic_parts)
        plan = await Planner(services=self.services).next_steps(state, user_id=ctx.user_id)
        steps = [concept for concept in plan.concepts if concept not in state.topic_concepts]
        return steps[0] if steps else ""

    async def _record(self, ctx: InvocationContext, state: SessionState, finished: Round) -> None:
        now = self.services.now()
        self.services.turns.of(ctx.invocation_id).closed_cycles.append(finished.outcome)
        await close_cycle(
            self.services,
            state,
            user_id=ctx.user_id,
            quiz_score=await self._score(ctx, state),
            is_mastered=finished.mastery.mastered,
        )
        for area in () if finished.mastery.mastered else finished.gaps:
            opened = partial(
                self.services.learners.open_gap,
                ctx.user_id,
                course=state.course,
                concept_name=area,
                topic=state.current_topic,
                origin="quiz",
                now=now,
            )
            await self.services.books.attempt("a gap", opened)

    async def _score(self, ctx: InvocationContext, state: SessionState) -> float:
        """The share of right answers by our own record; the session's copy is a client's to write."""
        lesson = await lesson_of(self.services, ctx, "quiz")
        if lesson is None or not lesson.questions:
            return 0.0
        rows = [row for row in await self._answers(state, ctx.user_id) if row.asking == lesson.asking]
        return sum(row.is_correct for row in rows) / max(len(rows), len(state.quiz_questions))


def _of_topic(state: SessionState, course: Mapping[str, ConceptMastery]) -> list[str]:
    """The topic's concepts that were ever asked about, answered or skipped; of a topic without any, the quiz's.

    What the quiz, which turns to the unasked first, has no question for cannot hold the learner up.
    """
    quizzed = dict.fromkeys(question.concept_name for question in state.quiz_questions)
    asked = [name for name in state.topic_concepts if name in quizzed or name in course]
    return asked or [name for name in quizzed if name in course]


def _quiz_lines(finished: Round) -> str:
    """Each question with what was said to it and how it was judged."""
    asked = {question.question_id: question for question in finished.questions}
    return "\n".join(
        f"- {clip(asked[each.question_id].question_text)} | expected: {clip(asked[each.question_id].expected_answer)} | "
        f"they said: {clip(each.learner_answer) or 'nothing'} | {'right' if each.is_correct else 'not right'}"
        for each in finished.responses
        if each.question_id in asked
    )


def _changes(state: SessionState, finished: Round, *, text: str) -> dict[str, object]:
    ends_loop = finished.outcome != "repeated"
    return state.changes(
        feedback_text=text,
        error_patterns=list(finished.patterns),
        improvement_areas=[] if finished.mastery.mastered else list(finished.areas),
        mastery_score=finished.mastery.score,
        **loop.close(cycle=finished.cycle, goes_on=not ends_loop),
        next_topic=finished.next_topic or state.next_topic,
        suggestion=finished.next_topic if ends_loop else "",
    )
