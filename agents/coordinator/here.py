"""From where the learner is: what the open lesson says comes before the rest of the course."""

from collections.abc import Sequence

from agents.citations import with_marker, with_sources
from agents.coordinator.offline import is_answerable
from agents.coordinator.question import resolve, subject_of
from agents.coordinator.visit import LookUp, Say, Visit, last_exchange
from agents.language.symbols import best_said, symbol_in
from agents.language.words import term_key
from agents.lesson_material import as_results, current_part, part_passages
from agents.syllabus import Syllabus
from agents.teaching.questions.ahead import without_keys
from agents.teaching.values import RetrievalResult
from rag.index import Scope
from rag.retriever import MOST_PASSAGES

_ALL = 0.999  # of what the question names


async def from_here(visit: Visit, question: str) -> LookUp | None:
    """The answer of the open lesson, where it has one, and what a letter stands for wherever the course says it."""
    state, services = visit.state, visit.services
    if not state.course:
        return None
    syllabus = await services.syllabus(state.course)
    lesson = _lesson(visit, syllabus)
    if symbol := symbol_in(question):
        return await _letter(visit, question, symbol, lesson, syllabus)
    asked = resolve(question, history=last_exchange(state), topic=state.current_topic, terms=syllabus.names)
    if _is_taught_elsewhere(asked, lesson, syllabus):
        return None
    grounding = is_answerable(asked, lesson, terms=syllabus.names)
    if not grounding.answerable or grounding.asked.share(grounding.candidates[0].own) < _ALL:
        return None
    return LookUp(question=asked, passages=tuple(lesson))


def _is_taught_elsewhere(asked: str, lesson: Sequence[RetrievalResult], syllabus: Syllabus) -> bool:
    """“What is a node?” in a lesson on topics: another place defines it, and this one only speaks of it."""
    here = {each.chunk_id for each in lesson}
    named = {term_key(each) for each in subject_of(asked, terms=syllabus.names).split(" and ")}
    return any(term_key(each.name) in named and each.chunk_id not in here for each in syllabus.concepts)


def _lesson(visit: Visit, syllabus: Syllabus) -> Sequence[RetrievalResult]:
    """The passages of the lesson that is open, or was told last."""
    state = visit.state
    is_told = bool(state.explanation) and state.topic_place is not None
    part = current_part(state, syllabus) if is_told else None
    return part_passages(part) if part else ()


async def _letter(
    visit: Visit, question: str, symbol: str, lesson: Sequence[RetrievalResult], syllabus: Syllabus
) -> LookUp | None:
    """The sentence that says it: of the lesson, of its page, of what a search finds."""
    pages = {each.chapter_id for each in lesson}
    page = as_results(each for each in syllabus.passages if each.chapter_id in pages)
    scope = Scope(course=visit.state.course)
    elsewhere = await visit.services.library.retrieve(question, top_k=MOST_PASSAGES, scope=scope)
    for passages in (lesson, page, elsewhere):
        place, sentence = best_said(symbol, [each.chunk_text for each in passages])
        if place < 0:
            continue
        found = passages[place]
        told = without_keys(with_marker(sentence, "[1]"), visit.state.unanswered)
        text, sources = with_sources(told, [found])
        said = Say(text=text, sources=sources)
        return LookUp(question=question, passages=(found,), instead=said)
    return None
