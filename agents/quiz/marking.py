"""From an answer to a mark: the response that is kept, and what the learner hears."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from string import ascii_uppercase

from agents.language.replies import verdict_on_own_answer
from agents.state import SessionState
from agents.teaching.evidence import CHOICES, VOIDED
from agents.teaching.grading import Grade, grade_answer
from agents.teaching.grading.measures import Floats, Similarity
from agents.teaching.mistakes import is_no_answer
from agents.teaching.questions.kinds import kind_of
from agents.teaching.values import MOST_PROBES, QuizQuestion, QuizResponse
from rag.embedders import WordLlamaEmbedder
from storage.ledger import Answer
from storage.sessions import OpenLesson


class _WordVectors:
    def embed(self, texts: list[str]) -> Floats:
        return _embedder().embed(texts).vectors.astype("float64")


@cache
def _embedder() -> WordLlamaEmbedder:
    return WordLlamaEmbedder()


WORD_VECTORS: Similarity = _WordVectors()


_RIGHT = ("Right.", "Yes, that's it.", "Exactly.", "Correct.")
_WRONG = ("Not yet.", "Not this time.", "No, this one is different.")
_NEAR = ("Not quite.", "Close.", "Partly.")
_NEAR_FROM = 0.4


def code_grade(
    question: QuizQuestion,
    answer: str,
    *,
    concept_names: Collection[str] = (),
    accepted: Sequence[str] = (),
) -> Grade:
    """The grade by the expected answer, or by one that a teacher accepts beside it."""
    grade = _grade(question, answer, question.expected_answer, concept_names)
    if not (grade.is_correct and grade.confident):
        also = (_grade(question, answer, each, ()) for each in accepted)
        grade = next((each for each in also if each.is_correct and each.confident), grade)
    if question.kind == "recall" and not is_no_answer(answer):
        return replace(grade, confident=False)  # only the learner can tell
    return grade


def _grade(question: QuizQuestion, answer: str, expected: str, concept_names: Collection[str]) -> Grade:
    return grade_answer(
        answer,
        question=question.question_text,
        references=[expected],
        kind=question.kind,
        options=question.options,
        others=concept_names,
        similarity=WORD_VECTORS,
    )


def is_settled(question: QuizQuestion, answer: str, grade: Grade) -> bool:
    """Whether code's word is enough: it is sure, and does not say 'wrong' to somebody's own words."""
    is_exact = question.kind in CHOICES or question.kind == "output"
    return grade.confident and (grade.is_correct or is_no_answer(answer) or is_exact)


def self_grade(message: str) -> Grade | None:
    """The learner's own verdict on an answer that nobody else could judge; None when it is neither yes nor no."""
    is_correct = verdict_on_own_answer(message)
    if is_correct is None:
        return None
    return Grade(
        is_correct=is_correct,
        score=1.0 if is_correct else 0.0,
        reason="You compared it with the course yourself.",
        confident=False,
    )


def response(
    question: QuizQuestion,
    answer: str,
    grade: Grade,
    *,
    grader: str,
    state: SessionState,
    now: datetime,
    attempts: int = 0,
) -> QuizResponse:
    """The answer with its mark; attempts are those before it, in whichever cycle or session."""
    asked_at = state.question_asked_at or now
    return QuizResponse(
        question_id=question.question_id,
        learner_answer=answer,
        is_correct=grade.is_correct,
        time_taken_seconds=max(0.0, (now - asked_at).total_seconds()),
        attempt_number=attempts + 1,
        score=grade.score,
        grader=grader,
        reason=grade.reason,
        confident=grade.confident,
    )


def ledger_row(
    question: QuizQuestion, marked: QuizResponse, *, lesson: OpenLesson, hints: int, now: datetime
) -> Answer:
    return Answer(
        user_id=lesson.user_id,
        session_id=lesson.session_id,
        course=lesson.course,
        topic=lesson.topic,
        cycle_number=lesson.cycle_number,
        asking=lesson.asking,
        question_id=question.question_id,
        question_text=question.question_text,
        concept_name=question.concept_name,
        kind=question.kind,
        difficulty=question.difficulty,
        expected_answer=question.expected_answer,
        options=question.options,
        chunk_id=question.chunk_id,
        source_context=question.source_context,
        learner_answer=marked.learner_answer,
        is_correct=marked.is_correct,
        score=marked.score,
        grader=marked.grader,
        reason=marked.reason,
        confident=marked.confident,
        attempt_number=marked.attempt_number,
        time_taken_seconds=marked.time_taken_seconds,
        answered_at=now,
        hints=hints,
    )


def reaction(question: QuizQuestion, marked: QuizResponse, *, number: int) -> str:
    """What the learner hears at once; the key is shown only now that the answer is in."""
    if marked.grader == VOIDED:
        reason = marked.reason.rstrip(" .")
        return f"{reason[:1].upper()}{reason[1:]}, so it counts for nothing."
    if marked.grader == "skipped":
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


def how_to_answer(item: QuizQuestion) -> str:
    """What the learner is to type; an order needs the letters that are shown."""
    if item.kind == "ordering":
        letters = ", ".join(ascii_uppercase[: len(item.options)][::-1])
        return f"Answer with the letters in order, for example {letters}."
    kind = kind_of(item)
    return kind.how_to_answer if kind and item.kind != "multiple_choice" else ""
