"""What a lesson on the current topic is made of."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial

from agents.language.headings import guides, teaches
from agents.language.words import term_key
from agents.services import Services
from agents.state import SessionState
from agents.syllabus import Syllabus
from agents.teaching.parts import Part
from agents.teaching.questions.aim import aims_in
from agents.teaching.values import Concept, Item, Passage, PassageLike, RetrievalResult
from rag.index import Scope
from rag.retriever import MOST_RESULTS


def current_part(state: SessionState, syllabus: Syllabus) -> Part | None:
    """The part of the topic that is being taught; None when the course does not have it any more."""
    place = state.topic_place
    topic = syllabus.topic_at(place) if place else syllabus.topic(state.current_topic)
    if topic is None:
        return None
    if place is None and state.topic_concepts:
        fitting = (part for part in topic.parts if set(part.names) & set(state.topic_concepts))
        return next(fitting, topic.parts[0])
    return topic.parts[min(state.topic_part, len(topic.parts)) - 1]


def part_passages(part: Part) -> tuple[RetrievalResult, ...]:
    """The passages of a part, each cut to the blocks that belong to it."""
    texts: dict[str, list[str]] = {}
    found: dict[str, Passage] = {}
    for piece in part.pieces:
        found[piece.passage.chunk_id] = piece.passage
        texts.setdefault(piece.passage.chunk_id, []).append(piece.text)
    return tuple(
        RetrievalResult(
            **{**asdict(passage), "chunk_text": "\n\n".join(texts[chunk_id])}, rank=rank, similarity_score=1.0
        )
        for rank, (chunk_id, passage) in enumerate(found.items(), 1)
    )


async def lesson_bank(
    services: Services, state: SessionState, passages: Sequence[RetrievalResult]
) -> tuple[Item, ...]:
    """The questions that the course keeps about these passages and what they teach, in its order."""
    found = await services.library.corpus.items.about(
        state.course,
        chunk_ids=[passage.chunk_id for passage in passages],
        concepts=state.topic_concepts,
    )
    return tuple(found)


async def lesson_passages(state: SessionState, services: Services) -> tuple[RetrievalResult, ...]:
    """The passages of the part that is being taught, in their order.

    From the second round on also what the rest of the course says about the missed concepts, and about what they build on.
    """
    syllabus = await services.syllabus(state.course)
    part = current_part(state, syllabus)
    own = part_passages(part) if part else ()
    if not state.learning_cycle_count:
        return own
    needed = [name for names in foundations(state, syllabus).values() for name in names]
    wanted = dict.fromkeys([*state.improvement_areas, *needed])
    return (*own, *await elsewhere(wanted, state, services, beside=own))


def foundations(state: SessionState, syllabus: Syllabus) -> dict[str, tuple[str, ...]]:
    """What each missed concept builds on, the strongest link first."""
    links = sorted(syllabus.relationships, key=lambda link: -link.weight)
    needs = {
        name: tuple(link.prerequisite for link in links if link.concept == name)
        for name in state.improvement_areas
    }
    return {name: found for name, found in needs.items() if found}


async def elsewhere(
    names: Iterable[str], state: SessionState, services: Services, *, beside: Sequence[RetrievalResult]
) -> list[RetrievalResult]:
    """What the rest of the course tells about some concepts; neither exercises nor title pages do."""
    apart = (await services.syllabus(state.course)).apart
    known = {result.chunk_id for result in beside}
    found: dict[str, RetrievalResult] = {}
    for name in names:
        results = await services.library.retrieve(name, top_k=MOST_RESULTS, scope=Scope(course=state.course))
        found |= {
            result.chunk_id: result
            for result in results
            if result.chunk_id not in known
            and result.chapter_id not in apart
            and teaches(result.heading_hierarchy, chapter_id=result.chapter_id)
        }
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
    """The concepts that the current part teaches; one that only a heading names is a concept too."""
    part = current_part(state, syllabus) if state.topic_place else None
    own = {concept.name: concept for concept in part.concepts} if part else {}
    found = (own.get(name) or syllabus.by_key.get(term_key(name)) for name in state.topic_concepts)
    return tuple(concept for concept in found if concept)


def chapter_concepts(state: SessionState, syllabus: Syllabus) -> tuple[Concept, ...]:
    """The concepts of the topic's chapters: what to ask about, and what it may be confused with."""
    own = topic_concepts(state, syllabus)
    chapters = {concept.chapter_id for concept in own}
    beside = (concept for concept in syllabus.concepts if concept.chapter_id in chapters)
    return tuple(dict.fromkeys([*own, *beside]))


def taught_elsewhere(
    syllabus: Syllabus, passages: Sequence[RetrievalResult], *, here: Iterable[Concept]
) -> tuple[str, ...]:
    """The concepts of other chapters that the passages mention."""
    own = {concept.name for concept in here}
    text = "\n".join(passage.chunk_text for passage in passages).lower()
    return tuple(name for name in syllabus.names if name not in own and name.lower() in text)


def guides_of(syllabus: Syllabus, passages: Sequence[PassageLike]) -> tuple[str, ...]:
    """What the pages of these passages say of what matters in them: summaries, key terms, what one will be able to do."""
    chapters = {passage.chapter_id for passage in passages}
    pages = [each for each in syllabus.passages if each.chapter_id in chapters]
    opening = {each.chapter_id: each for each in reversed(pages)}  # aims may stand there without a heading
    aims = ["\n".join(f"- {aim}" for aim in aims_in(each.chunk_text)) for each in opening.values()]
    return (*filter(None, aims), *(each.chunk_text for each in pages if guides(each.heading_hierarchy)))


async def open_cycle(services: Services, state: SessionState, *, user_id: str, session_id: str) -> int | None:
    """Write down that a round on the current topic has begun; None when it cannot be written now."""
    begun = partial(
        services.learners.open_cycle,
        user_id,
        session_id=session_id,
        topic=state.current_topic,
        cycle_number=state.learning_cycle_count + 1,
        now=services.now(),
    )
    cycle = await services.books.attempt("the beginning of a round", begun)
    return cycle.id if cycle else None


async def close_cycle(
    services: Services, state: SessionState, *, user_id: str, quiz_score: float, is_mastered: bool
) -> None:
    if state.open_cycle_id is not None:
        ended = partial(
            services.learners.close_cycle,
            state.open_cycle_id,
            user_id=user_id,
            quiz_score=quiz_score,
            mastery_achieved=is_mastered,
            now=services.now(),
        )
        await services.books.surely("the end of a round", ended)
