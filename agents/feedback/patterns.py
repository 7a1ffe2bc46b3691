"""Error patterns: what kind of mistakes the wrong answers are, judged from the evidence alone.

careless: a slip of the pen, or a quick slip on something known; procedural: the right idea with a wrong step
(order, unit, conversion, a part missing); conceptual: another concept in its place, or the idea not there yet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from agents.feedback import pattern_words
from agents.feedback.confusions import confused_with
from agents.feedback.slips import is_misspelt, is_no_answer, number_slip
from agents.state import ErrorPattern, PatternType, QuizQuestion, QuizResponse
from storage.course import Concept

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
        description=pattern_words.description(
            "swap" if is_swap else first.clue,
            concept=first.concept,
            other=first.confused_with,
            wrote=first.response.learner_answer,
            expected=first.question.expected_answer,
        ),
        affected_questions=tuple(mistake.question.question_id for mistake in group),
        suggested_remediation=pattern_words.remediation(
            first.clue, concept=first.concept, other=first.confused_with, place=place
        ),
    )
