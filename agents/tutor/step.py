"""The tutor: explains the topic from the course, with citations; later rounds re-teach what was missed."""

from collections.abc import AsyncGenerator, Sequence

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from agents.lesson import (
    chapter_concepts,
    current_part,
    foundations,
    lesson_passages,
    open_cycle,
    part_passages,
    topic_concepts,
)
from agents.services import Services
from agents.sources import with_sources
from agents.speech import Step
from agents.state import SessionState
from agents.teaching.questions.writing import FEWEST_QUESTIONS, write_items
from agents.tutor.citations import check_citations, cited_results
from agents.tutor.skill import TutorBrief, explanation


class Tutor(Step):
    """Due at the start of every cycle."""

    def is_due(self, state: SessionState) -> bool:
        return state.learning_phase == "explain" and state.quiz_command != "dispute"

    async def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        said_before = _said_before(state)
        brief = await tutor_brief(state, self.services, already_said=said_before)
        spoken = await self.speak(ctx, brief)
        text, usage = spoken.text, spoken.usage
        if not text or check_citations(text, brief.passages):
            text = explanation(brief).text
        text = with_sources(text, brief.passages, query=state.current_topic)
        turn = self.services.turns.of(ctx.invocation_id)
        turn.retrieved(brief.passages)
        turn.cite(cited_results(text, brief.passages))
        cycle = await open_cycle(self.services, state, user_id=ctx.user_id, session_id=ctx.session.id)
        changes = state.changes(
            explanation=text,
            earlier_explanations=said_before,
            examples_provided=[result.chunk_id for result in cited_results(text, brief.passages)],
            learning_phase="quiz",
            quiz_questions=[],
            quiz_responses=[],
            quiz_question_index=0,
            quiz_score=0.0,
            quiz_paused=False,
            open_cycle_id=cycle,
        )
        async for event in self.say(ctx, text, changes=changes, usage=usage):
            yield event


async def tutor_brief(state: SessionState, services: Services, *, already_said: Sequence[str]) -> TutorBrief:
    """What to explain in this round, and from which passages."""
    syllabus = await services.syllabus(state.course)
    part = current_part(state, syllabus)
    own = part_passages(part) if part else ()
    quiz = write_items(
        own, concepts=chapter_concepts(state, syllabus), count=FEWEST_QUESTIONS, topic=state.topic_concepts
    )
    return TutorBrief(
        topic=state.current_topic,
        level=state.learner_level,
        cycle=state.learning_cycle_count + 1,
        concepts=topic_concepts(state, syllabus),
        missed=tuple(state.improvement_areas),
        foundations=foundations(state, syllabus),
        already_said="\n\n".join(already_said),
        passages=await lesson_passages(state, services),
        own=len(own),
        part=state.topic_part,
        parts=state.topic_parts,
        has_quiz=services.has_large_model or len(quiz) >= FEWEST_QUESTIONS,
    )


def _said_before(state: SessionState) -> list[str]:
    """All explanations of this topic so far, so that no later round repeats one."""
    return [*state.earlier_explanations, state.explanation] if state.learning_cycle_count else []
