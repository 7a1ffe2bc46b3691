"""Grading short answers: what a learner may write, and what the tutor says to it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.teaching.grading import Grade, Model, grade_answer
from agents.teaching.grading.words import MAX_CHARS

SWITCH = "Why does an open switch impact a circuit?"
GAP = ("the open switch creates a gap", "there is an incomplete circuit")
NODE = "A node is a process that performs computation."


def short(answer: str, *references: str, question: str = "") -> Grade:
    return grade_answer(answer, question=question, references=references)


@pytest.mark.parametrize(
    "answer", [NODE, NODE.upper(), "a node is a process that performs computation", f"  {NODE}\n"]
)
def test_the_expected_answer_is_right_whatever_its_case_and_spacing(answer: str) -> None:
    grade = short(answer, NODE, question="What is a node?")
    assert (grade.is_correct, grade.score, grade.confident) == (True, 1.0, True)


@pytest.mark.parametrize(
    "answer",
    ["", "   ", "?", "...", "🙂🙂", "\x00\x00", "I don't know", "i dont know", "idk", "no idea", "I have no clue", "pass", "skip it",
     "not sure", "Sorry, I forgot", "dunno", "I don\"t know.", "I really do not know"],
)  # fmt: skip
def test_an_empty_answer_or_not_knowing_is_wrong_and_met_kindly(answer: str) -> None:
    grade = short(answer, NODE)
    assert (grade.is_correct, grade.confident) == (False, True)
    assert "wrong" not in grade.reason.lower()


def test_not_knowing_followed_by_an_attempt_is_graded_as_an_attempt() -> None:
    assert short("I don't know, maybe a node is a process that performs computation", NODE).is_correct


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("The terminals are not connected", "The terminals are connected"),
        ("the terminals aren't connected", "The terminals are connected"),
        ("The terminals are connected", "The terminals are not connected"),
        ("the path is open", "the path is closed"),
        ("the pitch gets lower", "the pitch gets higher"),
        ("the bulbs are in the same path", "the bulbs are in different paths"),
        ("the sensor does not contain a camera", "the sensor contains a camera"),
    ],
)
def test_the_opposite_of_the_expected_answer_is_wrong(answer: str, reference: str) -> None:
    assert not short(answer, reference).is_correct


def test_a_contradiction_is_named_in_the_learners_own_words() -> None:
    grade = short("The terminals are not connected", "The terminals are connected")
    assert "opposite" in grade.reason
    assert "‘connected’" in grade.reason


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("the terminals are not separated", "the terminals are connected"),
        ("there is no closed path", "the path is open"),
        ("the string is not short", "the string is long"),
    ],
)
def test_a_negated_opposite_is_no_contradiction(answer: str, reference: str) -> None:
    assert "opposite" not in short(answer, reference).reason


@pytest.mark.parametrize(
    "answer",
    ["the open swich creates a gap", "a gap is created by the open switch", "the open switch makes a gap"],
)
def test_spelling_slips_word_order_and_synonyms_are_accepted(answer: str) -> None:
    assert short(answer, *GAP, question=SWITCH).is_correct


def test_any_one_of_the_references_is_enough() -> None:
    assert short("there is an incomplete circuit", *GAP, question=SWITCH).is_correct


@pytest.mark.parametrize("answer", ["Paris", "paris", "It is Paris", "Pariss", "the answer is paris"])
def test_a_term_is_found_in_a_short_answer(answer: str) -> None:
    assert short(answer, "Paris", question="What is the capital?").is_correct


@pytest.mark.parametrize(
    "answer", ["London", "London or Paris", "Paris is not the capital", "it is not Paris"]
)
def test_a_term_that_is_not_settled_on_is_wrong(answer: str) -> None:
    assert not short(answer, "Paris", question="What is the capital?").is_correct


def test_a_counted_thing_can_be_answered_in_words() -> None:
    assert "number" not in short("a parent link and a child link", "two links").reason


def test_repeating_the_question_is_no_answer() -> None:
    grade = short("why does an open switch impact a circuit", *GAP, question=SWITCH)
    assert (grade.is_correct, grade.confident) == (False, True)


def test_naming_everything_is_never_graded_with_confidence() -> None:
    everything = "open closed gap no gap complete incomplete path circuit switch battery bulb wire connected separated same different"
    assert not short(everything, *GAP, question=SWITCH).confident


def test_an_answer_on_something_else_is_surely_wrong() -> None:
    grade = short("the frog jumped into the river", NODE, question="What is a node?")
    assert (grade.is_correct, grade.confident) == (False, True)


def test_the_reason_of_a_wrong_answer_never_gives_the_expected_words_away() -> None:
    grade = short("something with electricity", *GAP, question=SWITCH)
    assert not grade.is_correct
    assert "gap" not in grade.reason


def test_a_model_that_is_handed_in_judges_instead_of_the_fitted_one() -> None:
    lenient = Model(bias=5.0, weights={}, border=0.5, surely_right=0.9, surely_wrong=0.1)
    answer = "the frog jumped into the river"
    assert not grade_answer(answer, question="What is a node?", references=[NODE]).is_correct
    assert grade_answer(answer, question="What is a node?", references=[NODE], model=lenient).is_correct


def test_without_references_the_learner_decides() -> None:
    grade = grade_answer("anything", question="?", references=[])
    assert (grade.is_correct, grade.confident) == (False, False)


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("320 cm/s", "3.2 m/s"), ("about 3.2 m/s", "3.2 m/s"), ("3.25 m/s", "3.2 m/s"), ("11.52 km/h", "3.2 m/s"),
        ("3.2 meters per second", "3.2 m/s"), ("1,000", "1000"), ("5e-3", "0.005"), ("5 x 10^-3", "0.005"), ("1/2", "0.5"),
        ("50%", "0.5"), ("it is 50 percent", "50%"), ("three", "3"), ("3 apples", "3"), ("25 °C", "77 °F"),
        ("1000 ml", "1 L"), ("1 l", "1000 cm^3"), ("-4", "−4"), ("2 + 1 = 3", "3"), ("30 seconds", "0.5 min"), ("10 Hz", "10 hertz"),
    ],
)  # fmt: skip
def test_numbers_are_read_in_any_spelling_and_unit(answer: str, reference: str) -> None:
    assert short(answer, reference).is_correct


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("4", "3"),
        ("3.3", "3"),
        ("5 m/s", "3.2 m/s"),
        ("3.2 kg", "3.2 m/s"),
        ("3.2 km/s", "3.2 m/s"),
        ("fast", "3.2 m/s"),
        ("5", "50%"),
    ],
)
def test_a_wrong_number_or_unit_is_surely_wrong(answer: str, reference: str) -> None:
    grade = short(answer, reference)
    assert (grade.is_correct, grade.confident) == (False, True)


def test_a_missing_unit_is_said_and_costs_a_part_of_the_mark() -> None:
    grade = short("3.2", "3.2 m/s")
    assert (grade.is_correct, grade.confident) == (False, True)
    assert 0.5 < grade.score < 1
    assert "unit" in grade.reason


def test_a_count_is_of_the_same_thing() -> None:
    assert short("two nodes", "2 nodes").is_correct
    assert short("2", "2 nodes").is_correct
    assert not short("2 topics", "2 nodes").is_correct


def test_two_numbers_are_no_answer() -> None:
    grade = short("3 or 4", "4")
    assert (grade.is_correct, grade.confident) == (False, False)


def test_the_order_of_the_references_does_not_matter() -> None:
    for answer in ("it makes a gap", "the circuit is not complete", "no"):
        assert short(answer, *GAP) == short(answer, *reversed(GAP))


@pytest.mark.parametrize(
    "answer",
    ["x" * 100_000, "word " * 20_000, '{"a": [1, 2]}' * 9_000, "这是一个答案" * 5_000, "ﷺ" * 50_000, "1 " * 50_000, "not " * 25_000,
     "it is it is " * 9_000, "\x00a" * 50_000, "a, b and " * 9_000],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["short_answer", "multiple_choice", "ordering", "cloze", "true_false"])
def test_of_a_huge_or_strange_text_only_the_beginning_is_read(answer: str, kind: str) -> None:
    """However much somebody pastes, grading costs no more than a long answer does."""

    def grade(text: str) -> Grade:
        return grade_answer(
            text,
            question="?",
            references=[NODE],
            kind=kind,
            options=[NODE, "b", "c"],
        )

    assert grade(answer) == grade(answer[:MAX_CHARS])


KINDS = st.sampled_from(["short_answer", "multiple_choice", "cloze", "true_false", "ordering", "unheard_of"])
TEXTS = st.text(max_size=200)


@settings(max_examples=300, deadline=None)
@given(
    answer=TEXTS,
    question=TEXTS,
    references=st.lists(TEXTS, max_size=4),
    options=st.lists(TEXTS, max_size=5),
    kind=KINDS,
)
def test_any_text_in_a_grade_out(
    answer: str, question: str, references: list[str], options: list[str], kind: str
) -> None:
    first = grade_answer(answer, question=question, references=references, kind=kind, options=options)
    assert 0.0 <= first.score <= 1.0
    assert first.reason
    assert first == grade_answer(answer, question=question, references=references, kind=kind, options=options)


@settings(max_examples=200, deadline=None)
@given(reference=TEXTS.filter(lambda text: text.strip() != ""), question=TEXTS, kind=KINDS)
def test_the_expected_answer_itself_is_always_right(reference: str, question: str, kind: str) -> None:
    assert grade_answer(reference, question=question, references=["another", reference], kind=kind).is_correct


@settings(max_examples=100, deadline=None)
@given(answer=TEXTS, references=st.permutations(["a gap", "the path is open", "12 m", "no closed path"]))
def test_references_in_any_order_give_the_same_grade(answer: str, references: list[str]) -> None:
    assert short(answer, *references).is_correct == short(answer, *sorted(references)).is_correct


def test_the_other_end_of_an_exchange_is_not_the_same_thing() -> None:
    grade = grade_answer(
        "the part of a node that receives messages from a topic",
        question="In your own words, what is a publisher?",
        references=["the part of a node that sends messages to a topic"],
    )
    assert (grade.is_correct, grade.confident) == (False, True)
