"""What mistakes have in common: slips, confusions and patterns, and what to do about each."""

import difflib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from agents.language.phrases import capital, clipped
from agents.teaching.values import ErrorPattern, PatternType, QuizQuestion, QuizResponse
from rag.terms import TermFinder, term_key, words_of
from storage.course import Concept

_SHORT = 4  # words beside the small ones: an answer this short is a name, not a description
_FITS = 0.6  # of the answer's words are in the other concept's definition
_FITS_BETTER = 0.2
_SMALL = frozenset(
    words_of(
        "a an the of to in on at by for from with and or but is are was be been it its this that these those "
        "which who what when where how as than then there not no can may will do does has have i you we they one "
        "some any each every all both part thing kind type so if only also just more most"
    )
)
_LETTER = re.compile(r"^\W*([a-h])\W*$", re.IGNORECASE)
_POSITION = re.compile(r"^\W*(?:option\s+|number\s+)?(\d)\W*$", re.IGNORECASE)


def chosen_option(answer: str, options: Sequence[str]) -> str:
    """The option that a letter or a number stands for; otherwise the answer as it is."""
    if answer in options:
        return answer
    letter, position = _LETTER.match(answer), _POSITION.match(answer)
    place = (
        ord(letter.group(1).lower()) - ord("a") if letter else int(position.group(1)) - 1 if position else -1
    )
    return options[place] if 0 <= place < len(options) else answer


def confused_with(question: QuizQuestion, answer: str, *, concepts: Mapping[str, Concept]) -> str | None:
    """The concept that the answer is about instead; None when it shows no other."""
    if question.kind == "true_false":
        return None
    said = chosen_option(answer, question.options)
    asked = term_key(question.concept_name)
    given = set(_names(f"{question.question_text} {question.expected_answer}", concepts)) | {asked}
    others = [key for key in _names(said, concepts) if key not in given]
    names = {term_key(name): name for name in concepts}
    if others and len(_content(said)) <= _SHORT:
        return names[others[0]]
    return _described(question, said, concepts=concepts)


def _names(text: str, concepts: Mapping[str, Concept]) -> list[tuple[str, ...]]:
    return list(TermFinder(key for name in concepts if (key := term_key(name))).find(text))


def _described(question: QuizQuestion, answer: str, *, concepts: Mapping[str, Concept]) -> str | None:
    """Another concept whose definition the answer fits clearly better than the one that was asked for."""
    words = _content(answer) - _content(question.concept_name)
    own = concepts.get(question.concept_name)
    right = _content(f"{question.expected_answer} {own.definition if own else ''}")
    if not words:
        return None
    fits = {
        name: len(words & _content(concept.definition)) / len(words)
        for name, concept in concepts.items()
        if name != question.concept_name and words & _content(concept.definition) - right
    }
    best = max(fits, key=lambda name: fits[name], default=None)
    if best is None or fits[best] < max(_FITS, len(words & right) / len(words) + _FITS_BETTER):
        return None
    return best


def _content(text: str) -> set[str]:
    return set(words_of(text)) - _SMALL


_QUOTE = 40
_SAID_SO = ", and saying so was the right thing to do."


def description(clue: str, *, concept: str, other: str, wrote: str, expected: str) -> str:
    """What happened, in one sentence to the learner."""
    said, meant = clipped(wrote.strip(), most=_QUOTE), clipped(expected.strip(), most=_QUOTE)
    sentences = {
        "confusion": f"You answered with {other} where {concept} was meant.",
        "swap": f"You swapped {concept} and {other}: each got the other's place.",
        "missed": f"The idea of {concept} is not quite there yet.",
        "no answer": f"{capital(concept)} is still open{_SAID_SO}",
        "order": f"You have the pieces of {concept}, but not their order yet.",
        "unit": f"Your number for {concept} is right, only the unit is not: {meant}.",
        "conversion": f"Your way to {concept} is right, but a conversion got lost: {meant}, not {said}.",
        "partly": f"Part of your answer on {concept} is right, and something is still missing.",
        "spelling": f"You knew {concept}, only the spelling slipped: {meant}.",
        "digits": f"A number slipped on {concept}: {meant}, not {said}.",
        "quick": f"{capital(concept)} was a quick slip: you have shown before that you know it.",
    }
    return sentences[clue]


