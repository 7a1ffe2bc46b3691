"""Answer a question in the course's own sentences, each with its source."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agents.coordinator.composing import compose, speaks_to
from agents.coordinator.grounding import is_answerable
from agents.coordinator.question import understand
from agents.coordinator.unknown import say_no_more, say_unknown
from agents.tutor.citations import Citation
from agents.tutor.quoting import Citer
from agents.tutor.reading import Unit
from rag.results import RetrievalResult


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundedAnswer:
    """What the learner reads; grounded exactly when there are citations."""

    text: str
    citations: tuple[Citation, ...]
    grounded: bool


def answer_question(
    question: str,
    results: Sequence[RetrievalResult],
    *,
    course_topics: Sequence[str],
    terms: Collection[str] = (),
    already_said: str = "",
) -> GroundedAnswer:
    """The best few sentences for the question with a **Sources** footer, or what the course covers instead.

    terms are the names of the course's concepts; already_said is what "tell me more" should not repeat.
    """
    grounding = is_answerable(question, results, terms=terms)
    units: list[Unit] = []
    if grounding.answerable:
        asked = understand(question)
        units = compose(asked, grounding, results, terms=terms, already_said=already_said)
        units = units if speaks_to(asked, units, terms=terms) else []
    if not units:
        is_more = grounding.answerable and already_said
        text = (
            say_no_more(question)
            if is_more
            else say_unknown(question, grounding, course_topics=course_topics)
        )
        return GroundedAnswer(text=text, citations=(), grounded=False)
    citer = Citer()
    body = citer.quote(units)
    text = f"{body}\n{citer.footer(question)}"
    return GroundedAnswer(text=text, citations=citer.citations, grounded=True)
