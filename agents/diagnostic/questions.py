"""Which question about a concept a diagnostic asks: one that is hard to guess and sure to be graded right."""

from collections.abc import Sequence

from agents.state import QuizQuestion
from agents.teaching.questions.choice import problems
from agents.teaching.questions.sentences import PassageLike
from agents.teaching.questions.writing import Candidate, candidates
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
        and not each.is_last_resort
        and not problems(each, names=names, earlier=asked)
    )
    return next(found, None)


def _noise(candidate: Candidate) -> int:
    """Half of all true/false questions are guessed, and an explanation in one's own words may be misjudged."""
    item = candidate.item
    names_a_thing = len(item.expected_answer.split()) <= _TERM_WORDS
    if item.kind in ("cloze", "short_answer"):
        return 0 if names_a_thing else 2
    if item.kind == "multiple_choice" and item.written_as == "cloze":
        return 2  # it may say little about what the thing is
    return 3 if item.kind == "true_false" else 1