def in_a_row(descriptions: Iterable[str]) -> str:
    """Several mistakes one after the other; what was said of the first is not said again."""
    said: list[str] = []
    for each in descriptions:
        repeats = each.endswith(_SAID_SO) and any(earlier.endswith(_SAID_SO) for earlier in said)
        said.append(each.removesuffix(_SAID_SO) + ", too." if repeats else each)
    return " ".join(said)


def remediation(clue: str, *, concept: str, other: str, place: str) -> str:
    """What to do about it, with the passage to read again."""
    where = place or f"the passage on {concept}"
    advice = {
        "confusion": f"Put {concept} and {other} side by side: what does one do that the other doesn't? "
        f"Read {where} again.",
        "missed": f"Read {where} again, then say it in your own words.",
        "no answer": f"Start with {where}, and note one sentence about it.",
        "order": f"Walk through the steps in {where} once more, and ask of each what it needs from the one before.",
        "unit": f"Write the unit next to every number, as {where} does.",
        "conversion": f"Do the calculation in {where} again, with the units written down.",
        "partly": f"Compare your answer with {where}, sentence by sentence.",
        "spelling": "Nothing to study. Just look twice before you send.",
        "digits": "Nothing to study. Just check the number before you send.",
        "quick": "Nothing to study. Take a second breath before you send.",
    }
    return advice[clue]


NumberSlip = Literal["digits", "unit", "conversion"]

_NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")
_ALIKE = 0.8
_LEAST_LETTERS = 4
_MOST_WORDS = 4
# Thousands, minutes and hours, degrees and radians: what a forgotten conversion leaves.
_FACTORS = (10, 100, 1000, 1_000_000, 60, 3600, 180 / math.pi)
_NO_ANSWER = re.compile(
    r"(?:(?:sorry|um+|hm+)\W+)?(?:i\W+)?(?:really\W+|just\W+|honestly\W+)?"
    r"(?:don['’]?t\s+know|do\s+not\s+know|dunno|idk|(?:have\s+)?no\s+(?:idea|clue)|(?:['’]?m\s+|am\s+)?not\s+sure|"
    r"pass|skip|can['’]?t\s+remember|forgot)\b[\s\w',.!?’]{0,20}",
    re.IGNORECASE,
)


def is_no_answer(answer: str) -> bool:
    """Nothing, or a way to say 'I don't know'."""
    return not words_of(answer) or _NO_ANSWER.fullmatch(answer.strip()) is not None


def is_misspelt(answer: str, *, expected: str) -> bool:
    """A short answer that is the expected one but for a few letters."""
    wrote, meant = " ".join(words_of(answer)), " ".join(words_of(expected))
    if len(meant) < _LEAST_LETTERS or len(meant.split()) > _MOST_WORDS or _NUMBER.search(expected):
        return False
    return wrote != meant and difflib.SequenceMatcher(None, wrote, meant).ratio() >= _ALIKE


def number_slip(answer: str, *, expected: str) -> NumberSlip | None:
    """How a wrong number came about, where that can be seen; only for answers of one number."""
    wrote, meant = _only_number(answer), _only_number(expected)
    if wrote is None or meant is None:
        return None
    unit, right_unit = _words_around(answer), _words_around(expected)
    if wrote == meant:
        return "unit" if unit != right_unit else None
    if unit not in ([], right_unit):
        return None  # another number in another unit may be as right as the expected one
    ratio = abs(wrote / meant) if wrote and meant else 1.0
    off = max(ratio, 1 / ratio)
    if any(math.isclose(off, factor, rel_tol=0.01) for factor in _FACTORS):
        return "conversion"
    return "digits" if wrote == -meant or _digits(answer) == _digits(expected) else None


def _only_number(text: str) -> float | None:
    found = _NUMBER.findall(text)
    return float(found[0].replace(",", "").replace("−", "-")) if len(found) == 1 else None


def _digits(text: str) -> list[str]:
    """In one order, so that 27 and 72 are the same."""
    return sorted(character for character in _NUMBER.findall(text)[0] if character.isdigit())


def _words_around(text: str) -> list[str]:
    return sorted(words_of(_NUMBER.sub(" ", text)))


Clue = Literal[
    "confusion", "missed", "no answer", "order", "unit", "conversion", "partly", "spelling", "digits", "quick"
]

