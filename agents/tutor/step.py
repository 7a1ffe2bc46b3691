"""The tutor: explains the topic from the course, with citations; later rounds re-teach what was missed."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.sessions.session import Session

from agents.briefing import clip, fitting, learner_block, passages_text, words_request
from agents.lesson_material import (
    chapter_concepts,
    current_part,
    foundations,
    lesson_passages,
    open_cycle,
    part_passages,
    taught_elsewhere,
    topic_concepts,
)
from agents.models.voice import Consultation, ModelFailureError
from agents.repair import Draft, mend
from agents.services import Services
from agents.state import SessionState
from agents.step_agent import Step
from agents.teaching import loop
from agents.teaching.lesson import Lesson, Order, examples_in
from agents.teaching.questions.writing import FEWEST_QUESTIONS, write_items
from agents.teaching.values import RetrievalResult
from agents.tutor.citations import with_sources
from agents.tutor.offline import TutorBrief, explanation

WITHOUT_MARKS = "Your last text had no passage number in it. Write it again, with the number, like [1], behind what comes from a passage."
_PASSAGE_TOKENS = 1500  # of the 2,500 of a lesson's brief
_TOLD = 1200  # characters of earlier explanations, the latest


async def lesson_request(
    services: Services,
    state: SessionState,
    session: Session,
    brief: TutorBrief,
    *,
    user_id: str,
    remark: str = "",
) -> tuple[Consultation, tuple[RetrievalResult, ...]]:
    """What to ask for, and the passages as they are numbered in it."""
    order = brief.order
    passages = fitting(brief.passages, tokens=_PASSAGE_TOKENS // (2 if services.model_is_slow else 1))
    parts = [
        passages_text(passages),
        await learner_block(services, state, session, user_id=user_id),
        f"Teach: {order.topic}. Concepts, in this order: {', '.join(order.concepts)}.",
    ]
    if brief.cycle > 1:
        parts.append(
            f"This is round {brief.cycle}. Explain again, another way, only: {', '.join(order.missed) or order.topic}. "
            f"Said before: “{clip(brief.already_said[-_TOLD:], most=_TOLD)}”"
        )
    asked = words_request(services, "lesson", "tutor/prompt.md", [*parts, remark])
    return asked, passages


_NO_MODEL = "My language model did not answer, so this is the course itself."
_MEANWHILE = "While I am still thinking about how to put it, this is what the course says:"
_AS_READ = "My language model did not answer, so let us go on with what you have just read."


class Tutor(Step):
    """Due at the start of every cycle."""

    def is_due(self, state: SessionState) -> bool:
        return state.learning_phase == "explain" and state.quiz_command != "dispute"

    async def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        said_before = _said_before(state)
        brief = await tutor_brief(state, self.services, already_said=said_before)
        lesson, was_streamed = Lesson(text="", sources=()), False
        work = self._taught(ctx, state, brief) if self.services.has_large_model else self._read(ctx, brief)
        async for each in work:
            if isinstance(each, Event):
                was_streamed = True
                yield each
            else:
                lesson = each
        turn = self.services.turns.of(ctx.invocation_id)
        turn.sources.retrieved(brief.passages)
        whole = {passage.chunk_id: passage for passage in brief.passages}
        turn.sources.cite(whole[source.chunk_id] for source in lesson.sources)
        cycle = await open_cycle(self.services, state, user_id=ctx.user_id, session_id=ctx.session.id)
        changes = state.changes(
            explanation=lesson.text,
            earlier_explanations=said_before,
            explanation_sources=[source.chunk_id for source in lesson.sources],
            examples_provided=examples_in(lesson.text),
            **loop.explain(cycle_id=cycle),
        )
        async for event in self.say(ctx, lesson.text, changes=changes, was_streamed=was_streamed):
            yield event

    async def _read(self, ctx: InvocationContext, brief: TutorBrief) -> AsyncGenerator[Event | Lesson, None]:
        """Without a large model: the course's own words."""
        lesson = explanation(brief)
        yield replace(lesson, text=await self.speak(ctx, lesson.text))

    async def _taught(
        self, ctx: InvocationContext, state: SessionState, brief: TutorBrief
    ) -> AsyncGenerator[Event | Lesson, None]:
        """The model's lesson, each sentence checked as it comes; the course's own where there is none."""
        own = explanation(brief)
        was_read = False

        def meanwhile() -> str:
            nonlocal was_read
            was_read = True
            return f"{_MEANWHILE}\n\n{own.text}"

        remark = ""
        turn = self.services.turns.of(ctx.invocation_id)
        try:
            for is_last in (False, True):
                asked, passages = await lesson_request(
                    self.services, state, ctx.session, brief, user_id=ctx.user_id, remark=remark
                )
                draft = Draft(passages, known=_named(brief))
                async for each in self.consult(ctx, asked, feed=draft.feed, meanwhile=meanwhile):
                    if isinstance(each, Event):
                        yield each
                draft.finish()
                if draft.is_grounded:
                    break
                if is_last:
                    raise ModelFailureError("ungrounded")
                turn.model.replaced("no_marks", draft.raw[:200])
                remark = WITHOUT_MARKS
            await mend(draft, passages, ask=lambda asked: self.answer_of(ctx, asked))
            turn.model.repairs += draft.repairs
            text, sources = with_sources(draft.text, passages, query=brief.order.topic)
            yield Lesson(text=text, sources=sources)
        except ModelFailureError as failure:
            turn.model.replaced(failure.cause)
            yield replace(own, text=f"{_AS_READ if was_read else _NO_MODEL}\n\n{own.text}")


async def tutor_brief(state: SessionState, services: Services, *, already_said: Sequence[str]) -> TutorBrief:
    """What to explain in this round, and from which passages."""
    syllabus = await services.syllabus(state.course)
    part = current_part(state, syllabus)
    own = part_passages(part) if part else ()
    concepts = chapter_concepts(state, syllabus)
    quiz = write_items(
        own,
        concepts=concepts,
        count=FEWEST_QUESTIONS,
        topic=state.topic_concepts,
        elsewhere=taught_elsewhere(syllabus, own, here=concepts),
        never=(await services.rulings(state.course)).never_asked,
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
        has_quiz=services.has_large_model or len(quiz) >= FEWEST_QUESTIONS,
    )
    return TutorBrief(
        order=order,
        cycle=state.learning_cycle_count + 1,
        already_said="\n\n".join(already_said),
        passages=await lesson_passages(state, services),
        own=len(own),
    )


def _named(brief: TutorBrief) -> str:
    """What a lesson may name although no passage does: 'ROS 2' has a number in it."""
    return " ".join([brief.order.topic, *brief.order.concepts])


def _said_before(state: SessionState) -> list[str]:
    """All explanations of this topic so far, so that no later round repeats one."""
    return [*state.earlier_explanations, state.explanation] if state.learning_cycle_count else []
