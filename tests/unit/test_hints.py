"""Hints come closer one by one, and none of them says the answer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.teaching.questions.hints import gives_away, hint
from agents.teaching.values import QuestionKind, QuizQuestion

SENTENCE = "A topic is a named channel over which nodes exchange messages of one type."


def question(
    kind: QuestionKind = "cloze",
    *,
    answer: str = "topic",
    text: str = "A(n) ____ is a named channel over which nodes exchange messages.",
    options: tuple[str, ...] = (),
    concept: str = "topic",
    source: str = SENTENCE,
) -> QuizQuestion:
    return QuizQuestion(
        question_id="q1",
        question_text=text,
        concept_name=concept,
        difficulty="easy",
        expected_answer=answer,
        source_context=source,
        kind=kind,
        options=options,
    )


CASES = (
    question(),
    question("short_answer", text="Why split a robot into nodes?", answer="Because a crash of one process leaves the others running"),
    question("multiple_choice", text="Which is a channel?", options=("node", "topic", "service", "action")),
    question("true_false", text="True or false: A topic always carries data in both directions.", answer="False", options=("True", "False")),
    question("ordering", text="Put these steps in order.", answer="Draw a sample → Compute the motion → Count the matches → Repeat"),
    question("short_answer", answer="DDS", text="Which standard is it?"),
)  # fmt: skip


@pytest.mark.parametrize("asked", CASES)
@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 99])
def test_no_hint_states_the_expected_answer(asked: QuizQuestion, number: int) -> None:
    text = hint(asked, number=number)
    assert text
    assert not gives_away(text, asked)
    assert asked.expected_answer.lower() not in text.lower()


@pytest.mark.parametrize("asked", CASES)
def test_each_hint_differs_from_the_one_before_until_they_run_out(asked: QuizQuestion) -> None:
    hints = [hint(asked, number=number) for number in (1, 2, 3, 4)]
    assert len(set(hints)) >= 2
    assert list(dict.fromkeys(hints)) == hints[: len(set(hints))]


def test_a_hint_gives_the_first_letter_of_a_gap_at_once_where_every_place_would_give_it_away() -> None:
    assert hint(question(), number=1) == "It is one word, and begins with “t”."


def test_the_second_hint_rules_out_a_wrong_option_and_the_third_two() -> None:
    asked = question(
        "multiple_choice", text="Which is a channel?", options=("node", "topic", "gravity", "spoon")
    )
    assert hint(asked, number=2) == "You can rule out C."
    assert hint(asked, number=3) == "You can rule out C and D."


def test_with_two_options_none_is_ruled_out() -> None:
    asked = question("multiple_choice", text="Which is a channel?", options=("topic", "spoon"))
    assert "rule out" not in hint(asked, number=3)


def test_a_strong_word_of_a_statement_is_pointed_at() -> None:
    assert "“always”" in hint(CASES[3], number=2)


def test_an_order_is_begun_but_not_told() -> None:
    assert "It begins with “Draw a sample”" in hint(CASES[4], number=3)


def test_a_long_answer_is_shown_with_gaps() -> None:
    text = hint(CASES[1], number=3)
    assert "c____" in text
    assert "crash" not in text


def test_the_shape_of_an_answer_in_a_code_span_shows_letters_not_markup() -> None:
    asked = question(
        "short_answer", answer="only if it requests `transient local`", text="When does it get them?"
    )
    text = hint(asked, number=3)
    assert "t____ l____" in text
    assert "`" not in text


@settings(max_examples=200, deadline=None)
@given(
    answer=st.text(alphabet=st.characters(categories=("Lu", "Ll", "Nd", "Zs")), min_size=3, max_size=60),
    text=st.text(max_size=120),
    kind=st.sampled_from(["short_answer", "cloze", "multiple_choice", "true_false", "ordering"]),
    number=st.integers(min_value=-3, max_value=9),
)
def test_any_question_gets_a_hint(answer: str, text: str, kind: QuestionKind, number: int) -> None:
    asked = question(kind, answer=answer, text=text, options=(answer, "another"), source=text)
    assert hint(asked, number=number).strip()


def test_a_hint_is_more_than_the_name_of_the_subject() -> None:
    text = "Nodes are programs of a robot. " + SENTENCE
    asked = question(text="What connects nodes?", concept="ROS 2", source=text)
    hints = [hint(asked, number=number) for number in (1, 2, 3)]
    assert hints[0] == "Right beside it the course says: “Nodes are programs of a robot.”"
    assert not any("ROS 2" in each for each in hints)
