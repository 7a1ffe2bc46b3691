"""What a letter stands for: as the open lesson has it, before the rest of the course."""

from collections.abc import Sequence

from agents.citations import with_marker, with_sources
from agents.coordinator.visit import LookUp, Say, Visit
from agents.language.symbols import best_said, symbol_in
from agents.lesson_material import as_results, current_part, part_passages
from agents.syllabus import Syllabus
from agents.teaching.questions.ahead import without_keys
from agents.teaching.values import RetrievalResult
from rag.index import Scope
from rag.retriever import MOST_PASSAGES


async def letter_of(visit: Visit, question: str) -> LookUp | None:
    """The sentence that says what a letter is: of the lesson, of its page, of what a search finds; None for any other question."""
    state, services = visit.state, visit.services
    symbol = symbol_in(question)
    if not state.course or not symbol:
        return None
    syllabus = await services.syllabus(state.course)
    lesson = _lesson(visit, syllabus)
    pages = {each.chapter_id for each in lesson}
    page = as_results(each for each in syllabus.passages if each.chapter_id in pages)
    if said := _said_in(lesson, symbol, visit) or _said_in(page, symbol, visit):
        return LookUp(question=question, passages=said.sources, instead=said)
    found = await services.library.retrieve(question, top_k=MOST_PASSAGES, scope=Scope(course=state.course))
    said = _said_in(found, symbol, visit)
    return LookUp(question=question, passages=said.sources, instead=said) if said else None


def _lesson(visit: Visit, syllabus: Syllabus) -> Sequence[RetrievalResult]:
    """The passages of the lesson that is open, or was told last."""
    state = visit.state
    is_told = bool(state.explanation) and state.topic_place is not None
    part = current_part(state, syllabus) if is_told else None
    return part_passages(part) if part else ()


def _said_in(passages: Sequence[RetrievalResult], symbol: str, visit: Visit) -> Say | None:
    place, sentence = best_said(symbol, [each.chunk_text for each in passages])
    if place < 0:
        return None
    told = without_keys(with_marker(sentence, "[1]"), visit.state.unanswered)
    text, sources = with_sources(told, [passages[place]])
    return Say(text=text, sources=sources)
