"""The diagnostic's turn: a few questions over the prerequisite graph, then gaps, level and what to do."""

from collections.abc import Collection, Sequence
from functools import partial

from agents.briefing import clip, fenced, learner_block
from agents.diagnostic.offline import (
    NOT_COUNTED,
    Conclusion,
    conclude,
    conclude_new,
    conclude_nothing,
    opening,
    result_text,
    shortcut,
)
from agents.language.practice import length_in
from agents.learner_record import Planner, status_chart
from agents.lesson_material import glossary_passages
from agents.mastery_book import NOT_ASKED, Asked, asked, first_answer, lesson_of, note_asked
from agents.models.voice import ModelFailureError
from agents.quiz.judging import Case, JudgingBrief
from agents.quiz.marking import UNREAD, code_grade, grade_of, keep
from agents.quiz.offline import before_question, interrupted, render_question
from agents.said import Said, one_after_another
from agents.speaking import Brief, Move, message_of
from agents.state import SessionState
from agents.task_manager.study_tasks import for_gaps, tend
from agents.teaching.belief import GUESS
from agents.teaching.diagnosis import ProbeState, begin, diagnostic_scope, next_probe, update
from agents.teaching.evidence import CHOICES, EXACT
from agents.teaching.grading import Grade
from agents.teaching.mistakes import is_no_answer
from agents.teaching.questions.writing import CandidateItem, candidates, is_fair
from agents.teaching.values import MOST_PROBES, Concept, PassageLike, QuizQuestion, QuizResponse
from storage.learners import DiagnosticResult, KnowledgeGap

_MOST_CHOSEN = 12  # questions, whatever somebody has time for
_NARROW = 4  # concepts; of fewer nobody can say where somebody stands
_DIFFICULTIES = ("easy", "medium", "hard")
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


