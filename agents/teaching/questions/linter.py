"""Which items may be put in front of a learner, whoever wrote them."""

from collections.abc import Collection, Iterator, Sequence

from agents.state import QuizQuestion
from agents.teaching.questions.lint_answers import ANSWER_RULES
from agents.teaching.questions.lint_problem import Case, LintProblem, problem
from agents.teaching.questions.lint_wording import WORDING_RULES, bare_text
from agents.teaching.words import content_set, likeness, same_text, word_count

__all__ = ["LintProblem", "is_duplicate", "lint", "lint_set"]

_SAME_QUESTION = 0.8
_FEWEST_TO_JUDGE_A_SET = 4
_MOST_LONGEST = 0.6


def lint(
    item: QuizQuestion,
    *,
    passage: str,
    concept_names: Collection[str] = (),
    earlier: Sequence[QuizQuestion] = (),
) -> list[LintProblem]:
    """Everything that is wrong with an item; empty when it may be asked."""
    case = Case(item=item, passage=passage, concept_names=concept_names)
    found = [each for rule in (*WORDING_RULES, *ANSWER_RULES) for each in rule(case)]
    if any(is_duplicate(item, other) for other in earlier):
        found.append(problem("duplicate", "This was asked already. Ask about another point of the passage."))
    return found


def lint_set(items: Sequence[QuizQuestion]) -> list[LintProblem]:
    """What is wrong with items taken together."""
    return [*_duplicates(items), *_length_tells(items), *_answers_each_other(items)]


def is_duplicate(one: QuizQuestion, other: QuizQuestion) -> bool:
    """Whether two items ask the same: by id, by text, or in nearly the same words for the same answer."""
    if one.question_id == other.question_id or same_text(one.question_text) == same_text(other.question_text):
        return True
    return (
        same_text(one.expected_answer) == same_text(other.expected_answer)
        and one.kind != "true_false"
        and likeness(bare_text(one.question_text), bare_text(other.question_text)) >= _SAME_QUESTION
    )


def answers(one: QuizQuestion, other: QuizQuestion) -> bool:
    """Whether reading one question gives the answer to the other away: both rest on the same sentence."""
    if same_text(one.source_context) == same_text(other.source_context):
        return True
    return likeness(one.source_context, other.source_context) >= _SAME_QUESTION and bool(
        content_set(one.source_context)
    )


def _duplicates(items: Sequence[QuizQuestion]) -> Iterator[LintProblem]:
    for place, item in enumerate(items):
        if any(is_duplicate(item, other) for other in items[:place]):
            yield problem("duplicate", f"Question {place + 1} asks what an earlier one asks. Replace it.")


def _answers_each_other(items: Sequence[QuizQuestion]) -> Iterator[LintProblem]:
    for place, item in enumerate(items):
        if any(answers(other, item) for other in items[:place]):
            yield problem(
                "answered_by_another", f"An earlier question gives away the answer to question {place + 1}."
            )


def _length_tells(items: Sequence[QuizQuestion]) -> Iterator[LintProblem]:
    choices = [item for item in items if item.kind == "multiple_choice" and item.options]
    longest = [item for item in choices if _key_is_longest(item)]
    if len(choices) >= _FEWEST_TO_JUDGE_A_SET and len(longest) > _MOST_LONGEST * len(choices):
        yield problem(
            "longest_option", f"The longest option is right in {len(longest)} of {len(choices)} questions."
        )


def _key_is_longest(item: QuizQuestion) -> bool:
    key = word_count(item.expected_answer)
    others = [
        word_count(option) for option in item.options if same_text(option) != same_text(item.expected_answer)
    ]
    return bool(others) and key > max(others)
