"""Aiken: a question, its lettered choices, and a line 'ANSWER: B'."""

import re
from collections.abc import Sequence

from agents.teaching.values import AnswerChoice, Exercise
from rag.exercises.pieces import judged
from rag.loaders.document import decode

FORM = "aiken"
_CHOICE = re.compile(r"([A-Z])(?:[.]\s+|[)]\s*)(\S.*)")
_ANSWER = re.compile(r"ANSWER:\s*(.*?)\s*")
_NAMED = re.compile(
    r"^[ \t]*[A-Z][.)][ \t]*\S[^\n]*\n(?:[ \t]*\n)?[ \t]*ANSWER:[ \t]*[A-Z][ \t]*$", re.MULTILINE
)


def is_aiken(text: str) -> bool:
    return bool(_NAMED.search(text))


def read(data: bytes, *, name: str) -> Sequence[Exercise]:
    """The questions of a file; a question ends where its answer is named."""
    found: list[Exercise] = []
    stem: list[str] = []
    choices: dict[str, str] = {}
    for line in map(str.strip, decode(data).splitlines()):
        answer = _ANSWER.fullmatch(line)
        choice = _CHOICE.fullmatch(line)
        if answer:
            found.append(_exercise(stem, choices, answer[1], name=name))
            stem, choices = [], {}
        elif choice and (choices or any(stem) or choice[1] == "A"):
            choices[choice[1]] = choice[2]
        elif line and choices:
            # Choices without an answer: the next question has begun.
            found.append(_exercise(stem, choices, "", name=name))
            stem, choices = [line], {}
        else:
            stem.append(line)
    if any(stem) or choices:
        found.append(_exercise(stem, choices, "", name=name))
    return found


def _exercise(stem: Sequence[str], choices: dict[str, str], answer: str, *, name: str) -> Exercise:
    offered = tuple(AnswerChoice(text=text, is_right=letter == answer) for letter, text in choices.items())
    trouble = ""
    if not answer:
        trouble = "no line says which answer is right"
    elif answer not in choices:
        trouble = f"its key names a choice {answer!r}, which it does not offer"
    text = "\n".join(stem).strip()
    exercise = Exercise(text=text, form=FORM, headings=(name,), choices=offered, kind="multiple_choice")
    return judged(exercise, broken=trouble if text else "")
