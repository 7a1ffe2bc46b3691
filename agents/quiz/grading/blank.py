"""Answers that say nothing, and answers that say so."""

import re

from agents.quiz.grading.grade import Grade, wrong
from agents.quiz.grading.words import clean

_GIVE_UP = re.compile(
    r"(?:(?:well|um+|uh+|sorry|honestly|hmm+|oh|so|but)\W+)*"
    r"(?:i (?:really |honestly |just )?(?:do not|did not|dont|can not) (?:really )?(?:know|understand|remember|get)(?: (?:it|this|that|the answer|this one|why|yet|at all|the question))*"
    r"|i (?:have|had|ve|got) (?:absolutely )?no (?:idea|clue)(?: (?:why|what it is|at all))?|(?:absolutely )?no (?:idea|clue)|(?:do not|dont) know|idk|dunno|i dunno"
    r"|(?:i am |im |i m )?(?:really )?not (?:at all )?(?:sure|certain)|i am unsure|unsure|(?:i )?forgot|i forget|(?:i )?pass|skip(?: (?:it|this|this one))?|next(?: (?:one|question))?"
    r"|i give up|give up|can not say|i can not answer(?: this| that)?|no answer|nothing|n/?a|help(?: me)?|who knows|beats me|tell me(?: the answer)?)"
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
