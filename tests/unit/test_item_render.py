"""How a question looks to the learner."""

import pytest

from agents.quiz.item_render import render_question
from agents.teaching.values import QuizQuestion


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
