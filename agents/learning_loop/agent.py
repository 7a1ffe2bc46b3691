"""The learning loop: tutor, quiz, feedback, again until mastered.

A turn ends at a pending question by `escalate`, and the state says where the next message goes on.
The limit of cycles is the state's too: max_iterations counts only within one turn.
"""

import warnings
from collections.abc import AsyncGenerator
from contextlib import aclosing

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.loop_agent import LoopAgent
from google.adk.agents.sequential_agent import SequentialAgent
from google.adk.events.event import Event

from agents.state import SessionState
from agents.teaching import loop

with warnings.catch_warnings():
    # Deprecated in favour of Workflow, which cannot be a sub-agent yet. ADK copies the agents every turn
    # and warns every time, but only of the classes themselves: a subclass is warned of once, here.
    warnings.simplefilter("ignore", DeprecationWarning)

    class LearningLoop(LoopAgent):
        """Repeats the cycle until a step escalates."""

    class LearningCycle(SequentialAgent):
        """Explain, quiz, feedback: of these only the step that is due runs, so that no other leaves an empty bubble."""

        async def _run_async_impl(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
            for step in self.sub_agents:
                state = SessionState.of(ctx.session.state)
                if step.name != loop.due(state.learning_phase, command=state.quiz_command):
                    continue
                async with aclosing(step.run_async(ctx)) as events:
                    async for event in events:
                        yield event


def build_learning_loop(
    *, tutor: BaseAgent, quiz: BaseAgent, feedback: BaseAgent, max_cycles: int
) -> LoopAgent:
    cycle = LearningCycle(
        name="learning_cycle",
        description="One cycle: explain, quiz, feedback.",
        sub_agents=[tutor, quiz, feedback],
    )
    return LearningLoop(
        name="learning_loop",
        description="Teaches a topic and quizzes the learner until it is mastered; takes the answers to its questions.",
        max_iterations=max_cycles,
        sub_agents=[cycle],
    )
