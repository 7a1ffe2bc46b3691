"""Numbers with units: in any writing and any unit that says the same, and told what is missing."""

import time

import pytest

from agents.teaching.grading import Grade, grade_answer
from agents.teaching.grading.figures import quantities, tidy
from agents.teaching.grading.units import read_unit


def number(answer: str, key: str, *, question: str = "") -> Grade:
    return grade_answer(answer, question=question, references=[key], kind="numeric")


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("8.2e3 g", "8.2 × 10^3 g"), ("8,200 g", "8.2 × 10^3 g"), ("8 200 g", "8.2 × 10^3 g"), ("8.2·10³ g", "8.2 × 10^3 g"),
        ("8.2 kg", "8.2 × 10^3 g"), ("8.2 x 10^-4 M", "8.2 × 10^−4 *M*"), ("8,2 kg", "8.2 × 10^3 g"),
        ("8.2e3 g", r"$8.2 \times 10^{3}\ \mathrm{g}$"), ("4 m s^-2", "4.0 m/s²"), ("4 m/s/s", "4.0 m/s²"), ("4 N/kg", "4.0 m/s²"),
        ("4 metres per second squared", "4.0 m/s²"), ("90 km/h", "25 m/s"), ("2 h 30 min", "150 min"), ("7 Nm", "7.0 J"),
        ("68 °F", "20 °C"), ("20 C", "20 °C"), ("20 degrees", "20 °C"), ("three quarters", "0.75"), ("1½", "1.5"),
        ("37.5 %", "3/8"), ("thirty-two", "32"), ("2 million", "2,000,000"), ("π/2", "1.57"), ("$40", "40 dollars"),
        ("between 4 and 6 cm", "4–6 cm"), ("5.2 cm", "4–6 cm"), ("3.3 cm", "3.2 ± 0.1 cm"), ("2 mol", "2.0 mol H2"),
    ],
)  # fmt: skip
def test_a_number_is_right_in_any_writing_and_any_unit_that_says_the_same(answer: str, key: str) -> None:
    grade = number(answer, key)
    assert (grade.is_correct, grade.confident) == (True, True)


@pytest.mark.parametrize(
    ("answer", "key", "said"),
    [
        ("12", "12 V", "missing"),
        ("12 downwards", "12 N", "missing"),
        ("12 A", "12 V", "unit is not"),
        ("12 km", "12 m", "unit is not"),
        ("12 mΩ", "12 MΩ", "unit is not"),
        ("30 m", "30 m²", "unit is not"),
    ],
)
def test_a_right_number_with_a_wrong_or_missing_unit_is_told_so_and_partly_right(
    answer: str, key: str, said: str
) -> None:
    grade = number(answer, key)
    assert not grade.is_correct
    assert 0.4 < grade.score < 1
    assert said in grade.reason
    assert grade.confident


@pytest.mark.parametrize(
    ("answer", "key"),
    [("8.2 × 10^2 g", "8.2 × 10^3 g"), ("-5 m/s", "5.0 m/s"), ("2.9 kg", "2.6 kg"), ("31", "32"), ("1850", "1848"), ("heavy", "3 kg")],
)  # fmt: skip
def test_another_number_is_surely_wrong(answer: str, key: str) -> None:
    grade = number(answer, key)
    assert (grade.is_correct, grade.confident) == (False, True)
    assert grade.score < 0.4


@pytest.mark.parametrize(
    ("key", "inside", "outside"),
    [
        ("4.00 kg", "4.07 kg", "4.1 kg"),  # at least 2%
        ("4 kg", "4.19 kg", "4.25 kg"),  # one figure: at most 5%
        ("400 kg", "418 kg", "425 kg"),  # zeros do not tell
        ("1.2 kg", "1.24 kg", "1.26 kg"),  # half a unit of the last figure
        ("about 30", "31", "33"),
        ("25 °C", "25.4 °C", "27 °C"),  # of degrees, not of kelvins
    ],
)
def test_the_tolerance_is_what_the_figures_of_the_key_leave_open(key: str, inside: str, outside: str) -> None:
    assert number(inside, key).is_correct
    assert not number(outside, key).is_correct


def test_a_value_rounded_to_two_figures_is_right() -> None:
    assert number("0.15 mol", "0.145 mol").is_correct
    assert not number("0.1 mol", "0.145 mol").is_correct


@pytest.mark.parametrize(
    "answer",
    [
        "F = ma = 2·3 = 6 N",
        "2 kg × 3 m/s² = 6 N",
        "with 2 kg at 3 m/s² it is 6 N",
        "so 6 N",
        "about 6 N downwards",
    ],
)
def test_the_result_is_meant_among_other_numbers(answer: str) -> None:
    assert number(answer, "6 N").is_correct


@pytest.mark.parametrize("answer", ["6 N or 8 N", "6 or 8 N", "not 8 N but 6 N"])
def test_two_results_are_asked_back(answer: str) -> None:
    assert not number(answer, "6 N").confident


def test_a_question_may_name_the_unit_that_its_key_leaves_out() -> None:
    asked = "How many grams of salt dissolve?"
    for answer in ("36", "36 g", "0.036 kg"):
        assert number(answer, "36", question=asked).is_correct
    assert not number("36 kg", "36", question=asked).is_correct
    assert not number("36 g", "36").is_correct


def test_a_rise_in_temperature_is_as_many_kelvins_as_degrees() -> None:
    asked = "By how much does its temperature increase?"
    assert number("6.2 K", "6.2 °C", question=asked).is_correct
    assert number("11.2 °F", "6.2 °C", question=asked).is_correct
    assert not number("6.2 K", "6.2 °C", question="How warm is it?").is_correct
    assert number("20 °C", "293 K", question="The volume increases. What is the temperature?").is_correct


@pytest.mark.parametrize("word", ["links", "points", "in the box", "a", "cats", "turns", "at"])
def test_everyday_words_are_no_units(word: str) -> None:
    assert read_unit(word) is None


def test_a_number_in_words_is_no_unit_of_its_own() -> None:
    assert [each.value for each in quantities(tidy("a dozen eggs and half a loaf"))] == [12, 0.5]


@pytest.mark.parametrize(
    "answer",
    ["9" * 3000, "9e999 N", "1e999999999 m", "9**9**9**9", "m" * 3000 + "/s", "1 " + "kg·" * 900, "(" * 900 + "1 N", "10^" * 900,
     "__import__('os').system('x') 3 N", "1/0", "1 N^99999999", "ﷺ 1½ N", "1,2,3,4,5", "- - - 4"],
)  # fmt: skip
def test_no_writing_takes_long_or_runs_anything(answer: str) -> None:
    start = time.process_time()
    number(answer, "6.0 N")
    number("6 N", answer)
    assert time.process_time() - start < 1.0
