"""The quiz's turn: questions from the passages, asked one at a time, and the marks on their answers."""

from collections.abc import Sequence
from typing import Any

from agents import lesson_place
from agents.briefing import fitting, learner_block
from agents.lesson_material import (
    chapter_concepts,
    current_part,
    glossary_passages,
    guides_of,
    lesson_bank,
    lesson_passages,
    open_cycle,
    part_passages,
    taught_elsewhere,
)
from agents.mastery_book import NOT_ASKED, Asked, asked, first_answer, kept_mastery, note_asked
from agents.models.voice import ModelFailureError
from agents.quiz.judging import Case, JudgingBrief
from agents.quiz.marking import (
    SKIPPED,
    Ruling,
    amended,
    apply_ruling,
    code_grade,
    grade_of,
    keep,
    last_answer,
    model_ruling,
    rule,
    self_grade,
)
from agents.quiz.offline import (
    before_question,
    comparison,
    kept_back,
    reaction,
    render_question,
    ruling_text,
    with_question,
)
from agents.quiz.writer import (
    PASSAGE_TOKENS,
    TOOL,
    WriteBrief,
    Writing,
    own_items,
    proposals_in,
    with_coverage,
)
from agents.said import one_after_another
from agents.speaking import Calls, Move, message_of
from agents.state import SessionState
from agents.teaching import loop
from agents.teaching.evidence import CHOICES, EXACT, LedgerRow, standing
from agents.teaching.grading import Grade
from agents.teaching.mistakes import is_no_answer
from agents.teaching.questions.bank import kept, weighed
from agents.teaching.questions.writing import FEWEST_QUESTIONS, MOST_QUESTIONS, difficulties_for
from agents.teaching.values import QuizQuestion, QuizResponse, part_label
from storage.ledger import Dispute, Disputes

_LOOKED_BACK = 200  # answers: what was asked before these may come again
_MOST_AGAIN = 2  # second questions about what was missed; more would wear people out
_TOLD_WHY = frozenset({"numeric", "formula", "several"})  # code says itself what is wrong with the answer
_NO_ANSWER = "I took that for no answer, so nothing was marked."
_NOT_ONE = "I can't tell which answer you mean, so nothing was graded."