_TYPES: Mapping[Clue, PatternType] = {
    "confusion": "conceptual",
    "missed": "conceptual",
    "no answer": "conceptual",
    "order": "procedural",
    "unit": "procedural",
    "conversion": "procedural",
    "partly": "procedural",
    "spelling": "careless",
    "digits": "careless",
    "quick": "careless",
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One wrong answer and what it shows."""

    question: QuizQuestion
    response: QuizResponse
    clue: Clue
    confused_with: str = ""

    @property
    def concept(self) -> str:
        return self.question.concept_name

    @property
    def pattern_type(self) -> PatternType:
        return _TYPES[self.clue]


def find_mistakes(
    questions: Sequence[QuizQuestion],
    responses: Sequence[QuizResponse],
    *,
    history: History,
    concepts: Sequence[Concept] = (),
) -> list[Mistake]:
    """Judge the last answer to each question, where it was wrong."""
    asked = {question.question_id: question for question in questions}
    last = {response.question_id: response for response in responses if response.question_id in asked}
    course = {concept.name: concept for concept in concepts}
    usual = _usual_seconds(history, responses)
    return [
        _judge(asked[name], response, history=history, usual=usual, course=course)
        for name, response in last.items()
        if not response.is_correct
    ]


def find_patterns(
    questions: Sequence[QuizQuestion],
    responses: Sequence[QuizResponse],
    *,
    history: History,
    concepts: Sequence[Concept] = (),
    places: Mapping[str, str] | None = None,
) -> list[ErrorPattern]:
    """Group the mistakes, the deepest first; places are where passages stand, by chunk id."""
    groups: dict[tuple[Clue, frozenset[str]], list[Mistake]] = {}
    for mistake in find_mistakes(questions, responses, history=history, concepts=concepts):
        # One taken for the other is the same confusion in both directions.
        between = frozenset({mistake.concept, mistake.confused_with} - {""})
        groups.setdefault((mistake.clue, between), []).append(mistake)
    patterns = [_pattern(group, places=places or {}) for group in groups.values()]
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


def _judge(
    question: QuizQuestion,
    response: QuizResponse,
    *,
    history: History,
    usual: float | None,
    course: Mapping[str, Concept],
) -> Mistake:
    other = confused_with(question, response.learner_answer, concepts=course) or ""
    clue = _clue(question, response, history=history, usual=usual, other=other)
    return Mistake(
        question=question,
        response=response,
        clue=clue,
        confused_with=other if clue == "confusion" else "",
    )


def _clue(
    question: QuizQuestion, response: QuizResponse, *, history: History, usual: float | None, other: str
) -> Clue:
    """The strongest evidence decides: first what the answer itself shows, then how it came about."""
    answer, expected = response.learner_answer, question.expected_answer
    if is_no_answer(answer):
        return "no answer"
    if question.kind == "ordering":
        return "order"
    slip = number_slip(answer, expected=expected)
    if slip:
        return slip
    is_typed = question.kind in ("short_answer", "cloze")
    if is_typed and not other and is_misspelt(answer, expected=expected):
        return "spelling"
    known = history.chances.get(question.concept_name, 0.0) >= _KNOWN_FROM
    if known and usual and response.time_taken_seconds < _QUICK * usual:
        return "quick"
    if other:
        return "confusion"
    return "partly" if response.score >= _PARTLY_FROM else "missed"


def _usual_seconds(history: History, responses: Sequence[QuizResponse]) -> float | None:
    """The median of the learner's own times; None before there are enough of them."""
    times = [*history.seconds, *(response.time_taken_seconds for response in responses)]
    return median(times) if len(times) >= _LEAST_TIMES else None


def _pattern(group: Sequence[Mistake], *, places: Mapping[str, str]) -> ErrorPattern:
    first = group[0]
    place = places.get(first.question.chunk_id, "")
    is_swap = len({mistake.concept for mistake in group}) > 1
    return ErrorPattern(
        pattern_type=first.pattern_type,
        description=description(
            "swap" if is_swap else first.clue,
            concept=first.concept,
            other=first.confused_with,
            wrote=first.response.learner_answer,
            expected=first.question.expected_answer,
        ),
        affected_questions=tuple(mistake.question.question_id for mistake in group),
        suggested_remediation=remediation(
            first.clue, concept=first.concept, other=first.confused_with, place=place
        ),
    )
