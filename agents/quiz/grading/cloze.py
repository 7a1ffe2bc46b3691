"""Filling a gap: the term, its plural, a slip of the pen, or a word that stands for it."""

from collections.abc import Sequence

from agents.quiz.grading.grade import Grade, right, wrong
from agents.quiz.grading.matching import EXACT, SLIP, align, edits, is_slip
from agents.quiz.grading.numbers import grade_number
from agents.quiz.grading.vocabulary import CLOZE_FILLER
from agents.quiz.grading.words import Token, content, tokens_of


def grade_cloze(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """Right when some reference is met word by word, and no other known term is meant."""
    by_number = grade_number(answer, references, options)
    if by_number is not None:
        return by_number
    said = [token for token in content(tokens_of(answer)) if token.stem not in CLOZE_FILLER] or list(
        tokens_of(answer)
    )
    if not said:
        return wrong("I could not read a word in that answer.", confident=False)
    expected = [content(tokens_of(reference)) or tokens_of(reference) for reference in references]
    others = [content(tokens_of(option)) or tokens_of(option) for option in options]
    others = [other for other in others if _stems(other) not in [_stems(each) for each in expected]]
    if any(_stems(said) == _stems(other) for other in others):
        return wrong("That is another of the terms here, not the one that fits.")
    grades = [_beside(said, reference, others) for reference in expected]
    return max(grades, key=lambda grade: (grade.is_correct, grade.score, grade.confident))


def _beside(said: Sequence[Token], reference: Sequence[Token], others: Sequence[Sequence[Token]]) -> Grade:
    matches = align(reference, said)
    levels = [match.level for match in matches]
    extra = len(said) - len(reference)
    if any(match.is_opposed for match in matches):
        return wrong("That says the opposite of what belongs here.")
    if all(level == EXACT for level in levels):
        return (
            right("That is the word.")
            if extra <= 2
            else right("The word is there, among others.", score=0.8, confident=False)
        )
    if all(level >= SLIP for level in levels) and extra <= 2:
        if _nearer_to(said, reference, others):
            return wrong(
                "That is as close to another of the terms here, so the spelling matters.",
                score=0.4,
                confident=False,
            )
        return right("That is the word; mind the spelling.", score=0.95)
    if all(levels) and extra <= 1:
        return right("That can stand for the expected word.", score=0.8, confident=False)
    return wrong(
        "That is not the word that fits here.", score=sum(levels) / len(levels) / 2, confident=not any(levels)
    )


def _nearer_to(said: Sequence[Token], reference: Sequence[Token], others: Sequence[Sequence[Token]]) -> bool:
    """One letter away from another term of the item: then it is no slip."""
    slipped = [token.text for token in said if token.stem not in _stems(reference)]
    wanted = [token.text for token in reference]
    near = [token.text for other in others for token in other]
    return any(
        is_slip(word, other) and edits(word, other) <= min(edits(word, right_word) for right_word in wanted)
        for word in slipped
        for other in near
    )


def _stems(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.stem for token in tokens)
