"""The name of something else that has the expected term in it: 'joint axis' is not 'joint'."""

from collections.abc import Collection, Sequence

from agents.quiz.grading.grade import Grade, wrong
from agents.quiz.grading.vocabulary import CLOZE_FILLER
from agents.quiz.grading.words import content, tokens_of


def grade_rival(answer: str, references: Sequence[str], others: Collection[str]) -> Grade | None:
    """Wrong when the whole answer is the longer name of another thing that the course has."""
    said, expected = _stems(answer), [_stems(reference) for reference in references]
    if said in expected or not any(set(term) < set(said) for term in expected if term):
        return None
    rival = next((other for other in others if _stems(other) == said), None)
    return wrong(f"In this course “{rival}” is something else.") if rival else None


def _stems(text: str) -> tuple[str, ...]:
    return tuple(token.stem for token in content(tokens_of(text)) if token.stem not in CLOZE_FILLER)
