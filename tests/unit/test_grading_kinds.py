"""Grading by kind: options, true or false, gaps, and order."""

from collections.abc import Sequence

import pytest

from agents.teaching.grading import Grade, grade_answer
from agents.teaching.grading.rules import in_words

OPTIONS = ("A robot arm", "A joint", "A link", "A sensor")


def choose(answer: str, *keys: str, options: Sequence[str] = OPTIONS) -> Grade:
    return grade_answer(
        answer, question="What moves?", references=keys, kind="multiple_choice", options=options
    )


def decide(answer: str, key: str) -> Grade:
    return grade_answer(answer, question="Does it?", references=[key], kind="true_false")


def fill(answer: str, *keys: str, options: Sequence[str] = ()) -> Grade:
    return grade_answer(answer, question="____", references=keys, kind="cloze", options=options)


def order(answer: str, key: str, options: Sequence[str] = ("base", "link", "arm")) -> Grade:
    return grade_answer(answer, question="Order them.", references=[key], kind="ordering", options=options)


@pytest.mark.parametrize(
    "answer",
    ["b", "B", "B)", "(b)", "b.", "option b", "Option B", "the second one", "second", "2", "a joint", "Joint", "joints",
     "the answer is b", "I think it's b", "b) a joint", "B because it moves", "it is a joint"],
)  # fmt: skip
@pytest.mark.parametrize("key", ["A joint", "B"])
def test_an_option_is_named_by_letter_number_order_or_text(answer: str, key: str) -> None:
    grade = choose(answer, key)
    assert (grade.is_correct, grade.confident) == (True, True)


@pytest.mark.parametrize(
    "answer",
    [
        "a",
        "C",
        "3",
        "the last one",
        "a link",
        "robot",
        "both a and b",
        "a, b",
        "b or c",
        "all of them",
        "z",
        "9",
    ],
)
def test_another_option_or_too_many_are_wrong(answer: str) -> None:
    assert not choose(answer, "A joint").is_correct


@pytest.mark.parametrize("answer", ["not b", "b) a link", "the one with the wires", "the blue one"])
def test_what_cannot_be_told_is_asked_back(answer: str) -> None:
    grade = choose(answer, "A joint")
    assert (grade.is_correct, grade.confident) == (False, False)


def test_several_keyed_options_must_all_be_named() -> None:
    assert choose("c and a", "A and C").is_correct
    assert choose("A, C", "A robot arm", "A link").is_correct
    assert not choose("a", "A and C").is_correct


def test_options_that_are_numbers_are_read_as_numbers_first() -> None:
    assert choose("4", "4", options=("2", "4", "8")).is_correct
    assert not choose("2", "4", options=("2", "4", "8")).is_correct


@pytest.mark.parametrize(
    "answer",
    [
        "true",
        "True.",
        "T",
        "yes",
        "y",
        "correct",
        "I agree",
        "that's right",
        "not false",
        "True, because it moves",
    ],
)
def test_agreeing_in_any_words_is_true(answer: str) -> None:
    assert decide(answer, "True").is_correct
    assert not decide(answer, "False").is_correct


@pytest.mark.parametrize(
    "answer",
    ["false", "F", "no", "nope", "wrong", "that's wrong", "not true", "it isn't correct", "I disagree"],
)
def test_disagreeing_in_any_words_is_false(answer: str) -> None:
    assert decide(answer, "False").is_correct
    assert not decide(answer, "True").is_correct


def test_neither_true_nor_false_is_asked_back() -> None:
    assert not decide("it depends", "True").confident


@pytest.mark.parametrize(
    "answer",
    [
        "mitochondria",
        "Mitochondria",
        "the mitochondria",
        "mitocondria",
        "mitochondira",
        "the word is mitochondria",
    ],
)
def test_a_gap_takes_the_term_with_articles_and_slips(answer: str) -> None:
    grade = fill(answer, "mitochondria")
    assert (grade.is_correct, grade.confident) == (True, True)


def test_a_gap_takes_plural_and_singular() -> None:
    assert fill("joints", "joint").is_correct
    assert fill("joint", "joints").is_correct


def test_a_gap_takes_a_synonym_but_not_with_confidence() -> None:
    grade = fill("big", "large")
    assert (grade.is_correct, grade.confident) == (True, False)


def test_another_term_of_the_item_is_no_slip() -> None:
    terms = ("mitosis", "meiosis")
    assert not fill("meiosis", "mitosis", options=terms).is_correct
    assert not fill("miosis", "mitosis", options=terms).is_correct
    assert fill("mitosiss", "mitosis", options=terms).is_correct


@pytest.mark.parametrize("answer", ["chloroplast", "cell", "not mitochondria"])
def test_a_gap_refuses_other_words(answer: str) -> None:
    assert not fill(answer, "mitochondria").is_correct


@pytest.mark.parametrize("answer", ["B, A, C", "bac", "b a c", "B > A > C", "b then a then c", "2 1 3", "2, 1, 3", "link, base, arm", "1. link 2. base 3. arm", "link then base and finally arm"])  # fmt: skip
def test_an_order_is_given_by_letters_numbers_or_texts(answer: str) -> None:
    grade = order(answer, "B, A, C")
    assert (grade.is_correct, grade.confident) == (True, True)


def test_an_order_without_options_is_compared_by_text() -> None:
    assert order("first sense, then plan, then act", "sense -> plan -> act", ()).is_correct
    assert not order("plan, sense, act", "sense -> plan -> act", ()).is_correct


