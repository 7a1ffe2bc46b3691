"""Which questions a wish for practice names: how many, about what, of which kind."""

import pytest

from agents.language.practice import asks_for_questions, is_about_misses, length_in, practice_in


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("give me 7 questions on joints", 7),
        ("a couple of problems please", 2),
        ("another exercise", 1),
        ("three quick questions from chapter 5", 3),
        ("questions from chapter 5", 0),
        ("a quiz on joints", 0),
        ("some problems", 0),
    ],
)
def test_how_many(said: str, count: int) -> None:
    assert practice_in(said).count == count


@pytest.mark.parametrize(
    ("said", "range_", "part"),
    [
        ("test me on chapter 12", "part", (12,)),
        ("questions on section 3.2", "part", (3, 2)),
        ("quiz me on all I have learnt so far", "seen", ()),
        ("ask me about everything", "all", ()),
        ("once more, just my mistakes", "missed", ()),
        ("quiz me on joints", "", ()),
    ],
)
def test_about_what(said: str, range_: str, part: tuple[int, ...]) -> None:
    found = practice_in(said)

    assert (found.range, found.part) == (range_, part)


def test_with_numbers_or_without() -> None:
    assert practice_in("an exercise where I have to calculate something").is_numeric
    assert not practice_in("an exercise on joints").is_numeric


def test_to_see_mistakes_is_not_to_do_them_again() -> None:
    assert not is_about_misses("what did I get wrong?")
    assert is_about_misses("let me try again what I got wrong")
    assert not asks_for_questions("explain the sensor to me")


@pytest.mark.parametrize(
    ("said", "length"),
    [
        ("find my gaps in five minutes", 5),
        ("test me with 3 questions", 3),
        ("where are my gaps in chapter 3?", 0),
    ],
)
def test_how_long_somebody_is_ready_to_be_asked(said: str, length: int) -> None:
    assert length_in(said) == length
