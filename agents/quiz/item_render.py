"""An item as it is shown in the chat."""

import re
from string import ascii_uppercase

from agents.quiz.marking import comparison
from agents.state import SessionState
from agents.teaching.questions.kinds import kind_of
from agents.teaching.values import MOST_PROBES, QuizQuestion

_SHOWN = re.compile(
    r"\s*(?:^-{3,}\s*)?^\*\*Question \d+(?: of \d+|, at most \d+)\*\*$.*\Z", re.MULTILINE | re.DOTALL
)


def without_question(text: str) -> str:
    """A message without the question at its end: for who shows that in a place of its own."""
    return _SHOWN.sub("", text).rstrip()


def render_question(item: QuizQuestion, *, number: int, total: int, may_be_fewer: bool = False) -> str:
    """The question with its place among the others and, where there are any, its options."""
    place = f"{number}, at most {total}" if may_be_fewer else f"{number} of {total}"
    lines = [f"**Question {place}**", "", item.question_text]
    if item.kind in ("multiple_choice", "ordering"):
        lines += [
            "",
            *(f"{letter}) {option}  " for letter, option in zip(ascii_uppercase, item.options, strict=False)),
        ]
    how = how_to_answer(item)
    return "\n".join([*lines, *(["", how] if how else [])]).rstrip()


def render_probe(item: QuizQuestion, *, number: int) -> str:
    """A question of the diagnostic, which ends as soon as it knows enough."""
    return render_question(item, number=number, total=MOST_PROBES, may_be_fewer=True)


def question_again(state: SessionState) -> str:
    """The pending question as it was shown, for the end of a message that interrupted it."""
    question = state.pending_question
    if question is None:
        return ""
    if state.is_probing:
        return render_probe(question, number=len(state.diagnostic_responses) + 1)
    shown = render_question(question, number=state.quiz_question_index + 1, total=len(state.quiz_questions))
    if not state.self_check_answer:
        return shown
    return f"{shown}\n\n{comparison(question, answer=state.self_check_answer)}"


def how_to_answer(item: QuizQuestion) -> str:
    """What the learner is to type; an order needs the letters that are shown."""
    if item.kind == "ordering":
        letters = ", ".join(ascii_uppercase[: len(item.options)][::-1])
        return f"Answer with the letters in order, for example {letters}."
    kind = kind_of(item)
    return kind.how_to_answer if kind and item.kind != "multiple_choice" else ""