class QuizBrief(JudgingBrief):
    """Due from the end of the explanation until the last answer."""

    prompt = "quiz/prompt.md"
    task = "quiz"

    async def prepare(self) -> Move | None:
        self._writing: Writing | None = None
        self._asked: Asked | None = None  # the question whose answer is to be marked
        self._disputed: LedgerRow | None = None
        self._marked: QuizResponse | None = None  # an answer whose mark is only to be explained
        self._opening = ""
        if self.state.quiz_command == "dispute":
            return await self._look_again()
        return await (self._mark() if self.state.quiz_questions else self._begin())

    # What the model is told, and what becomes of its words.

    async def told(self) -> Sequence[str]:
        if self._writing is None:
            return await super().told()
        self.passages = [
            *fitting(
                self._writing.brief.passages,
                tokens=PASSAGE_TOKENS // (2 if self.services.model_is_slow else 1),
            )
        ]
        learner = await learner_block(
            self.services, self.state, self.ctx.session, user_id=self.ctx.user_id, with_talk=False
        )
        return [learner, *self._writing.order()]

    @property
    def message(self) -> str:
        return super().message if self._writing is None else "Write the questions."

    def read(self, text: str) -> Calls:
        proposals = proposals_in(text) if self._writing else []
        return [(TOOL, {"questions": proposals})] if proposals else super().read(text)

    def propose(self, questions: Sequence[Any]) -> dict[str, Any]:
        """Take what the model proposes; what it is told of that."""
        if self._writing is None:
            return {"error": "No questions are wanted now."}
        remarks = self._writing.take(questions, self.passages)
        return {"missing": self._writing.missing, "not_usable": remarks}

    async def go_on(self) -> Move | None:
        if self._writing is not None:
            return await self._ask(self._writing) if self._writing.is_over else None
        case = self.case
        if case is None or case.judgement is None or self.turns_to_control():
            return None
        if case.is_control and (case.control is None or case.is_obeyed):
            return None if case.control is None else self._compare()
        if self._disputed is not None:
            return await self._ruled(self._disputed, model_ruling(self._disputed, case.judgement))
        if self._marked is not None:
            return await self._go_on(replace_reason(self._marked, case.judgement.to_learner))
        if case.judgement.verdict == "not_an_answer":
            return self._unmarked(_NO_ANSWER)
        return await self._keep(case.answer, grade_of(case.judgement), grader="model")

    async def heard(self, text: str) -> Move:
        if self._marked is None:
            raise ModelFailureError("invalid")
        return await self._go_on(replace_reason(self._marked, self.commented(text)))

    async def offline(self) -> Move:
        if self._writing is not None:
            self.instead = "these questions are my own"
            return await self._ask(self._writing)
        if self._disputed is not None:
            self.instead = "I looked at it again by myself"
            syllabus = await self.services.syllabus(self._disputed.course)
            ruling = rule(self._disputed, argument=message_of(self.ctx), concept_names=syllabus.names)
            return await self._ruled(self._disputed, ruling)
        if self._marked is not None:
            return await self._go_on(self._marked)
        assert self.case is not None  # or there was nothing to ask a model
        syllabus = await self.services.syllabus(self.state.course)
        is_foreign = bool(self.state.language) and self.state.language != syllabus.tongue
        if self.case.grade.confident and not (is_foreign or self.case.is_control):
            return await self._keep(self.case.answer, self.case.grade, grader="code")
        self.instead = "nothing was marked"
        return self._compare()

    # Questions.

    async def _begin(self, *, lead: str = "") -> Move | None:
        self._opening = lead or self.turn.lead
        rows = await self.services.ledger.newest(
            self.ctx.user_id, course=self.state.course, most=_LOOKED_BACK
        )
        brief = await self._write_brief(rows)
        first = kept(brief.bank, brief.near, wanted=brief.wanted)
        self._writing = Writing(brief=brief, earlier=[row.question_text for row in rows], questions=first)
        # Who is slow writes for minutes, and the learner has read the lesson in one.
        is_ready = self._writing.is_over or self.services.model_is_slow
        return await self._ask(self._writing) if is_ready else None

    async def _ask(self, writing: Writing) -> Move:
        """The first question of the quiz: the model's, and ours for what it left open."""
        state = self.state
        self.turn.model.repairs += writing.repairs
        never = (await self.services.rulings(state.course)).never_asked
        first = kept(writing.brief.bank, writing.brief.near, wanted=writing.brief.wanted)
        written = [each for each in writing.questions if each.question_id not in never]
        own = own_items(writing.brief) if len(written) < writing.brief.count else []
        by_model = [each for each in written if each not in first]
        questions = (
            with_coverage(first, [*by_model, *own], count=writing.brief.count) if by_model else own or written
        )
        if len(questions) < FEWEST_QUESTIONS:
            return await self._too_little()
        brief = writing.brief
        questions = weighed(questions, brief.bank, brief.near, wanted=brief.wanted)
        cycle = state.open_cycle_id
        if cycle is None:  # the learner went straight to the questions, so no tutor has opened it
            cycle = await open_cycle(
                self.services, state, user_id=self.ctx.user_id, session_id=self.ctx.session.id
            )
        await note_asked(self.services, self.ctx, state, kind="quiz", questions=questions, is_new=True)
        shown = render_question(questions[0], number=1, total=len(questions))
        return Move(
            text=before_question(self._opening, shown),
            changes=state.changes(
                **loop.ask(questions, cycle_id=cycle),
                question_asked_at=self.services.now(),
                hints_given=0,
            ),
            escalate=True,
        )

    async def _too_little(self) -> Move:
        state = self.state
        self.instead = ""
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
        await lesson_place.break_off(self.services, state, user_id=self.ctx.user_id)
        return Move(text=text, changes=state.changes(**loop.leave(), suggestion=following), escalate=True)

    async def _write_brief(self, rows: Sequence[LedgerRow]) -> WriteBrief:
        state = self.state
        syllabus = await self.services.syllabus(state.course)
        asked = [row.question_id for row in rows]
        answers = standing(rows)
        wrong = {row.concept_name for row in answers if not row.is_correct}
        open_ones = {row.concept_name for row in answers if row.kind not in CHOICES}
        passages = (
            *await lesson_passages(state, self.services),
            *await glossary_passages(state, self.services),
        )
        part = current_part(state, syllabus)
        near = part_passages(part) if part else ()
        bank = await lesson_bank(self.services, state, near)
        concepts = chapter_concepts(state, syllabus)
        focus = await self._focus()
        missed = tuple(name for name in state.improvement_areas if name in wrong) + await self._due()
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
            guides=guides_of(syllabus, passages),
            seed=len(asked),
            passages=passages,
            bank=bank,
            near=near,
            examples=tuple(each.question for each in bank if each.question.origin == "author"),
        )

    def _length(self, state: SessionState, *, focus: Sequence[str], missed: Sequence[str]) -> int:
        """So many questions that each concept gets one, and some of what was missed a second one."""
        if state.quiz_length < self.services.settings.quiz_questions:
            return state.quiz_length  # the learner has little time
        return min(MOST_QUESTIONS, max(state.quiz_length, len(focus) + min(len(missed), _MOST_AGAIN)))

    async def _due(self) -> tuple[str, ...]:
        """What a review is for is asked about twice, like what was missed: one right answer may be luck."""
        state, now = self.state, self.services.now()
        rows = await kept_mastery(self.services, self.ctx.user_id, course=state.course, state=state)
        due = {row.concept_name for row in rows if row.is_due(now)}
        return tuple(name for name in state.topic_concepts if name in due)

    async def _focus(self) -> tuple[str, ...]:
        """What was missed, then what else of the topic is not mastered yet or due for review."""
        state, now = self.state, self.services.now()
        rows = await kept_mastery(self.services, self.ctx.user_id, course=state.course, state=state)
        settled = {row.concept_name for row in rows if row.mastered and not row.is_due(now)}
        still_open = [name for name in state.topic_concepts if name not in settled]
        return tuple(dict.fromkeys([*state.improvement_areas, *still_open])) or tuple(state.topic_concepts)

    # Marks.

    async def _mark(self) -> Move | None:
        state = self.state
        if state.quiz_question_index >= len(state.quiz_questions):
            # A state that nobody of us has left so: the answers are all in.
            return Move(
                text="That was the last question.",
                changes=state.changes(**loop.stop_asking(), confirmed_answer=""),
            )
        shown = state.quiz_questions[state.quiz_question_index]
        self._asked = found = await asked(self.services, self.ctx, shown, kind="quiz")
        if found is None:
            self.state = state.model_copy(update=loop.no_quiz())
            return await self._begin(lead=NOT_ASKED)
        if first := await first_answer(self.services, found):
            return await self._go_on(first)
        if state.quiz_command == "skip":
            nothing = Grade(is_correct=False, score=0.0, reason="", confident=True)
            return await self._keep("", nothing, grader=SKIPPED)
        if state.self_check_answer and state.quiz_command != "give_up":
            # The course's words are on the screen by now: another answer would only repeat them.
            grade = self_grade(self._said, points=found.question.points)
            if grade is None:
                return self._compare()
            return await self._keep(state.self_check_answer, grade, grader="learner")
        return await self._graded(found.question)

    @property
    def _said(self) -> str:
        if self.state.quiz_command == "give_up":
            return "I don't know"
        return self.state.confirmed_answer or message_of(self.ctx)

    async def _graded(self, question: QuizQuestion) -> Move | None:
        """By code where it is sure; else somebody has to judge, or to say why it is wrong."""
        answer, course = self._said, self.state.course
        accepted = (await self.services.rulings(course)).accepted_for(question)
        names = (await self.services.syllabus(course)).names
        grade = code_grade(question, answer, concept_names=names, accepted=accepted)
        is_told = grade.is_correct or is_no_answer(answer) or question.kind in _TOLD_WHY
        if grade.confident and is_told:
            return await self._keep(answer, grade, grader="code")
        expected = "; or: ".join([question.expected_answer, *accepted])
        keyed = question.model_copy(update={"expected_answer": expected})
        if question.kind in (CHOICES | EXACT) and grade.confident:
            self._marked = await self._kept(answer, grade, grader="code")
            self.open_case(Case(question=keyed, answer=answer, grade=grade, decided="wrong"))
        else:
            self.open_case(Case(question=keyed, answer=answer, grade=grade))
        return None

    async def _keep(self, answer: str, grade: Grade, *, grader: str) -> Move:
        return await self._go_on(await self._kept(answer, grade, grader=grader))

    async def _kept(self, answer: str, grade: Grade, *, grader: str) -> QuizResponse:
        assert self._asked is not None  # or there is nothing to mark
        return await keep(self.services, self.ctx, self.state, self._asked, answer, grade, grader=grader)

    async def _go_on(self, marked: QuizResponse) -> Move:
        """React, then ask the next question, or leave the floor to the feedback."""
        state = self.state
        assert self._asked is not None  # it has just been marked
        responses, index = [*state.quiz_responses, marked], state.quiz_question_index + 1
        # What a teacher has taken out since the quiz was written is not asked any more.
        never = (await self.services.rulings(state.course)).never_asked
        questions = [
            *state.quiz_questions[:index],
            *(each for each in state.quiz_questions[index:] if each.question_id not in never),
        ]
        if questions != state.quiz_questions:
            await note_asked(self.services, self.ctx, state, kind="quiz", questions=questions, is_new=False)
        is_over = index >= len(questions)
        said = reaction(self._asked.question, marked, number=index, ahead=questions[index:])
        told = (
            one_after_another(said, kept_back(questions, responses))
            if is_over
            else before_question(
                said, render_question(questions[index], number=index + 1, total=len(questions))
            )
        )
        return Move(
            text=told,
            changes=state.changes(
                **loop.mark(questions, responses, index=index),
                self_check_answer="",
                unread_answer="",
                confirmed_answer="",
                hints_given=0,
                question_asked_at=self.services.now(),
                suggestion="",
            ),
            escalate=not is_over,
        )

    def _compare(self) -> Move:
        """Nobody could tell: own words the learner compares, a choice is asked for again."""
        assert self._asked is not None  # or there is nothing to compare
        question = self._asked.question
        if question.kind in CHOICES:
            self.instead = ""
            return self._unmarked(_NOT_ONE)
        state, kept = self.state, self.state.self_check_answer or self._said
        return Move(
            text=before_question("", comparison(question, ahead=state.questions_ahead)),
            changes=state.changes(
                **loop.compare(state.quiz_questions, question, index=state.quiz_question_index, answer=kept),
                confirmed_answer="",
            ),
            escalate=True,
        )

    def _unmarked(self, why: str) -> Move:
        assert self._asked is not None  # it is asked again
        shown = render_question(
            self._asked.question,
            number=self.state.quiz_question_index + 1,
            total=len(self.state.quiz_questions),
        )
        return Move(
            text=before_question(why, shown),
            changes=self.state.changes(unread_answer=self._said, confirmed_answer=""),
            escalate=True,
        )

    # 'I disagree'.

    async def _look_again(self) -> Move | None:
        """Judge the last answer anew, and go back to where we were."""
        answer = last_answer(
            await self.services.ledger.newest(self.ctx.user_id, course=self.state.course, most=1)
        )
        if isinstance(answer, str):
            return Move(
                text=with_question(answer, self.state),
                changes=self.state.changes(**loop.done()),
                escalate=True,
            )
        if answer.is_correct:
            return await self._ruled(answer, rule(answer, argument=""))
        self._disputed = answer
        nobodys = Grade(is_correct=False, score=answer.score, reason=answer.reason, confident=False)
        self.open_case(
            Case(
                question=answer,
                answer=answer.learner_answer,
                grade=nobodys,
                argument=message_of(self.ctx) or "They disagree.",
            )
        )
        return None

    async def _ruled(self, answer: LedgerRow, ruling: Ruling) -> Move:
        """What follows from the ruling: the ledger, mastery, and the score of the quiz under way."""
        state = self.state
        # For the teacher: what was said against the mark, whatever came of it.
        noted = Dispute(
            user_id=self.ctx.user_id,
            course=answer.course,
            question_id=answer.question_id,
            answer_id=answer.id,
            argument=message_of(self.ctx),
            outcome=ruling.outcome,
            disputed_at=self.services.now(),
        )
        await Disputes(self.services.database).add(noted)
        await apply_ruling(self.services, answer, ruling, state=state)
        is_of_this_quiz = answer.id in {each.evidence_id for each in state.quiz_responses}
        responses = amended(state.quiz_responses, answer, ruling)
        after = (
            loop.mark_again(responses, total=len(state.quiz_questions)) if is_of_this_quiz else loop.done()
        )
        return Move(
            text=with_question(ruling_text(answer, ruling, ahead=state.unanswered), state),
            changes=state.changes(**after),
            escalate=True,
        )


def replace_reason(marked: QuizResponse, reason: str) -> QuizResponse:
    return marked.model_copy(update={"reason": reason})
