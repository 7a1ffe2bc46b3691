"""The feedback's turn: closes a cycle, says how it went, and decides by the numbers whether the loop ends."""

from collections.abc import Sequence
from functools import partial

from agents import lesson_place
from agents.briefing import clip, fenced, learner_block
from agents.feedback.offline import Round, feedback_text, practice_text, score_line, what_comes_next
from agents.learner_record import Planner
from agents.lesson_material import close_cycle
from agents.mastery_book import lesson_of, refresh_mastery, topic_names, topic_to_go
from agents.quiz.marking import SKIPPED
from agents.speaking import Comment, Move
from agents.state import SessionState
from agents.task_manager.study_tasks import after_failed_cycles, tend
from agents.teaching import loop
from agents.teaching.evidence import VOIDED, standing
from agents.teaching.mastery import topic_mastery
from agents.teaching.mistakes import History, find_patterns, improvement_areas
from agents.teaching.thresholds import is_enough
from agents.teaching.values import part_label

_LOOKED_BACK = 200  # answers; more than any round has


class FeedbackBrief(Comment):
    """Due when the quiz is over; what is recorded is recorded before anybody speaks."""

    prompt = "feedback/prompt.md"
    task = "feedback"

    async def prepare(self) -> Move | None:
        if self.state.is_practice:
            return await self._practised()
        self.round = await self._finished()
        await self._record(self.round)
        self._noted = await self._tend_tasks(self.round)
        self.before, self.after = score_line(self.round), what_comes_next(self.round)
        return None

    async def told(self) -> Sequence[str]:
        block = await learner_block(
            self.services, self.state, self.ctx.session, user_id=self.ctx.user_id, with_talk=False
        )
        return [block, f"The quiz on {self.round.topic}:\n{fenced(_quiz_lines(self.round))}"]

    @property
    def message(self) -> str:
        return "Say how it went."

    async def offline(self) -> Move:
        return self._reply(feedback_text(self.round))

    async def heard(self, text: str) -> Move:
        return self._reply(self.around(text))

    def _reply(self, text: str) -> Move:
        said = f"{text}\n\n{self._noted}" if self._noted else text
        return Move(
            text=said,
            changes=_changes(self.state, self.round, text=text),
            escalate=self.round.outcome != "repeated",
        )

    async def _practised(self) -> Move:
        """Practice ends with its score: no rounds follow, and no lesson."""
        state, ctx = self.state, self.ctx
        await refresh_mastery(self.services, user_id=ctx.user_id, course=state.course, state=state)
        await lesson_place.end(self.services, state, user_id=ctx.user_id)
        responses = [each for each in state.quiz_responses if each.grader != VOIDED]
        text = practice_text(state.quiz_questions, responses, places=await self._places(state))
        noted = await tend(self.services, ctx, course=state.course)
        return Move(
            text=f"{text}\n\n{noted}".rstrip(),
            changes=state.without_lesson(**loop.close(cycle=0, goes_on=False), feedback_text=text),
            escalate=True,
        )

    async def _tend_tasks(self, finished: Round) -> str:
        state = self.state
        wanted = after_failed_cycles(
            topic=state.current_topic, cycle_id=state.open_cycle_id, areas=finished.areas
        )
        has_failed = finished.outcome == "limit"
        return await tend(self.services, self.ctx, course=state.course, wanted=wanted if has_failed else ())

    async def _finished(self) -> Round:
        state, ctx = self.state, self.ctx
        kept = await self.services.ledger.newest(ctx.user_id, course=state.course, most=_LOOKED_BACK)
        self._answers = standing(kept)
        before = await self._history(state, user_id=ctx.user_id)
        record = await refresh_mastery(self.services, user_id=ctx.user_id, course=state.course, state=state)
        names = topic_names(state, record.mastery)
        mastery = topic_mastery(record.mastery, names)
        after = state.model_copy(update={"learning_cycle_count": state.learning_cycle_count + 1})
        is_mastered = is_enough(mastery.score, threshold=record.threshold)
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
        chances = {name: concept.score for name, concept in mastery.per_concept.items()}
        of_topic = [question for question in state.quiz_questions if question.concept_name in chances]
        areas = improvement_areas(patterns, of_topic, chances=chances) or [mastery.weakest]
        wrong = {name for name, each in record.record.concepts.items() if each.was_missed}
        following, left = await self._what_next() if is_mastered else ("", "")
        return Round(
            topic=state.topic_label,
            questions=[each for each in state.quiz_questions if each.question_id in counted],
            responses=responses,
            mastery=mastery,
            threshold=record.threshold,
            to_go=topic_to_go(record, after),
            patterns=patterns,
            areas=[area for area in areas if area],
            gaps=[area for area in areas if area in wrong],
            cycle=state.learning_cycle_count + 1,
            max_cycles=state.max_cycles,
            next_topic=following,
            left=left,
            places=places,
        )

    async def _history(self, state: SessionState, *, user_id: str) -> History:
        rows = await self.services.learners.mastery(user_id, course=state.course)
        return History(
            chances={row.concept_name: row.mastery_score for row in rows},
            seconds=tuple(answer.time_taken_seconds for answer in self._answers),
        )

    async def _places(self, state: SessionState) -> dict[str, str]:
        ids = list(dict.fromkeys(question.chunk_id for question in state.quiz_questions if question.chunk_id))
        passages = await self.services.library.corpus.chunks_by_id(ids)
        return {
            passage.chunk_id: " › ".join(dict.fromkeys([passage.title, *passage.heading_hierarchy]))
            for passage in passages
        }

    async def _what_next(self) -> tuple[str, str]:
        """What follows on a mastered topic, and where that was left if it was begun."""
        state = self.state
        if state.topic_part < state.topic_parts:
            return part_label(state.current_topic, state.topic_part + 1, state.topic_parts), ""
        for place in await lesson_place.left(self.services, user_id=self.ctx.user_id, course=state.course):
            lesson = SessionState.of(place.lesson)
            if lesson.topic_place != state.topic_place:
                return lesson.topic_label, lesson.whereabouts
        plan = await Planner(services=self.services).next_steps(state, user_id=self.ctx.user_id)
        steps = [concept for concept in plan.concepts if concept not in state.topic_concepts]
        return (steps[0] if steps else ""), ""

    async def _record(self, finished: Round) -> None:
        state, ctx = self.state, self.ctx
        now = self.services.now()
        self.turn.closed_cycles.append(finished.outcome)
        await close_cycle(
            self.services,
            state,
            user_id=ctx.user_id,
            quiz_score=await self._score(),
            is_mastered=finished.is_mastered,
        )
        if finished.outcome != "repeated":
            await lesson_place.end(self.services, state, user_id=ctx.user_id)
        for area in () if finished.is_mastered else finished.gaps:
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

    async def _score(self) -> float:
        """The share of right answers by our own record; the session's copy is a client's to write."""
        lesson = await lesson_of(self.services, self.ctx, "quiz")
        if lesson is None or not lesson.questions:
            return 0.0
        rows = [row for row in self._answers if row.asking == lesson.asking]
        return sum(row.is_correct for row in rows) / max(len(rows), len(self.state.quiz_questions))


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
        improvement_areas=[] if finished.is_mastered else list(finished.areas),
        mastery_score=finished.mastery.score,
        **loop.close(cycle=finished.cycle, goes_on=not ends_loop),
        suggestion=finished.next_topic if ends_loop else "",
    )
