"""What is wrong with an item, said so that its writer, person or model, can mend it."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from agents.state import QuizQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class LintProblem:
    """One thing to mend."""

    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An item with what it is judged against."""

    item: QuizQuestion
    passage: str
    concept_names: Collection[str] = ()


Rule = Callable[[Case], Iterator[LintProblem]]


def problem(code: str, message: str) -> LintProblem:
    return LintProblem(code=code, message=message)
