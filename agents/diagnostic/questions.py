"""Which question about a concept a diagnostic asks: one that is hard to guess and sure to be graded right."""

from collections.abc import Sequence

from agents.quiz.item_plain import PLAIN, may_be_answered_otherwise
from agents.quiz.item_text import PassageLike
from agents.quiz.items import Candidate, candidates
from agents.quiz.linter import lint
from agents.state import QuizQuestion
from storage.course import Concept

_TERM_WORDS = 4  # an answer of up to so many words names a thing, and is graded as surely as a choice


def question_about(
    concept: str,
    passages: Sequence[PassageLike],
    *,
    concepts: Sequence[Concept],
    asked: Sequence[QuizQuestion] = (),
) -> QuizQuestion | None:
    """The most telling question that was not asked yet; None when the passages give nothing to ask."""
    names = frozenset(each.name for each in concepts)
    found = (
        each.item
        for each in sorted(candidates(passages, concepts=concepts), key=_noise)
        if each.item.concept_name == concept
        and not may_be_answered_otherwise(each.item)
        and not lint(each.item, passage=each.passage, concept_names=names, earlier=asked)
    )
    return next(found, None)


def _noise(candidate: Candidate) -> int:
    """Half of all true/false questions are guessed, and an explanation in one's own words may be misjudged."""
    item = candidate.item
    if candidate.basis in PLAIN:
        return 4
    names_a_thing = len(item.expected_answer.split()) <= _TERM_WORDS
    if item.kind in ("cloze", "short_answer"):
        return 0 if names_a_thing else 2
    return 3 if item.kind == "true_false" else 1