def test_a_nearly_right_order_scores_more_than_a_reversed_one() -> None:
    assert order("A, B, C", "B, A, C").score > order("C, A, B", "B, A, C").score
    assert not order("A, B, C", "B, A, C").is_correct


def test_a_wholly_reversed_order_is_wrong_beyond_doubt() -> None:
    reversed_order = order("C, A, B", "B, A, C")
    assert not reversed_order.is_correct
    assert reversed_order.confident


def test_a_missing_item_makes_the_order_wrong() -> None:
    assert not order("B, A", "B, A, C").is_correct


def test_an_item_of_an_order_may_hold_a_comma() -> None:
    options = [
        "Match them, and drop the outliers",
        "Detect corners, and describe each",
        "Solve for the motion",
    ]
    key = " → ".join([options[1], options[0], options[2]])
    for answer in ("B, A, C", "BAC", key, "2 1 3"):
        assert grade_answer(
            answer, question="Order.", references=[key], kind="ordering", options=options
        ).is_correct
    assert not grade_answer(
        "A, B, C", question="Order.", references=[key], kind="ordering", options=options
    ).is_correct


@pytest.mark.parametrize("kind", ["short_answer", "cloze"])
@pytest.mark.parametrize(
    ("answer", "is_right"),
    [
        ("joint", True),
        ("a joint", True),
        ("a robot joint", True),
        ("joint axis", False),
        ("I think it's the joint axis", False),
    ],
)
def test_the_longer_name_of_another_thing_is_wrong(kind: str, answer: str, is_right: bool) -> None:
    grade = grade_answer(
        answer,
        question="What do we call a connection between two links?",
        references=["joint"],
        kind=kind,
        others=("joint", "joint axis", "link"),
    )
    assert (grade.is_correct, grade.confident) == (is_right, True)


def test_the_reason_says_that_the_name_is_taken() -> None:
    grade = grade_answer("joint axis", question="?", references=["joint"], others=("joint axis",))
    assert grade.reason == "In this course “joint axis” is something else."


@pytest.mark.parametrize(
    ("answer", "words"),
    [("b", "plugin"), ("B)", "plugin"), ("plugin", "plugin"), ("both", "both"), ("?", "?")],
)
def test_an_option_is_told_by_its_words_and_anything_else_as_typed(answer: str, words: str) -> None:
    assert in_words(answer, ("SDF", "plugin", "world")) == words


def prints(answer: str, key: str) -> Grade:
    return grade_answer(answer, question="What does this code print?", references=[key], kind="output")


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("0 1 2 3", "0 1 2 3"),
        ("[1,2, 3]", "[1, 2, 3]"),
        ('["a", "b"]', "['a', 'b']"),
        ("'abc'", "abc"),
        ("abc", "'abc'"),
        ("one \n two\n\n", "one\ntwo"),
        ("```\n4\n```", "4"),
        ("Out[3]: 4", "4"),
        ("it prints 4", "4"),
        ("x  is\tzero", "x is zero"),
        ("[]", "[]"),
        ("−15 is negative.", "-15 is negative"),
    ],
)
def test_an_output_is_the_same_whatever_its_spaces_and_quotes(answer: str, key: str) -> None:
    grade = prints(answer, key)
    assert grade.is_correct
    assert grade.confident


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("one\nthree", "one\ntwo\nthree"),
        ("10 9 8 7 6 5 4 3 2 1 0", "0 1 2 3 4 5 6 7 8 9 10"),
        ("true", "True"),
        ("1 2", "12"),
        ("[1, 2]", "[1, 2, 3]"),
        ("3", "3.0"),
        ("I don't know", "4"),
        ("", "4"),
    ],
)
def test_another_output_is_wrong_and_code_is_sure_of_it(answer: str, key: str) -> None:
    grade = prints(answer, key)
    assert not grade.is_correct
    assert grade.confident
    assert grade.score < 1


def test_an_option_in_code_is_quoted_without_its_marks() -> None:
    assert in_words("b", ["`rclcpp`", "`rclpy`", "`rcl`"]) == "rclpy"


SPICES = ("salt", "sugar", "pepper", "black pepper", "thyme")


def name_all(answer: str, key: str = "salt\npepper\nthyme") -> Grade:
    return grade_answer(answer, question="Which?", references=[key], kind="several", options=SPICES)


@pytest.mark.parametrize(
    "answer",
    ["a, c and e", "ACE", "a c e", "1, 3, 5", "salt, pepper, thyme", "thyme\nsalt\npepper", "E; A; C"],
)
def test_several_are_named_by_letters_numbers_or_texts_in_any_order(answer: str) -> None:
    grade = name_all(answer)
    assert (grade.is_correct, grade.confident) == (True, True)


def test_a_part_of_several_is_partly_right_and_told_so() -> None:
    two, with_a_slip, slips = name_all("a, c"), name_all("a, c, b"), name_all("b, d")
    assert not any(each.is_correct for each in (two, with_a_slip, slips))
    assert two.score > with_a_slip.score > slips.score == 0
    assert "1 more is right" in two.reason
    assert "2 of your 3" in with_a_slip.reason


def test_naming_all_of_several_wins_nothing() -> None:
    assert name_all("all of them").score == 0


def test_no_option_at_all_is_asked_back() -> None:
    assert not name_all("the green one").confident
