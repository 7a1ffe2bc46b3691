"""The feedback: closes a cycle, says how it went, and decides by the numbers whether the loop ends."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from functools import partial

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from agents.asking import lesson_of
from agents.briefing import clip, fenced, learner_block, words_request
from agents.feedback.offline import FeedbackBrief, Round, feedback_text, score_line, what_comes_next
from agents.lesson import close_cycle
from agents.mastery_book import refresh_mastery
from agents.pathplanner.planner import Planner
from agents.speech import Step
from agents.state import SessionState
from agents.task_manager.study_tasks import after_failed_cycles, tend
from agents.teaching.evidence import VOIDED, standing
from agents.teaching.mastery import ConceptMastery, TopicMastery, topic_mastery
from agents.teaching.mistakes import History, find_patterns, improvement_areas
from agents.teaching.values import ErrorPattern, part_label
from agents.turn import CycleOutcome
from storage.ledger import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a finished cycle amounts to."""

    mastery: TopicMastery
    patterns: tuple[ErrorPattern, ...]
    areas: tuple[str, ...]  # to work on next
    gaps: tuple[str, ...]  # of them, what was missed; the others only want another answer
    is_last_cycle: bool
    max_cycles: int
    next_topic: str
    places: Mapping[str, str]

    @property
    def ends_loop(self) -> bool:
        return self.mastery.mastered or self.is_last_cycle

    @property
    def cycle(self) -> CycleOutcome:
        if self.mastery.mastered:
            return "mastered"
        return "limit" if self.is_last_cycle else "repeated"


class Feedback(Step):
    """Due when the quiz is over."""

    def is_due(self, state: SessionState) -> bool:
        return state.learning_phase == "feedback" and state.quiz_command != "dispute"

    async def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        outcome = await self._outcome(ctx, state)
        await self._record(ctx, state, outcome)
        brief = _brief(state, outcome)
        text, was_streamed = "", False
        async for each in self._told(ctx, state, brief):
            if isinstance(each, Event):
                was_streamed = True
                yield each
            else:
                text = each
        noted = await self._tend_tasks(ctx, state, outcome)
        async for event in self.say(
            ctx,
            f"{text}\n\n{noted}" if noted else text,
            changes=_changes(state, outcome, text=text),
            escalate=outcome.ends_loop,
            was_streamed=was_streamed,
        ):
            yield event

    async def _told(
        self, ctx: InvocationContext, state: SessionState, brief: FeedbackBrief
    ) -> AsyncGenerator[Event | str, None]:
        if not self.services.has_large_model:
            yield await self.speak(ctx, brief.draft)
            return
        block = await learner_block(self.services, state, ctx.session, user_id=ctx.user_id, with_talk=False)
        asked = words_request(
            self.services,
            "feedback",
            "feedback/prompt.md",
            [block, f"The quiz on {brief.topic}:\n{fenced(_quiz_lines(state))}"],
        )
        async for each in self.comment(
            ctx, asked, before=brief.score_line, after=brief.what_comes_next, otherwise=brief.draft
        ):
            yield each

    async def _tend_tasks(self, ctx: InvocationContext, state: SessionState, outcome: Outcome) -> str:
        has_failed = outcome.is_last_cycle and not outcome.mastery.mastered
        wanted = after_failed_cycles(
            topic=state.current_topic, cycle_id=state.open_cycle_id, areas=outcome.areas
        )
        return await tend(self.services, ctx, course=state.course, wanted=wanted if has_failed else ())

    async def _outcome(self, ctx: InvocationContext, state: SessionState) -> Outcome:
        before = await self._history(state, user_id=ctx.user_id)
        course = await refresh_mastery(
            self.services, user_id=ctx.user_id, course=state.course, threshold=self.services.threshold(state)
        )
        mastery = topic_mastery(course, _of_topic(state, course))
        syllabus = await self.services.syllabus(state.course)
        places = await self._places(state)
        answered = [each for each in state.quiz_responses if each.grader not in {"skipped", VOIDED}]
        patterns = find_patterns(
            state.quiz_questions,
            answered,
            history=before,
            concepts=syllabus.concepts,
            places=places,
        )
        chances = {name: concept.probability for name, concept in mastery.per_concept.items()}
        of_topic = [question for question in state.quiz_questions if question.concept_name in chances]
        areas = improvement_areas(patterns, of_topic, chances=chances) or [mastery.weakest]
        max_cycles = state.max_cycles
        wrong = {row.concept_name for row in await self._answers(state, ctx.user_id) if not row.is_correct}
        return Outcome(
            mastery=mastery,
            patterns=tuple(patterns),
            areas=tuple(area for area in areas if area),
            gaps=tuple(area for area in areas if area in wrong),
            is_last_cycle=state.learning_cycle_count + 1 >= max_cycles,
            max_cycles=max_cycles,
            places=places,
            next_topic=await self._next_topic(ctx, state) if mastery.mastered else "",
        )

    async def _history(self, state: SessionState, *, user_id: str) -> History:
        rows = await self.services.learners.mastery(user_id, course=state.course)
        answers = await self._answers(state, user_id)
        return History(
            chances={row.concept_name: row.mastery_score for row in rows},
            seconds=tuple(answer.time_taken_seconds for answer in answers),
        )

    async def _answers(self, state: SessionState, user_id: str) -> list[Evidence]:
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

    async def _record(self, ctx: InvocationContext, state: SessionState, outcome: Outcome) -> None:
        now = self.services.now()
        self.services.turns.of(ctx.invocation_id).closed_cycles.append(outcome.cycle)
        await close_cycle(
            self.services,
            state,
            user_id=ctx.user_id,
            quiz_score=await self._score(ctx, state),
            is_mastered=outcome.mastery.mastered,
        )
        for area in () if outcome.mastery.mastered else outcome.gaps:
            opened = partial(
                self.services.learners.open_gap,
                ctx.user_id,
                course=state.course,
                concept_name=area,
                topic=state.current_topic,
                origin="quiz",
                now=now,
            )
            await self.services.books.attempt("a gap", opened, otherwise=None)

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


