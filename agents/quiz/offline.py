"""What the quiz says: the question, what comes of the answer, and where only the learner can tell, what to compare."""

import re
from string import ascii_uppercase

from agents.quiz.marking import SKIPPED, Ruling
from agents.state import SessionState
from agents.teaching.evidence import VOIDED, LedgerRow
from agents.teaching.mistakes import is_no_answer
from agents.teaching.questions.writing import kind_of
from agents.teaching.values import MOST_PROBES, QuizQuestion, QuizResponse

_RIGHT = ("Right.", "Yes, that's it.", "Exactly.", "Correct.")
_WRONG = ("Not yet.", "Not this time.", "No, this one is different.")
_NEAR = ("Not quite.", "Close.", "Partly.")
_NEAR_FROM = 0.4


def reaction(question: QuizQuestion, marked: QuizResponse, *, number: int) -> str:
    """What the learner hears at once; the key is shown only now that the answer is in."""
    if marked.grader == VOIDED:
        reason = marked.reason.rstrip(" .")
        return f"{reason[:1].upper()}{reason[1:]}, so it counts for nothing."
    if marked.grader == SKIPPED:
        return f"Skipped. For the record: {_key(question)}"
    if marked.is_correct:
        return f"{_RIGHT[number % len(_RIGHT)]} {as_sentence(marked.reason)}".strip()
    openings = _NEAR if marked.score >= _NEAR_FROM else _WRONG
    opening = "" if is_no_answer(marked.learner_answer) else openings[number % len(openings)]
    said = " ".join(part for part in (opening, as_sentence(marked.reason)) if part)
    return f"{said} The answer: {_key(question)}".strip()


def _key(question: QuizQuestion) -> str:
    """The expected answer as the end of a sentence; a list or several paragraphs in lines of their own."""
    key = question.expected_answer.strip()
    if "\n" in key:
        return f"\n\n{_quoted(key)}"
    return as_sentence(f"`{key}`" if question.kind == "output" and "`" not in key else key)


def comparison(question: QuizQuestion, *, answer: str = "") -> str:
    """Where neither code nor a model can tell, the learner compares with the course; told again with their answer."""
    source = question.source_context.strip() or question.expected_answer
    if question.kind == "recall":
        given = f"\n\nYou wrote: “{answer}”" if answer else ""
        return (
            f"Now compare.{given}\n\nThe course says:\n\n{_quoted(source)}\n\n"
            "Did you have the main point? **Yes** or **no**. Nobody but you can tell, so it counts a little less."
        )
    given = f" (“{answer}”)" if answer else ""
    return (
        f"I can't tell for sure whether your answer{given} says the same as the course, so you decide. "
        f"The course says:\n\n{_quoted(source)}\n\nDid your answer say that? **Yes** or **no**."
    )


def _quoted(text: str) -> str:
    """All of it: a passage may have several paragraphs."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def as_sentence(text: str) -> str:
    """The text with one full stop, question mark or the like at its end, also where quotes or brackets close it."""
    text = re.sub(r"(?<!\.)\.\.$", ".", text.strip())
    return text if not text or text.rstrip("\"'”’)*_")[-1:] in (*".!?…",) else f"{text.rstrip(' ,;:')}."


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


def with_question(text: str, state: SessionState) -> str:
    """What interrupted a question, with the question behind it."""
    return f"{text}\n\n---\n\n{question_again(state)}" if state.is_asking else text


def how_to_answer(item: QuizQuestion) -> str:
    """What the learner is to type; an order needs the letters that are shown."""
    if item.kind == "ordering":
        letters = ", ".join(ascii_uppercase[: len(item.options)][::-1])
        return f"Answer with the letters in order, for example {letters}."
    kind = kind_of(item)
    return kind.how_to_answer if kind and item.kind != "multiple_choice" else ""


def ruling_text(answer: LedgerRow, ruling: Ruling) -> str:
    said = {
        "corrected": "You're right, I take that back: it counts as correct, because ",
        "voided": "Fair point. That answer no longer counts either way, because ",
        "kept": "I looked again and would keep it: ",
    }[ruling.outcome]
    return f"On “{answer.question_text}”: {said}{ruling.reason}."
