"""Filling a gap: the term, its plural, a slip of the pen, or a word that stands for it."""

import re
from collections.abc import Collection, Sequence

from agents.teaching.grading.grade import Grade, right, wrong
from agents.teaching.grading.measures import EXACT, SLIP, align, edits, is_slip
from agents.teaching.grading.numbers import grade_number
from agents.teaching.grading.words import CLOZE_FILLER, Token, clean, content, tokens_of


def grade_cloze(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    """Right when some reference is met word by word, and no other known term is meant."""
    by_number = grade_number(answer, references, options)
    if by_number is not None:
        return by_number
    said = _without_filler(answer) or tokens_of(answer)
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


_GIVE_UP = re.compile(
    r"(?:(?:well|um+|uh+|sorry|honestly|hmm+|oh|so|but)\W+)*"
    r"(?:i )?(?:really |honestly |just )?(?:(?:do not|did not|dont|can not) (?:really )?(?:know|understand|remember|get|say|answer)"
    r"(?: (?:it|this|that|the answer|this one|why|yet|at all|the question))*"
    r"|(?:have |had |ve |got )?(?:absolutely )?no (?:idea|clue)(?: (?:why|what it is|at all))?|idk|dunno"
    r"|(?:am |im |m )?(?:really )?(?:not (?:at all )?(?:sure|certain)|unsure)|forgot|forget|pass|skip(?: (?:it|this|this one))?"
    r"|next(?: (?:one|question))?|give up|no answer|nothing|n/?a|help(?: me)?|who knows|beats me|tell me(?: the answer)?)"
    r"(?:\W+(?:sorry|please|yet|really|at all|anymore))*"
)
_WORD = re.compile(r"[^\W_]")


def grade_blank(answer: str) -> Grade | None:
    """A kind word for an empty answer or an 'I don't know'; None for anything that tries."""
    text = clean(answer)
    if not _WORD.search(text):
        return wrong("There is no answer here yet; have a go, even a rough idea helps.")
    if _GIVE_UP.fullmatch(" ".join(text.split()).strip(" .!?,;:'\"-*()")):
        return wrong(
            "That is fine: not knowing yet is where learning starts, and we will look at it together."
        )
    return None


def grade_rival(answer: str, references: Sequence[str], others: Collection[str]) -> Grade | None:
    """Wrong when the whole answer is the longer name of another thing that the course has."""
    said, expected = _content_stems(answer), [_content_stems(reference) for reference in references]
    if said in expected or not any(set(term) < set(said) for term in expected if term):
        return None
    rival = next((other for other in others if _content_stems(other) == said), None)
    return wrong(f"In this course “{rival}” is something else.") if rival else None


def _content_stems(text: str) -> tuple[str, ...]:
    return _stems(_without_filler(text))


def _without_filler(text: str) -> Sequence[Token]:
    return [token for token in content(tokens_of(text)) if token.stem not in CLOZE_FILLER]
