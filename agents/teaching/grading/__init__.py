"""Grading an answer offline: exact, as a number or a formula, by option, in order, as printed, or in the learner's own words."""

from collections.abc import Callable, Collection, Mapping, Sequence

from agents.teaching.grading.chemistry import grade_chemical
from agents.teaching.grading.formulas import grade_formula
from agents.teaching.grading.numbers import grade_number
from agents.teaching.grading.rules import (
    grade_blank,
    grade_choice,
    grade_cloze,
    grade_ordering,
    grade_output,
    grade_rival,
    grade_several,
    grade_true_false,
)
from agents.teaching.grading.short_answer import Model, grade_short_answer
from agents.teaching.grading.words import MAX_CHARS, clean
from agents.teaching.values import Grade, right, wrong

__all__ = ["Grade", "Model", "grade_answer"]

_OPEN = ("cloze", "short_answer")
_EXACT = ("numeric", "formula")  # where capital and small letters, and marks, are part of what is said

_Rule = Callable[[str, Sequence[str], Sequence[str]], Grade | None]


def _formula(answer: str, references: Sequence[str], options: Sequence[str]) -> Grade | None:
    return grade_chemical(answer, references) or grade_formula(answer, references, options)


_RULES: Mapping[str, _Rule] = {
    "multiple_choice": grade_choice,
    "several": grade_several,
    "formula": _formula,
    "true_false": grade_true_false,
    "ordering": grade_ordering,
    "cloze": grade_cloze,
}


def grade_answer(
    answer: str,
    *,
    question: str,
    references: Sequence[str],
    kind: str = "short_answer",
    options: Sequence[str] = (),
    others: Collection[str] = (),
    model: Model | None = None,
) -> Grade:
    """Grade any text; the rules of the kind come first, and own words go to the fitted model (or the one handed in).

    `others` are the names of other things in the course, which are not what is asked for.
    """
    answer, question = answer[:MAX_CHARS], question[:MAX_CHARS]
    expected = [reference[:MAX_CHARS] for reference in references if reference.strip()]
    if not expected:
        return wrong(
            "There is no expected answer to compare yours with, so please judge it yourself.", confident=False
        )
    if kind == "output":
        return grade_output(answer, expected, options)
    if (
        kind not in _EXACT
        and _plain(answer) in {_plain(reference) for reference in expected}
        and answer.strip()
    ):
        return right("That is the expected answer.")
    blank = grade_blank(answer)
    if blank is not None:
        return blank
    rival = grade_rival(answer, expected, others) if kind in _OPEN else None
    by_rule = rival or _by_rule(answer, expected, question=question, kind=kind, options=options)
    if by_rule is not None:
        return by_rule
    return grade_short_answer(answer, question=question, references=expected, model=model)


def _by_rule(
    answer: str, references: Sequence[str], *, question: str, kind: str, options: Sequence[str]
) -> Grade | None:
    if rule := _RULES.get(kind):
        return rule(answer, references, options)
    return grade_number(answer, references, question=question, is_number=kind == "numeric")


def _plain(text: str) -> str:
    return " ".join(clean(text).strip(" .!?\"'").split())
