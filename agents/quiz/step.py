"""The quiz: writes questions from the passages, asks them one at a time, and grades the answers."""

from collections.abc import AsyncGenerator, Sequence

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from agents.briefing import learner_block
from agents.lesson_material import (
    chapter_concepts,
    glossary_passages,
    leave_cycle,
    lesson_passages,
    open_cycle,
    taught_elsewhere,
)
from agents.mastery_book import NOT_ASKED, Asked, asked, first_answer, note_asked
from agents.quiz.marking import (
    SKIPPED,
    Ruling,
    amended,
    apply_ruling,
    judge,
    keep,
    last_answer,
    mark,
    model_ruling,
    rule,
    self_grade,
)
from agents.quiz.offline import comparison, reaction, render_question, ruling_text, with_question
from agents.quiz.writer import WriteBrief, Written, own_items, with_coverage, write_questions
from agents.state import SessionState
from agents.step_agent import Step, message_of
from agents.teaching import loop
from agents.teaching.evidence import CHOICES, LedgerRow, standing
from agents.teaching.grading import Grade
from agents.teaching.questions.writing import FEWEST_QUESTIONS, MOST_QUESTIONS, difficulties_for
from agents.teaching.values import QuizQuestion, QuizResponse, part_label
from storage.ledger import Dispute, Disputes

_WHILE_READING = 20.0  # seconds: so long the lesson is being read anyway, and the questions may be written
_MOST_AGAIN = 2  # second questions about what was missed; more would wear people out
_OWN_QUESTIONS = "My language model did not write the questions, so these are my own."
_NO_JUDGE = "My language model did not answer, so nothing was marked."
_NO_ANSWER = "I took that for no answer, so nothing was marked."


