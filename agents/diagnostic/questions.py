"""Which question about a concept a diagnostic asks: one that is hard to guess and sure to be graded right."""

from collections.abc import Collection, Sequence

from agents.teaching.questions.linter import is_fair
from agents.teaching.questions.sentences import PassageLike
from agents.teaching.questions.writing import Candidate, candidates
from agents.teaching.values import QuizQuestion
from storage.course import Concept

_TERM_WORDS = 4  # an answer of up to so many words names a thing, and is graded as surely as a choice


def question_about(
    concept: str,
    passages: Sequence[PassageLike],
    *,
    concepts: Sequence[Concept],
    asked: Sequence[QuizQuestion] = (),
    preface: str = "",
    never: Collection[str] = (),
) -> QuizQuestion | None:
    """The most telling question whose answer neither the preface nor an earlier question says; None without any."""
    said = "\n".join([preface, *(each.question_text for each in asked)])
    found = (
        each.item
        for each in sorted(candidates(passages, concepts=concepts), key=_noise)
        if each.item.concept_name == concept
        and each.item.question_id not in never
        and not each.is_last_resort
        and is_fair(each.item, earlier=asked, beside=said)
    )
    return next(found, None)


def _noise(candidate: Candidate) -> int:
    """Half of all true/false questions are guessed; an explanation in one's own words may not be judged at all."""
    item = candidate.item
    if item.kind in ("cloze", "short_answer"):
        return 0 if len(item.expected_answer.split()) <= _TERM_WORDS else 4
    if item.kind == "multiple_choice" and item.written_as == "cloze":
        return 2  # it may say little about what the thing is
    return 3 if item.kind == "true_false" else 1
