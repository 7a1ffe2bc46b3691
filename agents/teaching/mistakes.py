"""What mistakes have in common: slips, confusions and patterns, and what to do about each."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Literal, NamedTuple

from rapidfuzz import fuzz

from agents.language.words import TermFinder, capital, clipped, content_set, term_key, words_of
from agents.teaching.grading.rules import grade_blank, in_words
from agents.teaching.values import Concept, ErrorPattern, PatternType, QuizQuestion, QuizResponse

_SHORT = 4  # words beside the small ones: an answer this short is a name, not a description
_FITS = 0.6  # of the answer's words are in the other concept's definition
_FITS_BETTER = 0.2


def confused_with(question: QuizQuestion, answer: str, *, concepts: Mapping[str, Concept]) -> str | None:
    """The concept that the answer is about instead; None when it shows no other."""
    if question.kind == "true_false":
        return None
    said = in_words(answer, question.options)
    asked = term_key(question.concept_name)
    given = set(_names(f"{question.question_text} {question.expected_answer}", concepts)) | {asked}
    others = [key for key in _names(said, concepts) if key not in given]
    names = {term_key(name): name for name in concepts}
    if others and len(content_set(said)) <= _SHORT:
        return names[others[0]]
    return _described(question, said, concepts=concepts)


def _names(text: str, concepts: Mapping[str, Concept]) -> list[tuple[str, ...]]:
    return list(TermFinder(key for name in concepts if (key := term_key(name))).find(text))


def _described(question: QuizQuestion, answer: str, *, concepts: Mapping[str, Concept]) -> str | None:
    """Another concept whose definition the answer fits clearly better than the one that was asked for."""
    words = content_set(answer) - content_set(question.concept_name)
    own = concepts.get(question.concept_name)
    right = content_set(f"{question.expected_answer} {own.definition if own else ''}")
    if not words:
        return None
    fits = {
        name: len(words & content_set(concept.definition)) / len(words)
        for name, concept in concepts.items()
        if name != question.concept_name and words & content_set(concept.definition) - right
    }
    best = max(fits, key=lambda name: fits[name], default=None)
    if best is None or fits[best] < max(_FITS, len(words & right) / len(words) + _FITS_BETTER):
        return None
    return best


_SAID_SO = ", and saying so was the right thing to do."


def in_a_row(descriptions: Iterable[str]) -> str:
    """Several mistakes one after the other; what was said of the first is not said again."""
    said: list[str] = []
    for each in descriptions:
        repeats = each.endswith(_SAID_SO) and any(earlier.endswith(_SAID_SO) for earlier in said)
        said.append(each.removesuffix(_SAID_SO) + ", too." if repeats else each)
    return " ".join(said)


_QUOTE = 40
_ALIKE = 80  # of 100
_LEAST_LETTERS = 4
_MOST_WORDS = 4


def is_no_answer(answer: str) -> bool:
    """Nothing, or a way to say 'I don't know'."""
    return grade_blank(answer) is not None


def is_misspelt(answer: str, *, expected: str) -> bool:
    """A short answer that is the expected one but for a few letters."""
    wrote, meant = " ".join(words_of(answer)), " ".join(words_of(expected))
    if len(meant) < _LEAST_LETTERS or len(meant.split()) > _MOST_WORDS or re.search(r"\d", meant):
        return False
    return wrote != meant and fuzz.ratio(wrote, meant) >= _ALIKE


Clue = Literal["confusion", "swap", "missed", "no answer", "order", "partly", "spelling", "quick"]


class _Words(NamedTuple):
    """What kind of mistake a clue speaks for, what happened in one sentence to the learner, and what to do about it."""

    pattern_type: PatternType
    description: str
    remediation: str


_SIDE_BY_SIDE = (
    "Put {concept} and {other} side by side: what does one do that the other doesn't? Read {where} again."
)
_WORDS: Mapping[Clue, _Words] = {
    "confusion": _Words("conceptual", "You answered with {other} where {concept} was meant.", _SIDE_BY_SIDE),
    "swap": _Words(
        "conceptual", "You swapped {concept} and {other}: each got the other's place.", _SIDE_BY_SIDE
    ),
    "missed": _Words(
        "conceptual",
        "The idea of {concept} is not quite there yet.",
        "Read {where} again, then say it in your own words.",
    ),
    "no answer": _Words(
        "conceptual",
        "{Concept} is still open" + _SAID_SO,
        "Start with {where}, and note one sentence about it.",
    ),
    "order": _Words(
        "procedural",
        "You have the pieces of {concept}, but not their order yet.",
        "Walk through the steps in {where} once more, and ask of each what it needs from the one before.",
    ),
    "partly": _Words(
        "procedural",
        "Part of your answer on {concept} is right, and something is still missing.",
        "Compare your answer with {where}, sentence by sentence.",
    ),
    "spelling": _Words(
        "careless",
        "You knew {concept}, only the spelling slipped: {expected}.",
        "Nothing to study. Just look twice before you send.",
    ),
    "quick": _Words(
        "careless",
        "{Concept} was a quick slip: you have shown before that you know it.",
        "Nothing to study. Take a second breath before you send.",
    ),
}
_NEED: Mapping[PatternType, int] = {"conceptual": 3, "procedural": 2, "careless": 1}

