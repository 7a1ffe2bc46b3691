"""An item as it is shown in the chat."""

from string import ascii_uppercase

from agents.quiz.marking import comparison
from agents.state import QuizQuestion, SessionState
from agents.teaching.questions.kinds import kind_of


def render_question(item: QuizQuestion, *, number: int, total: int) -> str:
    """The question with its place in the quiz and, where there are any, its options."""
    lines = [f"**Question {number} of {total}**", "", item.question_text]
    if item.kind in ("multiple_choice", "ordering"):
        lines += [
            "",
            *(f"{letter}) {option}  " for letter, option in zip(ascii_uppercase, item.options, strict=False)),
        ]
    how = how_to_answer(item)
    return "\n".join([*lines, *(["", how] if how else [])]).rstrip()


def question_again(state: SessionState) -> str:
    """The pending question as it was shown, for the end of a message that interrupted it."""
    question = state.pending_question
    if question is None:
        return ""
    if question in state.quiz_questions:
        number, total = state.quiz_question_index + 1, len(state.quiz_questions)
    else:
        number, total = len(state.diagnostic_responses) + 1, len(state.diagnostic_questions)
    shown = render_question(question, number=number, total=total)
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
