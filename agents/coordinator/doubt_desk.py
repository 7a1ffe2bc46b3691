"""Where we doubt what is meant: the course answers, or else the learner says which of a few things it was."""

from textwrap import shorten

from agents.coordinator.grounding import is_answerable
from agents.coordinator.visit import Answer, Decision, LookUp, Visit, numbered
from agents.state import Choice
from rag.index.port import Scope
from rag.retriever import MOST_RESULTS

# What an action is called where one can choose it; the others are no help to somebody who was not understood.
_WAYS = {
    "ask": "Look it up in the course", "teach": "Start a lesson", "change_topic": "Start a lesson",
    "quiz_me": "Ask me questions", "diagnose": "Find out what I know already", "plan": "Plan what to learn next",
    "goal": "Remember it as my goal", "tasks": "See to my to-do list", "next": "Go on", "resume": "Go on where we stopped",
    "hint": "A hint", "give_up": "Show me the answer and go on", "reexplain": "Explain it differently",
    "example": "An example", "analogy": "Compare it with something familiar", "recap": "Sum up what we did",
    "mistakes": "Show what I got wrong", "progress": "Show how far I am", "reviews": "Show what is due for review",
    "why": "Say what that rests on", "disagree": "Look at my last mark again", "remaining": "Say how much is left",
    "short_time": "Make it a short round", "courses": "Show me what there is to learn", "which_course": "Say which course this is",
    "switch_course": "Go to another course", "add_material": "Say how I add my own material", "pause": "Stop here",
    "stop": "Stop here", "reset": "Forget our conversation", "lost": "Suggest ways to go on", "help": "Show what I can say",
}  # fmt: skip
_ABOUT_A_TOPIC = ("teach", "change_topic", "quiz_me", "diagnose", "plan")
_MOST = 3


def ways(*actions: str, topic: str = "") -> list[Choice]:
    """These actions as a learner would choose them, each once."""
    found: dict[str, Choice] = {}
    for action in actions:
        if label := _WAYS.get(action):
            about = topic if action in _ABOUT_A_TOPIC else ""
            named = f"{label}: {about}" if about else label
            found.setdefault(named, Choice(label=named, action=action, topic=about))
    return list(found.values())


async def unsure(visit: Visit) -> Decision:
    """Better one question too many than a request that is graded, or a lesson that nobody wanted."""
    state = visit.state
    kept = state.changes(doubtful_message=visit.message)
    likely = [action for action, _ in visit.intent.alternatives]
    if not likely or "answer" in likely:
        asked = f"Shall I take “{shorten(visit.message, 120, placeholder=' …')}” as your answer? **Yes** or **no**."
        return Answer(text=asked, changes=kept, shows_question=False, status="clarification_needed")
    if "ask" in likely and await _is_answered(visit):
        return LookUp(question=visit.message)
    choices = ways(*likely, "ask", "help", topic=visit.intent.topic)[:_MOST]
    return Answer(
        text=f"I'm not sure what you mean. Would you like me to do one of these?\n\n{numbered(choices)}\n\n"
        "Say a number, or put it another way.",
        changes={**kept, **state.changes(choices=choices)},
        status="clarification_needed",
    )


async def _is_answered(visit: Visit) -> bool:
    """Whether this course, or any where none is chosen, has an answer to the message as it stands."""
    course = visit.state.course
    found = await visit.services.library.retrieve(
        visit.message, top_k=MOST_RESULTS, scope=Scope(course=course or None)
    )
    names = (await visit.services.syllabus(course)).names
    return is_answerable(visit.message, found, terms=names).answerable
