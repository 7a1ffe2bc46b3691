"""How a question looks to the learner."""

import re

import pytest

from agents.quiz.offline import reaction, render_question
from agents.teaching.evidence import VOIDED
from agents.teaching.values import QuizQuestion, QuizResponse


def test_options_are_lettered_and_the_place_in_the_quiz_is_shown():
    item = QuizQuestion(
        question_id="q",
        question_text="What do we call a rigid part of a robot?",
        concept_name="link",
        difficulty="easy",
        expected_answer="link",
        source_context="A link is a rigid part of a robot.",
        kind="multiple_choice",
        options=("joint", "link", "model"),
    )
    shown = render_question(item, number=2, total=5)
    assert shown.startswith("**Question 2 of 5**")
    assert "B) link" in shown


@pytest.mark.parametrize(
    ("kind", "text", "hint"),
    [
        ("true_false", "True or false: A link bends.", "true or false"),
        ("cloze", "Complete the sentence: A(n) ____ is a rigid part of a robot.", "gap"),
        ("output", "What does this code print?", "exactly what it prints"),
    ],
)
def test_the_learner_is_told_how_to_answer(kind, text, hint):
    item = QuizQuestion(
        question_id="q",
        question_text=text,
        concept_name="link",
        difficulty="easy",
        expected_answer="link",
        source_context="",
        kind=kind,
    )
    last_line = render_question(item, number=1, total=1).splitlines()[-1]
    assert hint in last_line.lower()


def marked(
    expected: str, *, grader: str = "code", reason: str = "That is not it.", kind: str = "short_answer"
) -> str:
    item = QuizQuestion(
        question_id="q",
        question_text="What happens to the string?",
        concept_name="string",
        difficulty="easy",
        expected_answer=expected,
        source_context="",
        kind=kind,  # type: ignore[arg-type]
    )
    response = QuizResponse(
        question_id="q",
        learner_answer="nothing",
        is_correct=False,
        time_taken_seconds=1,
        attempt_number=1,
        grader=grader,
        reason=reason,
    )
    return reaction(item, response, number=0)


@pytest.mark.parametrize("expected", ["It is freed.", "It is freed", "It is “freed.”", "Is it freed?"])
@pytest.mark.parametrize("grader", ["code", "skipped"])
def test_a_mark_ends_with_one_full_stop(expected, grader):
    text = marked(expected, grader=grader)
    assert not re.search(r"[.?][”]?\.$", text)
    assert text[-1] in ".?”"


def test_an_answer_of_several_lines_is_shown_in_lines():
    assert "The answer: \n\n> - one\n> - two" in marked("- one\n- two")


def test_what_is_printed_is_shown_as_it_is_printed():
    assert marked("0 1 2", kind="output").endswith("The answer: `0 1 2`.")


def test_an_answer_that_counts_for_nothing_has_one_full_stop():
    assert (
        marked("x", grader=VOIDED, reason="it was out of order.")
        == "It was out of order, so it counts for nothing."
    )
