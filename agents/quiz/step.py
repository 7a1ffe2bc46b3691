"""The quiz: writes questions from the passages, asks them one at a time, and grades the answers."""

from collections.abc import AsyncGenerator
from typing import cast

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from pydantic import ValidationError

from agents.lesson import chapter_concepts, glossary_passages, leave_cycle, lesson_passages, open_cycle
from agents.quiz.dispute import (
    Ruling,
    amended,
    apply_ruling,
    last_answer,
    model_ruling,
    rule,
    ruling_text,
)
from agents.quiz.grading import Grade
from agents.quiz.item_render import question_again, render_question
from agents.quiz.marking import (
    code_grade,
    comparison,
    ledger_row,
    model_grade,
    reaction,
    response,
    self_grade,
)
from agents.quiz.skill import JudgeBrief, Verdict, WriteBrief, WrittenQuiz, own_items
from agents.speech import Step, message_of
from agents.state import QuestionKind, QuizQuestion, QuizResponse, SessionState
from agents.teaching.questions.writing import FEWEST_QUESTIONS, difficulties_for, replace_rejected
from storage.ledger import Evidence

_CHOICES = ("multiple_choice", "true_false", "ordering")


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

    async def _begin(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        questions = await self._write(ctx, state)
        if len(questions) < FEWEST_QUESTIONS:
            text = (
                f"The course says too little about {state.current_topic} for a fair quiz, so I won't guess at one. "
                "Ask me anything about it, or name another topic."
            )
            await leave_cycle(self.services, state, user_id=ctx.user_id)
            changes = state.changes(learning_phase="", open_cycle_id=None)
            async for event in self.say(ctx, text, changes=changes, escalate=True):
                yield event
            return
        cycle = state.open_cycle_id
        if cycle is None:  # the learner went straight to the questions, so no tutor has opened it
            cycle = await open_cycle(self.services, state, user_id=ctx.user_id, session_id=ctx.session.id)
        changes = state.changes(
            open_cycle_id=cycle,
            quiz_questions=questions,
            quiz_question_index=0,
            question_asked_at=self.services.now(),
            hints_given=0,
        )
        text = render_question(questions[0], number=1, total=len(questions))
        async for event in self.say(ctx, text, changes=changes, escalate=True):
            yield event

    async def _write(self, ctx: InvocationContext, state: SessionState) -> list[QuizQuestion]:
        """The model's questions as far as the linter lets them pass; ours in the place of the others."""
        brief = await self._write_brief(ctx, state)
        spoken = await self.speak(ctx, brief)
        try:
            written = WrittenQuiz.model_validate_json(spoken.text).items
        except ValidationError:
            return own_items(brief)
        items = [
            QuizQuestion(question_id=item.question_id, **item.model_dump()) for item in written[: brief.count]
        ]
        checked = replace_rejected(
            items, passages=brief.passages, concepts=brief.concepts, avoid=brief.avoid, seed=brief.seed
        )
        return checked if len(checked) >= FEWEST_QUESTIONS else own_items(brief)

    async def _write_brief(self, ctx: InvocationContext, state: SessionState) -> WriteBrief:
        syllabus = await self.services.syllabus(state.course)
        asked = [row.question_id for row in await self.services.ledger.of(ctx.user_id, course=state.course)]
        return WriteBrief(
            concepts=chapter_concepts(state, syllabus),
            count=state.quiz_length,
            difficulties=difficulties_for(state.learner_level),
            topic_concepts=tuple(state.topic_concepts),
            focus=await self._focus(ctx, state),
            missed=tuple(state.improvement_areas),
            avoid=tuple(dict.fromkeys(reversed(asked)))[::-1],
            told="\n\n".join([*state.earlier_explanations, state.explanation]).strip(),
            seed=len(asked),
            passages=(
                *await lesson_passages(state, self.services),
                *await glossary_passages(state, self.services),
            ),
        )

    async def _focus(self, ctx: InvocationContext, state: SessionState) -> tuple[str, ...]:
        """What was missed, then what else of the topic is not mastered yet or due for review."""
        now = self.services.now()
        rows = await self.services.learners.mastery(ctx.user_id, course=state.course)
        settled = {
            row.concept_name
            for row in rows
            if row.mastered and (row.review_due_at is None or row.review_due_at > now)
        }
        still_open = [name for name in state.topic_concepts if name not in settled]
        return tuple(dict.fromkeys([*state.improvement_areas, *still_open])) or tuple(state.topic_concepts)

    async def _mark(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        question = state.quiz_questions[state.quiz_question_index]
        marked = await self._marked(ctx, state, question)
        if marked is None:
            text, changes = _unmarked(state, question, state.confirmed_answer or message_of(ctx))
            async for event in self.say(ctx, text, changes=changes, escalate=True):
                yield event
            return
        async for event in self._go_on(ctx, state, question, marked):
            yield event

    async def _marked(
        self, ctx: InvocationContext, state: SessionState, question: QuizQuestion
    ) -> QuizResponse | None:
        """The mark of this turn's message; None when only the learner can tell."""
        now = self.services.now()
        if state.quiz_command == "skip":
            nothing = Grade(is_correct=False, score=0.0, reason="", confident=True)
            return response(question, "", nothing, grader="skipped", state=state, now=now)
        answer, grade, grader = await self._graded(ctx, state, question)
        if grade is None:
            return None
        marked = response(question, answer, grade, grader=grader, state=state, now=now)
        row = ledger_row(
            question, marked, state=state, user_id=ctx.user_id, session_id=ctx.session.id, now=now
        )
        evidence = await self.services.ledger.append(row)
        self.services.turns.of(ctx.invocation_id).answers.append(marked)
        return marked.model_copy(update={"evidence_id": evidence.id})

    async def _graded(
        self, ctx: InvocationContext, state: SessionState, question: QuizQuestion
    ) -> tuple[str, Grade | None, str]:
        """Code first; a large model where code is unsure; the learner where there is none."""
        message = (
            "I don't know" if state.quiz_command == "give_up" else state.confirmed_answer or message_of(ctx)
        )
        if state.self_check_answer and state.quiz_command != "give_up":
            # The course's words are on the screen by now: another answer would only repeat them.
            return state.self_check_answer, self_grade(message), "learner"
        syllabus = await self.services.syllabus(state.course)
        grade = code_grade(question, message, concept_names=syllabus.names)
        if grade.confident:
            return message, grade, "code"
        if not self.services.has_large_model:
            return message, None, ""
        verdict = await self._judge(ctx, question, message)
        return (message, model_grade(verdict), "model") if verdict else (message, grade, "code")

    async def _judge(
        self, ctx: InvocationContext, question: QuizQuestion | Evidence, answer: str, *, argument: str = ""
    ) -> Verdict | None:
        brief = JudgeBrief(
            question=question.question_text,
            kind=cast(QuestionKind, question.kind),
            options=question.options,
            expected_answer=question.expected_answer,
            passage=question.source_context,
            answer=answer,
            argument=argument,
        )
        spoken = await self.speak(ctx, brief)
        try:
            return Verdict.model_validate_json(spoken.text)
        except ValidationError:
            return None

    async def _go_on(
        self, ctx: InvocationContext, state: SessionState, question: QuizQuestion, marked: QuizResponse
    ) -> AsyncGenerator[Event, None]:
        """React, then ask the next question, or leave the floor to the feedback."""
        responses = [*state.quiz_responses, marked]
        index = state.quiz_question_index + 1
        total = len(state.quiz_questions)
        is_over = index >= total
        said = reaction(question, marked, number=index)
        if not is_over:
            said += "\n\n" + render_question(state.quiz_questions[index], number=index + 1, total=total)
        changes = state.changes(
            quiz_responses=responses,
            quiz_question_index=index,
            quiz_score=sum(each.is_correct for each in responses) / total,
            quiz_command="",
            self_check_answer="",
            unread_answer="",
            confirmed_answer="",
            hints_given=0,
            question_asked_at=self.services.now(),
            learning_phase="feedback" if is_over else "quiz",
            suggestion="",
        )
        async for event in self.say(ctx, said, changes=changes, escalate=not is_over):
            yield event

    async def _look_again(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        """'I disagree': judge the last answer anew, and go back to where we were."""
        answer = last_answer(await self.services.ledger.of(ctx.user_id, course=state.course))
        if isinstance(answer, str):
            said, changes = answer, state.changes(quiz_command="")
        else:
            ruling = await self._ruling(ctx, answer)
            said, changes = ruling_text(answer, ruling), await self._after(state, answer, ruling)
        if state.pending_question and not state.quiz_paused:
            said += f"\n\n---\n\n{question_again(state)}"
        async for event in self.say(ctx, said, changes=changes, escalate=True):
            yield event

    async def _ruling(self, ctx: InvocationContext, answer: Evidence) -> Ruling:
        argument = message_of(ctx)
        if self.services.has_large_model and not answer.is_correct:
            verdict = await self._judge(ctx, answer, answer.learner_answer, argument=argument)
            if verdict:
                return model_ruling(answer, verdict)
        syllabus = await self.services.syllabus(answer.course)
        return rule(answer, argument=argument, concept_names=syllabus.names)

    async def _after(self, state: SessionState, answer: Evidence, ruling: Ruling) -> dict[str, object]:
        """What follows from the ruling: the ledger, mastery, and the score of the quiz under way."""
        await apply_ruling(self.services, answer, ruling, threshold=state.mastery_threshold)
        responses = amended(state.quiz_responses, answer, ruling)
        return state.changes(
            quiz_command="",
            quiz_responses=responses,
            quiz_score=sum(each.is_correct for each in responses) / max(1, len(state.quiz_questions)),
        )


def _unmarked(state: SessionState, question: QuizQuestion, message: str) -> tuple[str, dict[str, object]]:
    """What to say to an answer without a mark: own words the learner compares, a choice is asked for again."""
    if question.kind in _CHOICES:
        shown = render_question(
            question, number=state.quiz_question_index + 1, total=len(state.quiz_questions)
        )
        text = f"I can't tell which answer you mean, so nothing was graded.\n\n{shown}"
        return text, state.changes(unread_answer=message, confirmed_answer="")
    kept = state.self_check_answer or message
    return comparison(question), state.changes(self_check_answer=kept, confirmed_answer="")
