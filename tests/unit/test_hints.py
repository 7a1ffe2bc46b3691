"""Hints come closer one by one, and none of them says the answer."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.teaching.questions.hints import gives_away, hint, tells_too_much
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
    question("ordering", text="Put these steps in order.", answer="Draw → Move → Count → Repeat", options=("Count", "Draw", "Repeat", "Move")),
    question("recall", text="Close the text: what is it, and what is it for?", answer=SENTENCE),
    question("output", text="What does this code print?", answer="Hello from Ada Lovelace"),
    question("short_answer", answer="DDS", text="Which standard is it?"),
)  # fmt: skip


@pytest.mark.parametrize("asked", CASES)
def test_no_hint_states_the_answer_two_of_its_words_or_its_sentence(asked: QuizQuestion) -> None:
    for number in (0, 1, 2, 3, 4, 99):
        text = hint(asked, number=number, place="Topics and their types")
        assert text
        assert not gives_away(text, asked)
        assert not tells_too_much(text, asked)


@pytest.mark.parametrize("asked", CASES)
def test_every_kind_gets_several_hints_each_of_which_differs_from_the_one_before(asked: QuizQuestion) -> None:
    hints = [hint(asked, number=number, place="Messages") for number in (1, 2, 3, 4)]
    assert "“Messages”" in hints[0]
    assert len(set(hints)) == 3
    assert hints[3] == hints[2]


def test_the_first_says_where_and_what_kind_of_thing_the_next_how_it_begins_the_last_its_shape() -> None:
    asked = question(source=f"Nodes are programs of a robot. {SENTENCE}")
    assert [hint(asked, number=number) for number in (1, 2, 3)] == [
        "Right beside it the course says: “Nodes are programs of a robot.” You are looking for a term of one word.",
        "It begins with “t”, and has 5 letters.",
        "It has this shape: to___.",
    ]


def test_a_place_that_names_the_answer_is_not_named() -> None:
    assert "topic" not in hint(question(), number=1, place="Working with topics").lower()


def test_words_that_stand_in_the_sentence_of_the_answer_are_never_quoted_from_it() -> None:
    asked = question(text="What connects nodes?")
    assert tells_too_much("It is over which nodes exchange messages of one type.", asked)
    assert not tells_too_much("It has to do with nodes and messages.", asked)


def test_a_hint_says_nothing_of_a_question_ahead() -> None:
    asked = question(source=f"Nodes are programs of a robot. {SENTENCE}")
    ahead = [question("short_answer", answer="a node", text="What do we call a program?")]
    assert "Nodes" not in hint(asked, number=1, ahead=ahead)


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


def test_an_order_is_begun_by_letters() -> None:
    assert hint(CASES[4], number=2) == "D does not come first."
    assert hint(CASES[4], number=3) == "B comes first, and C comes last."


def test_of_a_long_answer_one_word_is_told() -> None:
    assert hint(CASES[1], number=2) == "A good answer names things that begin with “c”, “p”, “l”."
    assert hint(CASES[1], number=3) == "One of the words to use is “process”."


def test_a_number_is_approached_by_its_powers_of_ten() -> None:
    asked = question("numeric", answer="4.5 × 10^3 m/s", text="How fast is it?")
    assert "unit" in hint(asked, number=1)
    assert "between 1,000 and 10,000" in hint(asked, number=2)
    assert "4.5" not in "".join(hint(asked, number=number) for number in (1, 2, 3))


def test_of_several_options_a_wrong_one_is_ruled_out() -> None:
    asked = question(
        "several", answer="node\ntopic", text="Which?", options=("node", "spoon", "topic", "fork")
    )
    assert hint(asked, number=3) == "You can rule out B."


@settings(max_examples=200, deadline=None)
@given(
    answer=st.text(alphabet=st.characters(categories=("Lu", "Ll", "Nd", "Zs")), min_size=3, max_size=60),
    text=st.text(max_size=120),
    kind=st.sampled_from([*get_args(QuestionKind)]),
    number=st.integers(min_value=-3, max_value=9),
)
def test_any_question_gets_a_hint(answer: str, text: str, kind: QuestionKind, number: int) -> None:
    asked = question(kind, answer=answer, text=text, options=(answer, "another"), source=text)
    assert hint(asked, number=number).strip()
