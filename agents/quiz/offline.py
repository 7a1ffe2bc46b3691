"""What the quiz says: the question, what comes of the answer, and where only the learner can tell, what to compare."""

import re
from collections.abc import Sequence
from string import ascii_uppercase

from agents.language.words import content_set, in_short, same_text
from agents.quiz.marking import SKIPPED, Ruling
from agents.said import Said
from agents.state import SessionState
from agents.teaching.evidence import VOIDED, LedgerRow
from agents.teaching.grading.rules import named_options
from agents.teaching.mistakes import is_no_answer
from agents.teaching.questions import writing
from agents.teaching.questions.ahead import GAP, without_keys
from agents.teaching.values import MOST_PROBES, QuizQuestion, QuizResponse

_RIGHT = ("Right.", "Yes, that's it.", "Exactly.", "Correct.")
_WRONG = ("Not yet.", "Not this time.", "That's not it yet.")
_NEAR = ("Not quite.", "Close.", "Partly.")
_NEAR_FROM = 0.4


def reaction(
    question: QuizQuestion, marked: QuizResponse, *, number: int, ahead: Sequence[QuizQuestion] = ()
) -> str:
    """What the learner hears at once: the key too, now that the answer is in, unless it answers a question ahead."""
    if marked.grader == VOIDED:
        reason = marked.reason.rstrip(" .")
        return f"{reason[:1].upper()}{reason[1:]}, so it counts for nothing."
    is_kept = _is_kept(question, ahead)
    key = "" if is_kept else _key(question, ahead)
    authors = "" if is_kept else _authors_word(question, marked.learner_answer, ahead)
    if marked.grader == SKIPPED:
        return f"Skipped. {KEPT_BACK if is_kept else f'For the record: {key}{authors}'}"
    reason = without_keys(as_sentence(marked.reason), ahead)
    if marked.is_correct:
        return f"{_RIGHT[number % len(_RIGHT)]} {reason}{authors}".strip()
    openings = _NEAR if marked.score >= _NEAR_FROM else _WRONG
    opening = "" if is_no_answer(marked.learner_answer) else openings[number % len(openings)]
    said = " ".join(part for part in (opening, reason) if part)
    return f"{said} {KEPT_BACK if is_kept else f'The answer: {key}{authors}'}".strip()


def _authors_word(question: QuizQuestion, answer: str, ahead: Sequence[QuizQuestion]) -> str:
    """What the author says of the options that were chosen and of the right ones, and how they solve it."""
    said = []
    if any(question.whys):
        keyed = [
            place
            for place, each in enumerate(question.options)
            if each in question.expected_answer.split("\n")
        ]
        chosen = named_options(answer, question.options)
        told = zip(question.options, question.whys, strict=False)
        said = [
            f"{ascii_uppercase[place]}: {as_sentence(why)}"
            for place, (_, why) in enumerate(told)
            if why and place < len(ascii_uppercase) and (place in keyed or place in chosen)
        ]
    if question.solution and same_text(question.solution) != same_text(question.expected_answer):
        said.append(f"The author's solution:\n\n{as_quotation(question.solution)}")
    return "".join(f"\n\n{without_keys(each, ahead)}" for each in said)


KEPT_BACK = "I tell you the answer at the end of this quiz, because it belongs to another question too."


def kept_back(questions: Sequence[QuizQuestion], responses: Sequence[QuizResponse]) -> str:
    """At the end of a quiz the answers that would have given another one away; empty when all were told."""
    unknown = {each.question_id for each in responses if not each.is_correct and each.grader != VOIDED}
    lines = [
        f"- “{in_short(question.question_text)}” {_key(question)}"
        for number, question in enumerate(questions, 1)
        if question.question_id in unknown and _is_kept(question, questions[number:])
    ]
    return "\n".join(["What I had kept back:", "", *lines]) if lines else ""


def _is_kept(question: QuizQuestion, ahead: Sequence[QuizQuestion]) -> bool:
    """Whether little would be left of its answer without those of the questions ahead."""
    key = content_set(question.expected_answer)
    left = content_set(without_keys(question.expected_answer, ahead).replace(GAP, " "))
    return 2 * len(left) <= len(key) and left != key


def _key(question: QuizQuestion, ahead: Sequence[QuizQuestion] = ()) -> str:
    """The expected answer as the end of a sentence; a list or several paragraphs in lines of their own."""
    key = without_keys(question.expected_answer.strip(), ahead)
    if question.kind == "several":
        return as_sentence("; ".join(key.split("\n")))
    if "\n" in key:
        return f"\n\n{as_quotation(key)}"
    return as_sentence(f"`{key}`" if question.kind == "output" and "`" not in key else key)


