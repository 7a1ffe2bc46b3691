"""Do the passages really hold an answer, or do they only sound alike?"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from agents.coordinator.asked_for import gives_what_is_asked, indispensable, is_explained
from agents.coordinator.question import Question, side_names, understand
from agents.coordinator.sections import SectionText, sections
from agents.coordinator.weighing import names_a_term, word_weights
from agents.tutor.defining import mentions
from agents.tutor.reading import read_all
from agents.tutor.wording import contains_phrase, stems
from rag.results import RetrievalResult

# A right passage has a cosine of .3 to .65 with its question and a wrong one .1 to .3, so the words decide
# and the cosine only tips the scales.
_ANSWERABLE = 0.69
_ANSWERABLE_TROUBLE = 0.6  # 'my node hangs': nobody knows the course's word for what goes wrong
_COVERAGE_SHARE = 0.8
_LONELY_SHARE = 0.5
_FULL_SIMILARITY = 0.6
_CONTRAST = re.compile(
    r"\b(?:whereas|unlike|while|differ\w*|but|not|instead|rather|than)\b|\b(?:is|are|has|have)\b.*\band\b.*\b(?:is|are|has|have)\b",
    re.IGNORECASE,
)
_NEARBY = 0.5  # what a word counts that stands elsewhere in the same chapter
_TOGETHER = 0.03  # for each word beyond two that stands with the others: that is no coincidence
_NOWHERE = 0.07  # off, when a word of the question is in no passage at all: a search would have found it


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """Whether the passages answer the question, and which."""

    answerable: bool
    confidence: float  # 0..1
    supporting: tuple[RetrievalResult, ...] = ()
    missing_terms: tuple[str, ...] = ()  # what was asked for and is not there


def is_answerable(
    question: str, results: Sequence[RetrievalResult], *, terms: Collection[str] = ()
) -> Grounding:
    """Judge by the question's own words, where they stand together; terms are the course's concept names."""
    asked = understand(question)
    weights = word_weights(asked, terms)
    if not weights or not results:
        return Grounding(answerable=False, confidence=0.0, missing_terms=asked.words)
    places = sections(results)
    if asked.kind == "difference":
        return _comparison(asked, places, results)
    best = max(places, key=lambda place: _confidence(_coverage(weights, place, places), place.similarity))
    missing = tuple(word for word in weights if not best.has(word))
    # One everyday word, such as 'improve my writing', may stand anywhere.
    lonely = sum(weights.values()) <= 1.0 and not asked.focus and not names_a_term(asked, terms)
    share = _LONELY_SHARE if lonely else _COVERAGE_SHARE
    confidence = _confidence(_coverage(weights, best, places), best.similarity, share=share)
    found = sum(weight for word, weight in weights.items() if word not in missing)
    confidence += _TOGETHER * min(max(found - 2.0, 0.0), 3.0)
    nowhere = [word for word in missing if not any(place.has(word) for place in places)]
    confidence -= _NOWHERE * max((weights[word] for word in nowhere), default=0.0)
    if set(missing) & indispensable(asked) or not gives_what_is_asked(asked, results):
        confidence /= 2
    return Grounding(
        answerable=confidence >= (_ANSWERABLE_TROUBLE if _reports_trouble(asked) else _ANSWERABLE),
        confidence=round(min(max(confidence, 0.0), 1.0), 3),
        supporting=_supporting(weights, places, best),
        missing_terms=missing,
    )


def _reports_trouble(asked: Question) -> bool:
    return asked.kind in ("why", "fact", "yesno") and bool(re.search(r"\bmy\b", asked.text, re.IGNORECASE))


def _coverage(weights: Mapping[str, float], place: SectionText, places: Sequence[SectionText]) -> float:
    """How much of the question stands in one place; what its chapter says elsewhere counts for less."""
    chapter = [other for other in places if other.chapter == place.chapter and not other.is_collected]

    def found(word: str) -> float:
        return 1.0 if place.has(word) else _NEARBY if any(other.has(word) for other in chapter) else 0.0

    return sum(weight * found(word) for word, weight in weights.items()) / sum(weights.values())


def _confidence(coverage: float, similarity: float, *, share: float = _COVERAGE_SHARE) -> float:
    likeness = min(similarity, _FULL_SIMILARITY) / _FULL_SIMILARITY
    return share * coverage + (1 - share) * likeness


def _supporting(
    weights: Mapping[str, float], places: Sequence[SectionText], best: SectionText
) -> tuple[RetrievalResult, ...]:
    """The best place first, then the others that have nearly as much."""
    least = 0.8 * _coverage(weights, best, places)
    others = [
        place for place in places if place is not best and _coverage(weights, place, places) >= least > 0
    ]
    found = [result for place in (best, *others) for result in place.results]
    return tuple({result.chunk_id: result for result in found}.values())


def _comparison(
    asked: Question, places: Sequence[SectionText], results: Sequence[RetrievalResult]
) -> Grounding:
    """Both sides must be there under a name that the course explains, or be set against each other."""
    sentences = [unit.text for unit in read_all(results) if not unit.is_block]
    sides = side_names(*asked.focus)
    together = any(
        _CONTRAST.search(text) and all(any(mentions(text, name) for name in names) for names in sides)
        for text in sentences
    )
    missing = [
        names[-1]
        for names in sides
        if not together and not any(is_explained(name, sentences, results) for name in names)
    ]
    homes = [
        place
        for place in places
        if any(contains_phrase(place.stems, stems(name)) for names in sides for name in names)
    ]
    if missing or not homes:
        return Grounding(answerable=False, confidence=0.0, missing_terms=tuple(missing or asked.focus))
    support = {result.chunk_id: result for place in homes for result in place.results}
    confidence = _confidence(1.0, max(place.similarity for place in homes))
    return Grounding(answerable=True, confidence=round(confidence, 3), supporting=tuple(support.values()))
