"""What a lesson on the current topic is made of."""

from agents.services import Services
from agents.state import SessionState
from agents.syllabus import Syllabus
from rag.index.port import Scope
from rag.results import RetrievalResult
from rag.retriever import MOST_RESULTS
from rag.terms import term_key
from storage.course import Concept


async def lesson_passages(state: SessionState, services: Services) -> tuple[RetrievalResult, ...]:
    """The passages of the topic's chapter that are about its concepts, best first."""
    syllabus = await services.syllabus(state.course)
    chapters = dict.fromkeys(syllabus.chapter_of(name) for name in state.topic_concepts)
    query = ", ".join([state.current_topic, *state.topic_concepts])
    found: list[RetrievalResult] = []
    for chapter in chapters:
        scope = Scope(course=state.course, within=chapter or None)
        found += await services.library.retrieve(query, top_k=MOST_RESULTS, scope=scope)
    return tuple(found[: 2 * MOST_RESULTS])


async def glossary_passages(state: SessionState, services: Services) -> tuple[RetrievalResult, ...]:
    """The passages outside the topic's chapters that define its concepts: the same ideas in other words."""
    concepts = topic_concepts(state, await services.syllabus(state.course))
    chapters = {concept.chapter_id for concept in concepts}
    definitions = [concept.definition for concept in concepts if concept.kind == "glossary"]
    if not definitions:
        return ()
    query = ", ".join(state.topic_concepts)
    found = await services.library.retrieve(query, top_k=MOST_RESULTS, scope=Scope(course=state.course))
    return tuple(
        result
        for result in found
        if result.chapter_id not in chapters and any(text in result.chunk_text for text in definitions)
    )


def topic_concepts(state: SessionState, syllabus: Syllabus) -> tuple[Concept, ...]:
    """The concepts that the current topic teaches."""
    found = (syllabus.by_key.get(term_key(name)) for name in state.topic_concepts)
    return tuple(concept for concept in found if concept)


def chapter_concepts(state: SessionState, syllabus: Syllabus) -> tuple[Concept, ...]:
    """The concepts of the topic's chapters: what to ask about, and what it may be confused with."""
    chapters = {concept.chapter_id for concept in topic_concepts(state, syllabus)}
    return tuple(concept for concept in syllabus.concepts if concept.chapter_id in chapters)