_LEAST_TIMES = 4
_QUICK = 0.5  # of the learner's usual time
_KNOWN_FROM = 0.7
_SHAKY_BELOW = 0.6  # about even odds that the idea is there
_PARTLY_FROM = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What was known of the learner before this quiz."""

    chances: Mapping[str, float] = field(default_factory=dict)  # concept -> chance of a right answer
    seconds: tuple[float, ...] = ()  # what earlier answers took


def find_patterns(
    questions: Sequence[QuizQuestion],
    responses: Sequence[QuizResponse],
    *,
    history: History,
    concepts: Sequence[Concept] = (),
    places: Mapping[str, str] | None = None,
) -> list[ErrorPattern]:
    """Group what the last answers to each question got wrong, the deepest first; places are where passages stand, by chunk id."""
    asked = {question.question_id: question for question in questions}
    last = {response.question_id: response for response in responses if response.question_id in asked}
    course = {concept.name: concept for concept in concepts}
    usual = _usual_seconds(history, responses)
    groups: dict[tuple[Clue, frozenset[str]], list[QuizQuestion]] = {}
    for name, response in last.items():
        if not response.is_correct:
            question = asked[name]
            other = confused_with(question, response.learner_answer, concepts=course)
            clue = _clue(question, response, history=history, usual=usual, is_confused=other is not None)
            # One taken for the other is the same confusion in both directions.
            between = (
                {question.concept_name, other} if other and clue == "confusion" else {question.concept_name}
            )
            groups.setdefault((clue, frozenset(between)), []).append(question)
    patterns = [_pattern(*key, group, places=places or {}) for key, group in groups.items()]
    return sorted(
        patterns, key=lambda pattern: (-_NEED[pattern.pattern_type], -len(pattern.affected_questions))
    )


def improvement_areas(
    patterns: Sequence[ErrorPattern],
    questions: Sequence[QuizQuestion],
    *,
    chances: Mapping[str, float] | None = None,
) -> list[str]:
    """The concepts to work on, most needed first: deep and frequent mistakes before slips.

    After those that were missed come those that the answers of all rounds speak against: a right guess in the
    last one does not settle them.
    """
    concept_of = {question.question_id: question.concept_name for question in questions}
    need: dict[str, int] = {}
    for pattern in patterns:
        for question_id in pattern.affected_questions:
            if question_id in concept_of:
                concept = concept_of[question_id]
                need[concept] = need.get(concept, 0) + _NEED[pattern.pattern_type]
    chances = chances or {}
    missed = sorted(need, key=lambda concept: (-need[concept], chances.get(concept, 0.0), concept))
    shaky = [name for name in chances if name not in need and chances[name] < _SHAKY_BELOW]
    return [*missed, *sorted(shaky, key=lambda name: (chances[name], name))]


def _clue(
    question: QuizQuestion,
    response: QuizResponse,
    *,
    history: History,
    usual: float | None,
    is_confused: bool,
) -> Clue:
    """The strongest evidence decides: first what the answer itself shows, then how it came about."""
    answer, expected = response.learner_answer, question.expected_answer
    if is_no_answer(answer):
        return "no answer"
    if question.kind == "ordering":
        return "order"
    is_typed = question.kind in ("short_answer", "cloze")
    if is_typed and not is_confused and is_misspelt(answer, expected=expected):
        return "spelling"
    known = history.chances.get(question.concept_name, 0.0) >= _KNOWN_FROM
    if known and usual and response.time_taken_seconds < _QUICK * usual:
        return "quick"
    if is_confused:
        return "confusion"
    return "partly" if response.score >= _PARTLY_FROM else "missed"


def _usual_seconds(history: History, responses: Sequence[QuizResponse]) -> float | None:
    """The median of the learner's own times; None before there are enough of them."""
    times = [*history.seconds, *(response.time_taken_seconds for response in responses)]
    return median(times) if len(times) >= _LEAST_TIMES else None


def _pattern(
    clue: Clue, between: frozenset[str], group: Sequence[QuizQuestion], *, places: Mapping[str, str]
) -> ErrorPattern:
    first = group[0]
    is_swap = len({question.concept_name for question in group}) > 1
    words = _WORDS["swap" if is_swap else clue]
    said = {
        "concept": first.concept_name,
        "Concept": capital(first.concept_name),
        "other": "".join(between - {first.concept_name}),
        "expected": clipped(first.expected_answer.strip(), most=_QUOTE),
        "where": places.get(first.chunk_id) or f"the passage on {first.concept_name}",
    }
    return ErrorPattern(
        pattern_type=words.pattern_type,
        description=words.description.format_map(said),
        affected_questions=tuple(question.question_id for question in group),
        suggested_remediation=words.remediation.format_map(said),
    )