class Quiz(Step):
    """Due from the end of the explanation until the last answer."""

    def is_due(self, state: SessionState) -> bool:
        return state.learning_phase == "quiz" or state.quiz_command == "dispute"

    async def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        if state.quiz_command == "dispute":
            work = self._look_again(ctx, state)
        else:
            work = self._mark(ctx, state) if state.quiz_questions else self._begin(ctx, state)
        async for event in work:
            yield event

    async def _begin(
        self, ctx: InvocationContext, state: SessionState, *, lead: str = ""
    ) -> AsyncGenerator[Event, None]:
        questions, remark = await self._write(ctx, state)
        if len(questions) < FEWEST_QUESTIONS:
            following = (
                part_label(state.current_topic, state.topic_part + 1, state.topic_parts)
                if state.topic_part < state.topic_parts
                else ""
            )
            text = (
                f"The course says too little about {state.topic_label} for a fair quiz, so I won't guess at one. "
                + (
                    f"It goes on with **{following}**. Shall we?"
                    if following
                    else "Ask me anything about it, or name another topic."
                )
            )
            await leave_cycle(self.services, state, user_id=ctx.user_id)
            changes = state.changes(**loop.leave(), suggestion=following)
            async for event in self.say(ctx, text, changes=changes, escalate=True):
                yield event
            return
        cycle = state.open_cycle_id
        if cycle is None:  # the learner went straight to the questions, so no tutor has opened it
            cycle = await open_cycle(self.services, state, user_id=ctx.user_id, session_id=ctx.session.id)
        await note_asked(self.services, ctx, state, kind="quiz", questions=questions, is_new=True)
        changes = state.changes(
            **loop.ask(questions, cycle_id=cycle),
            question_asked_at=self.services.now(),
            hints_given=0,
        )
        shown = render_question(questions[0], number=1, total=len(questions))
        text = "\n\n".join(part for part in (lead, remark, shown) if part)
        async for event in self.say(ctx, text, changes=changes, escalate=True):
            yield event

    async def _write(self, ctx: InvocationContext, state: SessionState) -> tuple[list[QuizQuestion], str]:
        """The questions, and what there is to say about them."""
        brief = await self._write_brief(ctx, state)
        if not self.services.has_large_model:
            return own_items(brief), ""
        rows = await self.services.ledger.of(ctx.user_id, course=state.course)
        work = write_questions(
            self.services.model,
            brief,
            learner=await learner_block(
                self.services, state, ctx.session, user_id=ctx.user_id, with_talk=False
            ),
            earlier=[row.question_text for row in rows],
            is_slow=self.services.model_is_slow,
        )
        self.services.writing.begin(ctx.session.id, _lesson(state), work)
        seconds = 0.0 if self.services.model_is_slow else _WHILE_READING
        own = own_items(brief)
        questions, has_failed = await self._with_written(ctx, state, own, seconds=seconds, count=brief.count)
        return questions, _OWN_QUESTIONS if has_failed else ""

    async def _with_written(
        self,
        ctx: InvocationContext,
        state: SessionState,
        own: list[QuizQuestion],
        *,
        seconds: float,
        count: int,
        asked: int = 0,
    ) -> tuple[list[QuizQuestion], bool]:
        """The quiz with the model's questions in the place of ours that were not asked yet; whether it has failed."""
        written = await self.services.writing.collect(ctx.session.id, _lesson(state), seconds=seconds)
        if not isinstance(written, Written):
            return own[:count], False
        turn = self.services.turns.of(ctx.invocation_id)
        turn.model.calls += written.calls
        turn.model.made(written.calls)
        turn.model.repairs += written.repairs
        if not written.questions:
            cause = written.failure.cause if written.failure else "invalid"
            turn.model.replaced(cause, "questions")
            return own[:count], True
        never = (await self.services.rulings(state.course)).never_asked
        new = [each for each in written.questions if each.question_id not in never]
        return with_coverage(own[:asked], [*new, *own[asked:]], count=count), False

    async def _write_brief(self, ctx: InvocationContext, state: SessionState) -> WriteBrief:
        syllabus = await self.services.syllabus(state.course)
        rows = await self.services.ledger.of(ctx.user_id, course=state.course)
        asked = [row.question_id for row in rows]
        answers = standing(rows)
        wrong = {row.concept_name for row in answers if not row.is_correct}
        open_ones = {row.concept_name for row in answers if row.kind not in CHOICES}
        passages = (
            *await lesson_passages(state, self.services),
            *await glossary_passages(state, self.services),
        )
        concepts = chapter_concepts(state, syllabus)
        focus = await self._focus(ctx, state)
        missed = tuple(name for name in state.improvement_areas if name in wrong) + await self._due(
            ctx, state
        )
        return WriteBrief(
            concepts=concepts,
            count=self._length(state, focus=focus, missed=missed),
            difficulties=difficulties_for(state.learner_level),
            topic=tuple(state.topic_concepts),
            focus=focus,
            missed=missed,
            unproven=tuple({row.concept_name: True for row in answers if row.concept_name not in open_ones}),
            avoid=tuple(dict.fromkeys(reversed(asked)))[::-1],
            never=tuple(sorted((await self.services.rulings(state.course)).never_asked)),
            told="\n\n".join([*state.earlier_explanations, state.explanation]).strip(),
            elsewhere=taught_elsewhere(syllabus, passages, here=concepts),
            seed=len(asked),
            passages=passages,
        )

    def _length(self, state: SessionState, *, focus: Sequence[str], missed: Sequence[str]) -> int:
        """So many questions that each concept gets one, and some of what was missed a second one."""
        if state.quiz_length < self.services.settings.quiz_questions:
            return state.quiz_length  # the learner has little time
        return min(MOST_QUESTIONS, max(state.quiz_length, len(focus) + min(len(missed), _MOST_AGAIN)))

    async def _due(self, ctx: InvocationContext, state: SessionState) -> tuple[str, ...]:
        """What a review is for is asked about twice, like what was missed: one right answer may be luck."""
        now = self.services.now()
        rows = await self.services.learners.mastery(ctx.user_id, course=state.course)
        due = {row.concept_name for row in rows if row.is_due(now)}
        return tuple(name for name in state.topic_concepts if name in due)

    async def _focus(self, ctx: InvocationContext, state: SessionState) -> tuple[str, ...]:
        """What was missed, then what else of the topic is not mastered yet or due for review."""
        now = self.services.now()
        rows = await self.services.learners.mastery(ctx.user_id, course=state.course)
        settled = {row.concept_name for row in rows if row.mastered and not row.is_due(now)}
        still_open = [name for name in state.topic_concepts if name not in settled]
        return tuple(dict.fromkeys([*state.improvement_areas, *still_open])) or tuple(state.topic_concepts)

    async def _mark(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        if state.quiz_question_index >= len(state.quiz_questions):
            # A state that nobody of us has left so: the answers are all in.
            async for event in self.say(ctx, "That was the last question.", changes=_over(state)):
                yield event
            return
        question = await asked(
            self.services, ctx, state.quiz_questions[state.quiz_question_index], kind="quiz"
        )
        if question is None:
            async for event in self._begin(ctx, _without_quiz(state), lead=NOT_ASKED):
                yield event
            return
        marked = await self._marked(ctx, state, question)
        if marked is None:
            text, changes = self._unmarked(ctx, state, question.question)
            async for event in self.say(ctx, text, changes=changes, escalate=True):
                yield event
            return
        async for event in self._go_on(ctx, state, question.question, marked):
            yield event

    async def _marked(self, ctx: InvocationContext, state: SessionState, asked: Asked) -> QuizResponse | None:
        """The mark of this turn's message, or of the answer that was in already; None when only the learner can tell."""
        if first := await first_answer(self.services, asked):
            return first
        if state.quiz_command == "skip":
            nothing = Grade(is_correct=False, score=0.0, reason="", confident=True)
            return await keep(self, ctx, state, asked, "", nothing, grader=SKIPPED)
        answer, grade, grader = await self._graded(ctx, state, asked.question)
        return await keep(self, ctx, state, asked, answer, grade, grader=grader) if grade else None

    async def _graded(
        self, ctx: InvocationContext, state: SessionState, question: QuizQuestion
    ) -> tuple[str, Grade | None, str]:
        """What is graded, its grade, and whose it is: the learner's own, once they have compared."""
        message = (
            "I don't know" if state.quiz_command == "give_up" else state.confirmed_answer or message_of(ctx)
        )
        if state.self_check_answer and state.quiz_command != "give_up":
            # The course's words are on the screen by now: another answer would only repeat them.
            return state.self_check_answer, self_grade(message), "learner"
        grade, grader = await mark(self, ctx, state, question, message)
        return message, grade, grader

    async def _go_on(
        self, ctx: InvocationContext, state: SessionState, question: QuizQuestion, marked: QuizResponse
    ) -> AsyncGenerator[Event, None]:
        """React, then ask the next question, or leave the floor to the feedback."""
        responses = [*state.quiz_responses, marked]
        index = state.quiz_question_index + 1
        total = len(state.quiz_questions)
        questions = state.quiz_questions
        if self.services.has_large_model and index < total:
            questions, _ = await self._with_written(
                ctx, state, questions, seconds=0, count=total, asked=index
            )
        # What a teacher has taken out since the quiz was written is not asked any more.
        never = (await self.services.rulings(state.course)).never_asked
        questions = [
            *questions[:index],
            *(each for each in questions[index:] if each.question_id not in never),
        ]
        total = len(questions)
        if questions != state.quiz_questions:
            await note_asked(self.services, ctx, state, kind="quiz", questions=questions, is_new=False)
        is_over = index >= total
        said = reaction(question, marked, number=index)
        if not is_over:
            said += "\n\n" + render_question(questions[index], number=index + 1, total=total)
        changes = state.changes(
            **loop.mark(questions, responses, index=index),
            self_check_answer="",
            unread_answer="",
            confirmed_answer="",
            hints_given=0,
            question_asked_at=self.services.now(),
            suggestion="",
        )
        async for event in self.say(ctx, said, changes=changes, escalate=not is_over):
            yield event

    async def _look_again(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        """'I disagree': judge the last answer anew, and go back to where we were."""
        answer = last_answer(await self.services.ledger.of(ctx.user_id, course=state.course))
        if isinstance(answer, str):
            said, changes = answer, state.changes(**loop.done())
        else:
            ruling = await self._ruling(ctx, state, answer)
            await self._note_dispute(ctx, answer, ruling)
            said, changes = ruling_text(answer, ruling), await self._after(state, answer, ruling)
        said = with_question(said, state)
        async for event in self.say(ctx, said, changes=changes, escalate=True):
            yield event

    async def _note_dispute(self, ctx: InvocationContext, answer: LedgerRow, ruling: Ruling) -> None:
        """For the teacher: what was said against the mark, whatever came of it."""
        noted = Dispute(
            user_id=ctx.user_id,
            course=answer.course,
            question_id=answer.question_id,
            answer_id=answer.id,
            argument=message_of(ctx),
            outcome=ruling.outcome,
            disputed_at=self.services.now(),
        )
        await Disputes(self.services.database).add(noted)

    async def _ruling(self, ctx: InvocationContext, state: SessionState, answer: LedgerRow) -> Ruling:
        argument = message_of(ctx)
        if self.services.has_large_model and not answer.is_correct:
            judgement = await judge(self, ctx, state, answer, answer.learner_answer, argument=argument)
            return model_ruling(answer, judgement)
        syllabus = await self.services.syllabus(answer.course)
        return rule(answer, argument=argument, concept_names=syllabus.names)

    async def _after(self, state: SessionState, answer: LedgerRow, ruling: Ruling) -> dict[str, object]:
        """What follows from the ruling: the ledger, mastery, and the score of the quiz under way."""
        await apply_ruling(self.services, answer, ruling, state=state)
        responses = amended(state.quiz_responses, answer, ruling)
        return state.changes(**loop.mark_again(responses, total=len(state.quiz_questions)))

    def _unmarked(
        self, ctx: InvocationContext, state: SessionState, question: QuizQuestion
    ) -> tuple[str, dict[str, object]]:
        """What to say to an answer without a mark: own words the learner compares, a choice is asked for again."""
        message = state.confirmed_answer or message_of(ctx)
        has_failed = self.services.turns.of(ctx.invocation_id).model.has_failed
        shown = render_question(
            question, number=state.quiz_question_index + 1, total=len(state.quiz_questions)
        )
        if question.kind in CHOICES:
            text = f"I can't tell which answer you mean, so nothing was graded.\n\n{shown}"
            return text, state.changes(unread_answer=message, confirmed_answer="")
        if self.services.has_large_model and not has_failed and not state.self_check_answer:
            return f"{_NO_ANSWER}\n\n{shown}", state.changes(unread_answer=message, confirmed_answer="")
        kept = state.self_check_answer or message
        text = f"{_NO_JUDGE} {comparison(question)}" if has_failed else comparison(question)
        return text, state.changes(self_check_answer=kept, confirmed_answer="")


def _without_quiz(state: SessionState) -> SessionState:
    return state.model_copy(update=loop.no_quiz())


def _over(state: SessionState) -> dict[str, object]:
    return state.changes(**loop.stop_asking(), confirmed_answer="")


def _lesson(state: SessionState) -> str:
    """Which lesson the questions are about."""
    return f"{state.course}/{state.current_topic}/{state.learning_cycle_count}"
