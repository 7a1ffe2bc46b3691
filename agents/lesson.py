"""What a lesson on the current topic is made of."""

from collections.abc import Iterable, Sequence

from agents.services import Services
from agents.state import SessionState
from agents.syllabus import Syllabus
from rag.index.port import Scope
from rag.results import RetrievalResult
from rag.retriever import MOST_RESULTS
from rag.terms import term_key
from storage.course import Concept

_MOST_ELSEWHERE = 3  # passages a concept


async def lesson_passages(state: SessionState, services: Services) -> tuple[RetrievalResult, ...]:
    """The passages of the topic's chapter that are about its concepts, best first.

    From the second round on also what the rest of the course says about the missed ones, and about what they build on.
    """
    syllabus = await services.syllabus(state.course)
    chapters = dict.fromkeys(syllabus.chapter_of(name) for name in state.topic_concepts)
    query = ", ".join([state.current_topic, *state.topic_concepts])
    found: list[RetrievalResult] = []
    for chapter in chapters:
        scope = Scope(course=state.course, within=chapter or None)
        found += await services.library.retrieve(query, top_k=MOST_RESULTS, scope=scope)
    found = found[: 2 * MOST_RESULTS]
    if state.learning_cycle_count:
        needed = [name for names in foundations(state, syllabus).values() for name in names]
        found += await _elsewhere(
            dict.fromkeys([*state.improvement_areas, *needed]), state, services, beside=found
        )
    return tuple(found)


def foundations(state: SessionState, syllabus: Syllabus) -> dict[str, tuple[str, ...]]:
    """What each missed concept builds on, the strongest link first."""
    links = sorted(syllabus.relationships, key=lambda link: -link.weight)
    needs = {
        name: tuple(link.prerequisite for link in links if link.concept == name)
        for name in state.improvement_areas
    }
    return {name: found for name, found in needs.items() if found}


async def _elsewhere(
    names: Iterable[str], state: SessionState, services: Services, *, beside: Sequence[RetrievalResult]
) -> list[RetrievalResult]:
    known = {result.chunk_id for result in beside}
    found: dict[str, RetrievalResult] = {}
    for name in names:
        results = await services.library.retrieve(
            name, top_k=_MOST_ELSEWHERE, scope=Scope(course=state.course)
        )
        found |= {result.chunk_id: result for result in results if result.chunk_id not in known}
    return list(found.values())


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


async def open_cycle(services: Services, state: SessionState, *, user_id: str, session_id: str) -> int:
    """Write down that a round on the current topic has begun."""
    cycle = await services.learners.open_cycle(
        user_id,
        session_id=session_id,
        topic=state.current_topic,
        cycle_number=state.learning_cycle_count + 1,
        now=services.now(),
    )
    return cycle.id


async def leave_cycle(services: Services, state: SessionState, *, user_id: str) -> None:
    """Close a round that is left before its end, with what was reached."""
    if state.open_cycle_id is not None:
        await services.learners.close_cycle(
            state.open_cycle_id,
            user_id=user_id,
            quiz_score=state.quiz_score,
            mastery_achieved=False,
            now=services.now(),
        )
