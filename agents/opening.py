"""A turn opens with one look at the record: what nearly every turn would ask for one by one."""

from agents.glance import know
from agents.lesson_place import elsewhere_key, place_key
from agents.services import Services
from agents.state import SessionState
from storage.lessons import LessonKind
from storage.openings import Openings


async def open_turn(services: Services, state: SessionState, *, user_id: str, session_id: str) -> None:
    """From here on the turn knows what it begins with; what it does not find here it reads itself."""
    question = state.pending_question
    question_id = question.question_id if question else ""
    kind: LessonKind = "diagnostic" if state.is_probing else "quiz"
    found = await Openings(services.database).of(
        user_id, session_id=session_id, kind=kind, question_id=question_id, **place_key(state)
    )
    know("clock", found.clock)
    know(("threshold", user_id), found.own_threshold)
    know((user_id, session_id, kind), found.lesson)
    know(elsewhere_key(state, user_id=user_id, session_id=session_id), found.elsewhere)
    if question_id:
        know(("answers", user_id, question_id), found.answers)
