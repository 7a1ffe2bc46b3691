"""What a message means after what was just said, where that settles it."""

from dataclasses import replace

from agents.coordinator.followup_forms import ASKS_MORE, BARE_WHY
from agents.coordinator.intents import ROUTES, Action, Intent
from agents.coordinator.picking import picked_step
from agents.coordinator.question import bare
from agents.coordinator.verdicts import MARKING
from agents.services import Services
from agents.state import QuizQuestion, SessionState
from rag.terms import words_of
from storage.tasks import Tasks

# After these a bare 'why?' is about the verdict, not about the course.
_EXPLAINED = (*MARKING, "progress")
_A_GUESS = 0.4  # how surely a few words are something to look up


def in_context(intent: Intent, message: str, state: SessionState) -> Intent:
    """The intent as the conversation makes it."""

    def sure(action: Action, reason: str, *, topic: str = "") -> Intent:
        route = ROUTES.get(action, "coordinator")
        return replace(intent, action=action, route=route, topic=topic, confidence=1.0, reason=reason)

    if BARE_WHY.fullmatch(bare(message)) and state.last_intent in _EXPLAINED:
        return sure("why", "asks why after a verdict")
    if not state.quiz_paused and says_an_answer(message, state.pending_question):
        return sure("answer", "says one of the answers")
    if state.pending_question:
        return intent
    if ASKS_MORE.match(bare(message)) and state.last_intent == "ask":
        return sure("ask", "asks for more of the answer")
    if state.last_routed_to == "pathplanner" and (
        step := picked_step(message, str(state.last_response.get("answer", "")))
    ):
        return sure("teach", "picks a step of the plan", topic=step)
    return intent


async def names_own_task(services: Services, intent: Intent, message: str, *, user_id: str) -> bool:
    """Whether a few words that could be anything, such as 'complete call', are about a task that is open."""
    if intent.action not in ("ask", "unclear") or intent.confidence > _A_GUESS:
        return False
    # Here, because few messages come this far.
    from agents.task_manager.intents import understand

    command = understand(message)
    wanted = set(words_of(command.entities.reference or "")) - {"the", "my", "a", "an"}
    if command.intent not in ("complete", "delete", "update") or not wanted:
        return False
    tasks = await Tasks(services.database).list(user_id, now=services.now(), status="pending")
    return any(wanted <= set(words_of(task.title)) for task in tasks)


def says_an_answer(message: str, question: QuizQuestion | None) -> bool:
    """Whether a message is word for word an option or the key, which no other reading can outweigh."""
    if question is None:
        return False
    said = words_of(message)
    return any(said == words_of(text) for text in (question.expected_answer, *question.options))