def compared(state: SessionState, *, answer: str = "", is_listed: bool = True) -> str:
    """The comparison that is due for the open question; empty where none is."""
    question = state.pending_question
    if question is None or not state.self_check_answer or state.learning_phase != "quiz":
        return ""
    return comparison(question, answer=answer, ahead=state.questions_ahead, is_listed=is_listed)


def points_to_tick(question: QuizQuestion, *, ahead: Sequence[QuizQuestion] = ()) -> tuple[str, ...]:
    """The points of the key, as they may be shown before the questions ahead."""
    return tuple(without_keys(point, ahead) for point in question.points)


def comparison(
    question: QuizQuestion, *, answer: str = "", ahead: Sequence[QuizQuestion] = (), is_listed: bool = True
) -> str:
    """Where neither code nor a model can tell, the learner compares with the course; told again with their answer.

    A front end that has a place for the points leaves them out here.
    """
    if points := points_to_tick(question, ahead=ahead):
        given = f" You wrote: “{answer}”" if answer else ""
        listed = [f"{number}. {point}" for number, point in enumerate(points, 1)]
        how = "Name what you had, for example **1 and 2**, or say **all** or **none**."
        counts = "Nobody but you can tell, so it counts a little less."
        asked = f"Now compare.{given}\n\nWhich of these points did your answer have?"
        return "\n".join([asked, "", *listed, "", f"{how} {counts}"]) if is_listed else f"{asked} {counts}"
    source = question.solution or question.source_context.strip() or question.expected_answer
    source = without_keys(source, ahead)
    if question.kind == "recall":
        given = f"\n\nYou wrote: “{answer}”" if answer else ""
        return (
            f"Now compare.{given}\n\nThe course says:\n\n{as_quotation(source)}\n\n"
            "Did you have the main point? **Yes** or **no**. Nobody but you can tell, so it counts a little less."
        )
    given = f" (“{answer}”)" if answer else ""
    return (
        f"I can't tell for sure whether your answer{given} says the same as the course, so you decide. "
        f"The course says:\n\n{as_quotation(source)}\n\nDid your answer say that? **Yes** or **no**."
    )


def as_quotation(text: str) -> str:
    """A passage as a quotation, with all its paragraphs."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def as_sentence(text: str) -> str:
    """The text with one full stop, question mark or the like at its end, also where quotes or brackets close it."""
    text = re.sub(r"(?<!\.)\.\.$", ".", text.strip())
    return text if not text or text.rstrip("\"'”’)*_")[-1:] in (*".!?…",) else f"{text.rstrip(' ,;:')}."


def render_question(item: QuizQuestion, *, number: int, total: int, may_be_fewer: bool = False) -> str:
    """The question with its place among the others and, where there are any, its options."""
    place = f"{number}, at most {total}" if may_be_fewer else f"{number} of {total}"
    lines = [f"**Question {place}**", "", item.question_text]
    if item.kind in ("multiple_choice", "several", "ordering"):
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
    return f"{shown}\n\n{compared(state, answer=state.self_check_answer)}".rstrip()


def with_question(text: str | Said, state: SessionState) -> Said:
    """What interrupted a question, with the question behind it."""
    return interrupted(text, state) if state.is_asking else Said.of(text)


def interrupted(text: str | Said, state: SessionState) -> Said:
    """With the open question behind it, also where it is paused."""
    return Said.of(text).then("question", f"\n\n---\n\n{question_again(state)}")


def before_question(text: str | Said, shown: str) -> Said:
    """What is said before the question that comes now."""
    return Said.of(text).then("question", f"\n\n{shown}")


_HOW = {
    "several": "More than one may be right: answer with all their letters, for example A, C.",
    "numeric": "Answer with the number and its unit, if it has one.",
    "formula": "Answer with the formula; how its parts are ordered makes no difference.",
}


def how_to_answer(item: QuizQuestion) -> str:
    """What the learner is to type; an order needs the letters that are shown."""
    if item.kind == "ordering":
        letters = ", ".join(ascii_uppercase[: len(item.options)][::-1])
        return f"Answer with the letters in order, for example {letters}."
    if item.kind in _HOW:
        return _HOW[item.kind]
    return writing.how_to_answer(item) if item.kind != "multiple_choice" else ""


def ruling_text(answer: LedgerRow, ruling: Ruling, *, ahead: Sequence[QuizQuestion] = ()) -> str:
    said = {
        "corrected": "You're right, I take that back: it counts as correct, because ",
        "voided": "Fair point. That answer no longer counts either way, because ",
        "kept": "I looked again and would keep it: ",
    }[ruling.outcome]
    return f"On “{in_short(answer.question_text)}”: {said}{without_keys(ruling.reason, ahead)}."