def _brief(state: SessionState, outcome: Outcome) -> FeedbackBrief:
    # What was voided counts for nothing, here as in the ledger.
    responses = tuple(each for each in state.quiz_responses if each.grader != VOIDED)
    counted = {each.question_id for each in responses}
    finished = Round(
        topic=state.topic_label,
        questions=tuple(each for each in state.quiz_questions if each.question_id in counted),
        responses=responses,
        mastery=outcome.mastery,
        patterns=outcome.patterns,
        areas=outcome.areas,
        cycle=state.learning_cycle_count + 1,
        max_cycles=outcome.max_cycles,
        next_topic=outcome.next_topic,
        places=outcome.places,
    )
    return FeedbackBrief(
        topic=state.topic_label,
        right=sum(each.is_correct for each in responses),
        total=len(responses),
        mastery=outcome.mastery.score,
        is_mastered=outcome.mastery.mastered,
        is_last_cycle=outcome.is_last_cycle,
        patterns=outcome.patterns,
        next_topic=outcome.next_topic,
        draft=feedback_text(finished),
        score_line=score_line(finished),
        what_comes_next=what_comes_next(finished),
    )


def _quiz_lines(state: SessionState) -> str:
    """Each question with what was said to it and how it was judged."""
    asked = {question.question_id: question for question in state.quiz_questions}
    return "\n".join(
        f"- {clip(asked[each.question_id].question_text)} | expected: {clip(asked[each.question_id].expected_answer)} | "
        f"they said: {clip(each.learner_answer) or 'nothing'} | {'right' if each.is_correct else 'not right'}"
        for each in state.quiz_responses
        if each.question_id in asked and each.grader != VOIDED
    )


def _changes(state: SessionState, outcome: Outcome, *, text: str) -> dict[str, object]:
    return state.changes(
        feedback_text=text,
        error_patterns=list(outcome.patterns),
        improvement_areas=[] if outcome.mastery.mastered else list(outcome.areas),
        mastery_score=outcome.mastery.score,
        learning_cycle_count=state.learning_cycle_count + 1,
        open_cycle_id=None,
        learning_phase="" if outcome.ends_loop else "explain",
        next_topic=outcome.next_topic or state.next_topic,
        suggestion=outcome.next_topic if outcome.ends_loop else "",
    )
