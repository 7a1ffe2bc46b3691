"""The learning loop: tutor, quiz, feedback, again until mastered.

A turn ends at a pending question by `escalate`, and the state says where the next message goes on.
The limit of cycles is the state's too: max_iterations counts only within one turn.
"""

import warnings

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.loop_agent import LoopAgent
from google.adk.agents.sequential_agent import SequentialAgent

with warnings.catch_warnings():
    # Deprecated in favour of Workflow, which cannot be a sub-agent yet. ADK copies the agents every turn
    # and warns every time, but only of the classes themselves: a subclass is warned of once, here.
    warnings.simplefilter("ignore", DeprecationWarning)

    class LearningLoop(LoopAgent):
        """Repeats the cycle until a step escalates."""

    class LearningCycle(SequentialAgent):
        """Explain, quiz, feedback."""


def build_learning_loop(*, tutor: BaseAgent, quiz: BaseAgent, feedback: BaseAgent) -> LoopAgent:
    cycle = LearningCycle(
        name="learning_cycle",
        description="One cycle: explain, quiz, feedback.",
        sub_agents=[tutor, quiz, feedback],
    )
    return LearningLoop(
        name="learning_loop",
        description="Teaches a topic and quizzes the learner until it is mastered; takes the answers to its questions.",
        # No turn needs more rounds than to close one cycle and open the next: a second belt.
        max_iterations=3,
        sub_agents=[cycle],
    )
