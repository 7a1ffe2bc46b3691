"""Do the passages really hold an answer, or do they only sound alike?"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from agents.coordinator.question import Question, side_names, understand, without_setting
from agents.coordinator.sections import SectionText, sections
from agents.tutor.defining import ABOUT, defines, mentions
from agents.tutor.reading import read_all
from agents.tutor.wording import contains_phrase, content_stems, content_words, is_generic, stem, stems
from rag.results import RetrievalResult
from rag.terms import TermFinder, term_key

# A right passage has a cosine of .3 to .65 with its question and a wrong one .1 to .3, so the words decide
# and the cosine only tips the scales.
_ANSWERABLE = 0.7
_COVERAGE_SHARE = 0.75
_FULL_SIMILARITY = 0.6
_NUMBER_WEIGHT = 0.4
_NEARBY = 0.5  # what a word counts that stands elsewhere in the same chapter
_LONGEST_NAME = 2  # content words

_ASKED_FOR = re.compile(
    r"^(?:(?:on|in|at|by|from|to|for|with|under) )?(?:what|which) (?P<x>.+?) (?:is|are|was|were|do|does|did|can|could|should|will|would|has|have|must|may)\b",
    re.IGNORECASE,
)
_ASKED_FOR_WORD = re.compile(r"^(?:what|which) (?P<x>[\w-]+)\b", re.IGNORECASE)
_HOW_TO = re.compile(
    r"^(?:show me )?how (?:do|does|can|could|should|would|might) (?:i|you|we|one) |^how to ", re.IGNORECASE
)
_MADE_BY = re.compile(
    r"^who (?:\w+ )?(?:invented|wrote|made|makes|created|develop\w*|built|founded|designed|discovered)\b",
    re.IGNORECASE,
)
_BY_NAME = re.compile(r"\bby\s+(?:the\s+)?(?P<name>[A-Z]\w+)")
_DATED = re.compile(r"^(?:when (?:was|were|did)|(?:in |since )?(?:what|which) year)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")


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
    weights = _weights(asked, terms)
    if not weights or not results:
        return Grounding(answerable=False, confidence=0.0, missing_terms=asked.words)
    places = sections(results)
    if asked.kind == "difference":
        return _comparison(asked, places, results)
    best = max(places, key=lambda place: _confidence(_coverage(weights, place, places), place.similarity))
    missing = tuple(word for word in weights if not best.has(word))
    confidence = _confidence(_coverage(weights, best, places), best.similarity)
    if set(missing) & _indispensable(asked) or not _gives_what_is_asked(asked, results):
        confidence /= 2
    return Grounding(
        answerable=confidence >= _ANSWERABLE,
        confidence=round(confidence, 3),
        supporting=_supporting(weights, places, best),
        missing_terms=missing,
    )


def _weights(asked: Question, terms: Collection[str]) -> dict[str, float]:
    """The words to look for; a course's own term counts even where it is an everyday word."""
    finder = TermFinder(key for term in terms if (key := term_key(term)))
    named = {word for key in finder.find(asked.text) for word in key}
    setting = _setting_words(asked)
    return {
        word: _NUMBER_WEIGHT if word.isdigit() or word in setting else 1.0
        for word in asked.words
        if word in asked.subject_words or word in named
    }


def _setting_words(asked: Question) -> set[str]:
    """In 'disparity in stereo vision' the course may take the last two for granted."""
    if asked.kind not in ("definition", "purpose") or not asked.focus:
        return set()
    return set(asked.words) - set(content_words(without_setting(asked.focus[0])))


def _coverage(weights: Mapping[str, float], place: SectionText, places: Sequence[SectionText]) -> float:
    """How much of the question stands in one place, counting its chapter's other places for less."""
    chapter = [other for other in places if other.chapter == place.chapter]
    found = {
        word: 1.0 if place.has(word) else _NEARBY if any(other.has(word) for other in chapter) else 0.0
        for word in weights
    }
    return sum(weights[word] * found[word] for word in weights) / sum(weights.values())


def _confidence(coverage: float, similarity: float) -> float:
    likeness = min(similarity, _FULL_SIMILARITY) / _FULL_SIMILARITY
    return _COVERAGE_SHARE * coverage + (1 - _COVERAGE_SHARE) * likeness


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


def _indispensable(asked: Question) -> set[str]:
    """Words without which it would be another question: what is asked for, or what is to be done."""
    if asked.kind in ("definition", "purpose") and asked.focus:
        return set(content_words(without_setting(asked.focus[0])))
    if wanted := _ASKED_FOR.match(asked.text) or _ASKED_FOR_WORD.match(asked.text):
        return {word for word in content_words(wanted["x"]) if not is_generic(word)}
    if _HOW_TO.match(asked.text):
        verb = content_words(_HOW_TO.sub("", asked.text))[:1]
        return {word for word in verb if not is_generic(word)}
    return set()


def _gives_what_is_asked(asked: Question, results: Sequence[RetrievalResult]) -> bool:
    """A name for 'who made it', a year for 'when was it made', and for 'what is it' more than a mention."""
    sentences = [unit.text for unit in read_all(results) if not unit.is_block]
    about = [text for text in sentences if content_stems(text) & {stem(word) for word in asked.subject_words}]
    if _MADE_BY.match(asked.text):
        return any(
            stem(match["name"].lower()) not in map(stem, asked.subject_words)
            for text in about
            for match in _BY_NAME.finditer(text)
        )
    if _DATED.match(asked.text):
        return any(_YEAR.search(text) for text in about)
    if asked.kind == "definition" and asked.focus:
        return _is_explained(without_setting(asked.focus[0]), sentences, results)
    return True


def _is_explained(name: str, sentences: Sequence[str], results: Sequence[RetrievalResult]) -> bool:
    if len(content_words(name)) > _LONGEST_NAME:
        return True  # a description rather than a name: its words were looked for one by one
    headings = [stems(heading) for result in results for heading in result.heading_hierarchy]
    return any(contains_phrase(heading, stems(name)) for heading in headings) or any(
        defines(sentence, name) >= ABOUT for sentence in sentences
    )


def _comparison(
    asked: Question, places: Sequence[SectionText], results: Sequence[RetrievalResult]
) -> Grounding:
    """Both sides must be there under a name that the course explains, or be set against each other."""
    sentences = [unit.text for unit in read_all(results) if not unit.is_block]
    sides = side_names(*asked.focus)
    together = any(all(any(mentions(text, name) for name in names) for names in sides) for text in sentences)
    missing = [
        names[-1]
        for names in sides
        if not together and not any(_is_explained(name, sentences, results) for name in names)
    ]
    homes = [
        place
        for place in places
        if any(contains_phrase(list(place.stems), stems(name)) for names in sides for name in names)
    ]
    if missing or not homes:
        return Grounding(answerable=False, confidence=0.0, missing_terms=tuple(missing or asked.focus))
    support = {result.chunk_id: result for place in homes for result in place.results}
    confidence = _confidence(1.0, max(place.similarity for place in homes))
    return Grounding(answerable=True, confidence=round(confidence, 3), supporting=tuple(support.values()))
