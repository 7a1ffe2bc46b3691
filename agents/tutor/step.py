"""The tutor: explains the topic from the course, with citations; later rounds re-teach what was missed."""

from collections.abc import AsyncGenerator

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from agents.lesson import lesson_passages, topic_concepts
from agents.sources import with_sources
from agents.speech import Step
from agents.state import SessionState
from agents.tutor.citations import check_citations, cited_results
from agents.tutor.skill import TutorBrief, explanation


class Tutor(Step):
    """Due at the start of every cycle."""

    def is_due(self, state: SessionState) -> bool:
        return state.learning_phase == "explain" and state.quiz_command != "dispute"

    async def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        brief = await self._brief(state)
        spoken = await self.speak(ctx, brief)
        text, usage = spoken.text, spoken.usage
        if not text or check_citations(text, brief.passages):
            text = explanation(brief).text
        text = with_sources(text, brief.passages, query=state.current_topic)
        turn = self.services.turns.of(ctx.invocation_id)
        turn.retrieved(brief.passages)
        turn.cite(cited_results(text, brief.passages))
        cycle = await self.services.learners.open_cycle(
            ctx.user_id,
            session_id=ctx.session.id,
            topic=state.current_topic,
            cycle_number=state.learning_cycle_count + 1,
            now=self.services.now(),
        )
        changes = state.changes(
            explanation=text,
            earlier_explanations=_said_before(state),
            examples_provided=[result.chunk_id for result in cited_results(text, brief.passages)],
            learning_phase="quiz",
            quiz_questions=[],
            quiz_responses=[],
            quiz_question_index=0,
            quiz_score=0.0,
            quiz_paused=False,
            open_cycle_id=cycle.id,
        )
        async for event in self.say(ctx, text, changes=changes, usage=usage):
            yield event

    async def _brief(self, state: SessionState) -> TutorBrief:
        syllabus = await self.services.syllabus(state.course)
        return TutorBrief(
            topic=state.current_topic,
            level=state.learner_level,
            cycle=state.learning_cycle_count + 1,
            concepts=topic_concepts(state, syllabus),
            missed=tuple(state.improvement_areas),
            already_said="\n\n".join(_said_before(state)),
            passages=await lesson_passages(state, self.services),
        )


def _said_before(state: SessionState) -> list[str]:
    """All explanations of this topic so far, so that no later round repeats one."""
    return [*state.earlier_explanations, state.explanation] if state.learning_cycle_count else []
