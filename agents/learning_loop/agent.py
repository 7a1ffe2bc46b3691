"""The learning loop: tutor, quiz, feedback, again until mastered.

A turn ends at a pending question by `escalate`, and the state says where the next message goes on.
The limit of cycles is the state's too: max_iterations would count only within one turn.
"""

import warnings

from google.adk.agents.base_agent import BaseAgent

with warnings.catch_warnings():
    # Deprecated in favour of Workflow, which cannot be a sub-agent yet.
    warnings.simplefilter("ignore", DeprecationWarning)
    from google.adk.agents.loop_agent import LoopAgent
    from google.adk.agents.sequential_agent import SequentialAgent


def build_learning_loop(*, tutor: BaseAgent, quiz: BaseAgent, feedback: BaseAgent) -> BaseAgent:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        cycle = SequentialAgent(
            name="learning_cycle",
            description="One cycle: explain, quiz, feedback.",
            sub_agents=[tutor, quiz, feedback],
        )
        return LoopAgent(
            name="learning_loop",
            description="Teaches a topic and quizzes the learner until it is mastered; takes the answers to its questions.",
            sub_agents=[cycle],
        )
