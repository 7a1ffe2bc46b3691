"""The words that routing uses: routes, actions, and what the conversation knows."""

from dataclasses import dataclass
from typing import Literal, get_args

from agents.state import QuestionKind

Route = Literal["coordinator", "diagnostic", "pathplanner", "task_manager", "learning_loop"]
Action = Literal[
    "answer", "ask", "teach", "quiz_me", "diagnose", "plan", "goal", "tasks", "progress", "greet", "help", "thanks",
    "small_talk", "reset", "pause", "resume", "stop", "skip", "hint", "disagree", "change_topic",
    "show_question_again", "next", "yes", "no", "why", "courses", "unclear", "empty",
]  # fmt: skip
Awaiting = Literal["", "task_confirmation", "task_clarification", "task_answer", "suggestion"]

ACTIONS: tuple[Action, ...] = get_args(Action)
# Whatever is not named here the coordinator serves itself.
ROUTES: dict[Action, Route] = {
    "answer": "learning_loop",
    "teach": "learning_loop",
    "quiz_me": "learning_loop",
    "change_topic": "learning_loop",
    "next": "learning_loop",
    "diagnose": "diagnostic",
    "plan": "pathplanner",
    "goal": "pathplanner",
    "tasks": "task_manager",
}
WITH_TOPIC: frozenset[Action] = frozenset({"teach", "quiz_me", "change_topic", "diagnose", "plan"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What a message asks for."""

    route: Route
    action: Action
    topic: str = ""
    confidence: float
    alternatives: tuple[tuple[str, float], ...] = ()
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingContext:
    """What the conversation knows that the message does not say."""

    question_kind: QuestionKind | None = None
    question_text: str = ""
    options: tuple[str, ...] = ()
    quiz_paused: bool = False
    awaiting: Awaiting = ""
    tasks_listed: bool = False  # the learner has just seen their tasks, and may speak of 'the second'
    tasks_in_hand: bool = False  # the last message was about tasks, and 'it' may be one
    topic_names: tuple[str, ...] = ()
