"""The tutor's turn: the lesson on this round's part, with citations; later rounds re-teach what was missed."""

from collections.abc import Sequence

from agents.briefing import clip, fitting, learner_block
from agents.citations import with_sources
from agents.lesson_material import (
    chapter_concepts,
    current_part,
    foundations,
    guides_of,
    lesson_bank,
    lesson_passages,
    missed_solutions,
    open_cycle,
    part_passages,
    taught_elsewhere,
    topic_concepts,
)
from agents.models.voice import ModelFailureError
from agents.repair import Draft
from agents.said import Said
from agents.services import Services
from agents.speaking import Brief, Move
from agents.state import SessionState
from agents.teaching import loop
from agents.teaching.lesson import Order, examples_in
from agents.teaching.questions.bank import Wanted, compose
from agents.teaching.questions.writing import FEWEST_QUESTIONS, write_items
from agents.teaching.values import RetrievalResult
from agents.tutor.offline import LessonPlan, as_said, explanation

WITHOUT_MARKS = "Your last text had no passage number in it. Write it again, with the number, like [1], behind what comes from a passage."
_PASSAGE_TOKENS = 1500  # of the 2,500 of a lesson's brief
_TOLD = 1200  # characters of earlier explanations, the latest
_MEANWHILE = "While I am still thinking about how to put it, this is what the course says:"


class TutorBrief(Brief):
    """What is taught in this round, and from which passages."""

    prompt = "tutor/prompt.md"
    task = "lesson"
    instead = "this is the course itself"

    async def prepare(self) -> Move | None:
        # A round begins with its explanation, however long that takes.
        self._cycle = await open_cycle(
            self.services, self.state, user_id=self.ctx.user_id, session_id=self.ctx.session.id
        )
        self._said_before = _said_before(self.state)
        self.plan = await lesson_plan(self.state, self.services, already_said=self._said_before)
        self._was_read = False
        return None

    async def told(self) -> Sequence[str]:
        order = self.plan.order
        tokens = _PASSAGE_TOKENS // (2 if self.services.model_is_slow else 1)
        self.passages = [*fitting(self.plan.passages, tokens=tokens)]
        again = (
            f"This is round {self.plan.cycle}. Explain again, another way, only: {', '.join(order.missed) or order.topic}. "
            f"Said before: “{clip(self.plan.already_said[-_TOLD:], most=_TOLD)}”"
            if self.plan.cycle > 1
            else ""
        )
        return [
            await learner_block(self.services, self.state, self.ctx.session, user_id=self.ctx.user_id),
            f"Teach: {order.topic}. Concepts, in this order: {', '.join(order.concepts)}.",
            again,
        ]

    @property
    def known(self) -> str:
        """What a lesson may name although no passage does: 'ROS 2' has a number in it."""
        return " ".join([self.plan.order.topic, *self.plan.order.concepts])

    async def meanwhile(self) -> str:
        self._was_read = True
        self.instead = "let us go on with what you have just read"
        return f"{_MEANWHILE}\n\n{as_said(explanation(self.plan))}"

    async def offline(self) -> Move:
        lesson = explanation(self.plan)
        return await self._taught(as_said(lesson), lesson.sources)

    async def heard(self, text: str) -> Move:
        draft = self.finished(text)
        if not draft.is_grounded:
            self.turn.model.replaced("no_marks", draft.raw[:200])
            draft = Draft(self.passages, known=self.known)
            draft.feed(await self.again(text, WITHOUT_MARKS))
            draft.finish()
        if not draft.is_grounded:
            raise ModelFailureError("ungrounded")
        await self.mended(draft)
        return await self._taught(*with_sources(draft.text, self.passages, is_lesson=True))

    async def _taught(self, text: Said, sources: Sequence[RetrievalResult]) -> Move:
        if sources:  # nothing is retrieved for a lesson that says there is nothing more to read
            self.turn.sources.retrieved(self.plan.passages)
        whole = {passage.chunk_id: passage for passage in (*self.passages, *self.plan.passages)}
        self.turn.sources.cite(whole[source.chunk_id] for source in sources)
        return Move(
            text=text,
            changes=self.state.changes(
                explanation=text.words,
                earlier_explanations=self._said_before,
                explanation_sources=[source.chunk_id for source in sources],
                examples_provided=examples_in(text.words),
                **loop.explain(cycle_id=self._cycle),
            ),
        )


async def lesson_plan(state: SessionState, services: Services, *, already_said: Sequence[str]) -> LessonPlan:
    """What to explain in this round, and from which passages."""
    syllabus = await services.syllabus(state.course)
    part = current_part(state, syllabus)
    own = part_passages(part) if part else ()
    concepts = chapter_concepts(state, syllabus)
    wanted = Wanted(
        count=FEWEST_QUESTIONS,
        topic=state.topic_concepts,
        never=(await services.rulings(state.course)).never_asked,
    )
    quiz = compose(
        await lesson_bank(services, state, own),
        own,
        wanted=wanted,
        fill=lambda taken: write_items(
            own,
            concepts=concepts,
            count=wanted.count,
            topic=wanted.topic,
            elsewhere=taught_elsewhere(syllabus, own, here=concepts),
            guides=guides_of(syllabus, own),
            never=wanted.never,
            taken=taken,
        ),
    )
    about = topic_concepts(state, syllabus)
    order = Order(
        topic=state.current_topic,
        concepts=tuple(concept.name for concept in about),
        part=state.topic_part,
        parts=state.topic_parts,
        missed=tuple(state.improvement_areas),
        foundations=tuple(foundations(state, syllabus).items()),
        definitions=tuple((each.name, each.definition) for each in about if each.kind == "glossary"),
        solutions=missed_solutions(state),
        title=part.title if part else "",
        has_quiz=len(quiz) >= FEWEST_QUESTIONS,
    )
    return LessonPlan(
        order=order,
        cycle=state.learning_cycle_count + 1,
        already_said="\n\n".join(already_said),
        passages=await lesson_passages(state, services),
        own=len(own),
    )


def _said_before(state: SessionState) -> list[str]:
    """All explanations of this topic so far, so that no later round repeats one."""
    return [*state.earlier_explanations, state.explanation] if state.learning_cycle_count else []
