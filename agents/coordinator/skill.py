"""The coordinator's language skill behind the embedded model: answers from passages, or asks back."""

from pydantic import BaseModel

from agents.coordinator.answer import GroundedAnswer, answer_question
from agents.models.embedded import Reply, Request
from rag.results import RetrievalResult


class CoordinatorBrief(BaseModel):
    """What was said before, what is asked, what was found, and what the course covers."""

    history: tuple[tuple[str, str], ...] = ()
    question: str = ""
    passages: tuple[RetrievalResult, ...] = ()
    course_topics: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    already_said: str = ""


def grounded_answer(brief: CoordinatorBrief) -> GroundedAnswer:
    return answer_question(
        brief.question,
        brief.passages,
        course_topics=brief.course_topics,
        terms=brief.terms,
        already_said=brief.already_said,
    )


def speak(request: Request) -> Reply:
    brief = CoordinatorBrief.model_validate(request.brief)
    if "retrieve_context" in request.tool_results:
        return Reply(text=grounded_answer(brief).text)
    return Reply(tool="retrieve_context", arguments={"query": brief.question or request.message})