class DiagnosticBrief(JudgingBrief):
    """Due whenever the coordinator hands over to it: to begin, or with an answer."""

    prompt = "diagnostic/prompt.md"
    task = "diagnosis"

    async def prepare(self) -> Move | None:
        self._probe: Asked | None = None  # the question whose answer is to be marked
        self._result: Conclusion | None = None
        self._marked: QuizResponse | None = None
        state = self.state
        is_running = bool(state.diagnostic_questions)
        gives_up = state.diagnostic_command == "give_up"
        self._way_out = (
            None
            if gives_up
            else state.diagnostic_command or shortcut(message_of(self.ctx), is_asked=is_running)
        )
        if is_running and not self._way_out:
            return await self._mark()
        if not is_running:
            chosen = min(length_in(self.turn.meant), _MOST_CHOSEN)
            self.state = state.model_copy(update={"diagnostic_length": chosen})
        return await self._go_on_from(lead="")

    async def told(self) -> Sequence[str]:
        if self._result is None:
            return await super().told()
        state = self.state
        block = await learner_block(
            self.services, state, self.ctx.session, user_id=self.ctx.user_id, with_talk=False
        )
        pairs = zip(state.diagnostic_questions, state.diagnostic_responses, strict=False)
        answers = "\n".join(
            f"- {clip(question.question_text)} | they said: {clip(answer.learner_answer)} | "
            f"{'right' if answer.is_correct else 'not read' if answer.grader == UNREAD else 'not right'}"
            for question, answer in pairs
        )
        return [
            block,
            f"The test before {self._topic}:\n{fenced(answers)}\n\nConcluded: {self._conclusion}",
        ]

    @property
    def message(self) -> str:
        return super().message if self._result is None else "Say what the answers show."

    def feed(self, piece: str) -> str:
        return Brief.feed(self, piece) if self._result is not None else ""

    async def go_on(self) -> Move | None:
        case = self.case
        if case is None or case.judgement is None or self._result is not None or self.turns_to_control():
            return None
        if case.is_control and case.control is None:
            return None
        counts = not case.is_obeyed and case.judgement.verdict != "not_an_answer"
        marked = await self._keep(grade_of(case.judgement) if counts else None, grader="model")
        return await self._answered(marked)

    async def heard(self, text: str) -> Move:
        if self._result is None:
            raise ModelFailureError("invalid")
        return await self._concluded(f"{self.commented(text)}\n\n{self._conclusion}")

    async def offline(self) -> Move:
        if self._result is None:
            assert self.case is not None  # or there was nothing to ask a model
            self.instead = ""
            stands = self.case.grade.confident and not self.case.is_control
            marked = await self._keep(self.case.grade if stands else None, grader="code")
            reply = await self._answered(marked)
            if reply is not None:
                return reply
        self.instead = "here it is in short"
        return await self._concluded(self._conclusion)

    async def _answered(self, marked: QuizResponse) -> Move | None:
        """Go on with an answer that is marked, or not to be."""
        self._marked = marked
        answered = [*self.state.diagnostic_responses, marked]
        self.state = self.state.model_copy(update={"diagnostic_responses": answered})
        return await self._go_on_from(lead=_taken(marked))

    async def _go_on_from(self, *, lead: str) -> Move | None:
        """The next question; or the conclusion, of which a model tells."""
        self._topic, self._belief = await self._believed()
        question = None if self._way_out else await self._next_question()
        if question:
            return await self._ask(question, lead=lead or self._opening)
        self._result = _result(self.state, self._belief, topic=self._topic, way_out=self._way_out)
        self._conclusion = result_text(
            self._result, topic=self._topic, is_course=not self.state.current_topic
        )
        self.prompt, self.task, self.temperature = DiagnosticBrief.prompt, "diagnosis", None
        self.forgets, self._told, self._draft = True, None, None
        return None if self.state.diagnostic_responses else await self._concluded(self._conclusion)

    @property
    def _most(self) -> int:
        """How many questions at most: as many as the learner chose."""
        return self.state.diagnostic_length or MOST_PROBES

    @property
    def _opening(self) -> str:
        return opening(self._topic, most=self._most)

    async def _believed(self) -> tuple[str, ProbeState]:
        state = self.state
        graph = await Planner(services=self.services).graph(state.course)
        syllabus = await self.services.syllabus(state.course)
        concepts = state.topic_concepts or [concept.name for concept in syllabus.concepts]
        if (
            len(diagnostic_scope(graph, concepts)) < _NARROW
        ):  # a word alone: its section is what is asked about
            pages = dict.fromkeys(
                graph.concepts[name].chapter_id for name in concepts if name in graph.concepts
            )
            concepts = [*concepts, *(name for page in pages for name in graph.chapter(page))]
        rows = await self.services.learners.mastery(self.ctx.user_id, course=state.course)
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

    async def _next_question(self) -> QuizQuestion | None:
        """A question about the concept that tells most; one that the course cannot ask about is passed over."""
        state, belief = self.state, self._belief
        if len(state.diagnostic_questions) >= self._most:  # what could not be judged is asked for, too
            return None
        syllabus = await self.services.syllabus(state.course)
        by_name = {concept.name: concept for concept in syllabus.concepts}
        unaskable: set[str] = set()
        while (concept := next_probe(belief, most=self._most, without=unaskable)) is not None:
            found = await self._write(by_name[concept], concepts=syllabus.concepts)
            if found:
                return found
            unaskable.add(concept)
        return None

    async def _write(self, concept: Concept, *, concepts: tuple[Concept, ...]) -> QuizQuestion | None:
        state = self.state
        never = (await self.services.rulings(state.course)).never_asked
        if asked := await self._by_the_author(concept.name, never=never):
            return asked
        here = state.model_copy(update={"topic_concepts": [concept.name]})
        own = await self.services.library.corpus.chunks_by_id([concept.chunk_id])
        passages: list[PassageLike] = [*own, *await glossary_passages(here, self.services)]
        return question_about(
            concept.name,
            passages,
            concepts=concepts,
            asked=state.diagnostic_questions,
            preface=self._opening,
            never=never,
        )

    async def _by_the_author(self, concept: str, *, never: Collection[str]) -> QuizQuestion | None:
        """The author's own question that code can mark, as hard as what is believed of the learner."""
        state = self.state
        bank = await self.services.library.corpus.items.about(state.course, chunk_ids=[], concepts=[concept])
        wanted = round(self._belief.known[concept] * (len(_DIFFICULTIES) - 1))
        said = "\n".join([self._opening, *(each.question_text for each in state.diagnostic_questions)])
        fitting = [
            item.question
            for item in bank
            if item.question.kind in (CHOICES | EXACT)
            and item.part <= 1  # the others lean on the part before them
            and item.question.question_id not in never
            and is_fair(item.question, earlier=state.diagnostic_questions, beside=said)
        ]
        return min(fitting, key=lambda each: abs(_DIFFICULTIES.index(each.difficulty) - wanted), default=None)

    async def _mark(self) -> Move | None:
        """The mark of this message, or of the answer that was in already."""
        state = self.state
        shown = state.pending_question
        self._probe = probe = (
            await asked(self.services, self.ctx, shown, kind="diagnostic") if shown else None
        )
        if probe is None:  # what we did not ask
            self.state = _as_asked(state)
            return await self._go_on_from(lead=NOT_ASKED)
        if first := await first_answer(self.services, probe):
            return await self._answered(first)
        answer = self._said
        names = (await self.services.syllabus(state.course)).names
        accepted = (await self.services.rulings(state.course)).accepted_for(probe.question)
        grade = code_grade(probe.question, answer, concept_names=names, accepted=accepted)
        is_closed = probe.question.kind in (CHOICES | EXACT)
        if grade.confident and (grade.is_correct or is_closed or is_no_answer(answer)):
            return await self._answered(await self._keep(grade, grader="code"))
        expected = "; or: ".join([probe.question.expected_answer, *accepted])
        keyed = probe.question.model_copy(update={"expected_answer": expected})
        self.open_case(Case(question=keyed, answer=answer, grade=grade))
        return None

    @property
    def _said(self) -> str:
        if self.state.diagnostic_command == "give_up":
            return "I don't know"
        return self.state.confirmed_answer or message_of(self.ctx)

    async def _keep(self, grade: Grade | None, *, grader: str) -> QuizResponse:
        """What nobody has judged counts as not asked."""
        assert self._probe is not None  # it has just been answered
        if grade is None:
            grade, grader = Grade(is_correct=False, score=0.0, reason="", confident=False), UNREAD
        return await keep(self.services, self.ctx, self.state, self._probe, self._said, grade, grader=grader)

    async def _ask(self, question: QuizQuestion, *, lead: str) -> Move:
        state = self.state
        questions = [*state.diagnostic_questions, question]
        await note_asked(
            self.services,
            self.ctx,
            state,
            kind="diagnostic",
            questions=questions,
            is_new=len(questions) == 1,
        )
        number = len(state.diagnostic_responses) + 1
        shown = render_question(question, number=number, total=self._most, may_be_fewer=True)
        return Move(
            text=before_question(lead, shown),
            changes=state.changes(
                diagnostic_questions=questions,
                diagnostic_responses=state.diagnostic_responses,
                diagnostic_complete=False,
                diagnostic_command="",
                diagnostic_length=state.diagnostic_length,
                confirmed_answer="",
                question_asked_at=self.services.now(),
            ),
        )

    async def _concluded(self, text: str) -> Move:
        state, belief, marked = self.state, self._belief, self._marked
        assert self._result is not None  # it is what the text is about
        result = self._result
        counts = bool(belief.asked) or self._way_out == "new"
        gaps = await self._record(result) if counts else []
        # To whom everything is new, the first concept is no more of a gap than the last.
        wanted = () if self._way_out == "new" else for_gaps(gaps)
        noted = await tend(self.services, self.ctx, course=state.course, wanted=wanted)
        first = result.gaps[0] if result.gaps else await self._next_thing()
        back = partial(state.with_lesson, state.lesson_aside) if state.lesson_aside else state.changes
        changes = back(
            prerequisite_gaps=list(_prerequisites(result, state)),
            learner_level=state.learner_level if result.level == "unknown" else result.level,
            diagnostic_complete=True,
            diagnostic_questions=[],
            diagnostic_responses=[],
            diagnostic_command="",
            diagnostic_length=0,
            confirmed_answer="",
            suggestion="" if state.lesson_aside else first,
        )
        unread = NOT_COUNTED if marked and marked.grader == UNREAD and belief.asked else ""
        after = SessionState.model_validate({**dict(state), **changes})
        parts = (unread, text, noted, _what_now(after, first))
        can_show = bool(result.asked) and self.ctx.artifact_service is not None  # a front end may have none
        chart = verdict_chart(result) if can_show else None
        return Move(text=one_after_another(*parts), changes=changes, chart=chart)

    async def _next_thing(self) -> str:
        """Where to begin without a gap: with the topic itself, and in a whole course with what is not shown yet."""
        if self.state.current_topic:
            return self.state.current_topic
        plan = await Planner(services=self.services).next_steps(self.state, user_id=self.ctx.user_id)
        return plan.next_topic or (self._belief.concepts[0] if self._belief.concepts else "")

    async def _record(self, result: Conclusion) -> list[KnowledgeGap]:
        ctx, state, topic, now = self.ctx, self.state, self._topic, self.services.now()
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


def verdict_chart(result: Conclusion) -> bytes:
    """A picture of what is known, unknown and not asked about."""
    asked = set(result.asked)
    rows = [(name, "known", 1.0) for name in result.strong]
    rows += [(name, "new" if name in asked else "likely new, not asked", 0.12) for name in result.gaps]
    rows += [(name, "not sure" if name in asked else "not asked", 0.0) for name in result.open]
    count = len(result.asked)
    return status_chart(f"What {count} {'question shows' if count == 1 else 'questions show'}", rows)


def _taken(marked: QuizResponse) -> str:
    """What is said to an answer: whether it was right stays open until the end."""
    return NOT_COUNTED if marked.grader == UNREAD else "Noted."


def _what_now(state: SessionState, first: str) -> Said:
    """The next step; who was in a quiz finds its question again."""
    if state.pending_question is None:
        return Said.of(f"Shall we start with **{first}**?" if first else "")
    lead = f"Say **teach me {first}** when you want to start there. First, back to **{state.topic_label}**:"
    return interrupted(lead, state)
