"""Until when and how long a day somebody wants to learn."""

from datetime import UTC, date, datetime

import pytest

from agents.language.deadline import terms_of

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)  # a Thursday


@pytest.mark.parametrize(
    ("said", "by", "minutes", "rest"),
    [
        ("heat engine by next Friday", date(2026, 11, 27), None, "heat engine"),
        ("gases until 3 December, 30 minutes a day", date(2026, 12, 3), 30, "gases"),
        (
            "my test on gases is on December 10, plan it",
            date(2026, 12, 10),
            None,
            "my test on gases , plan it",
        ),
        ("plan gases over the next week", date(2026, 11, 26), None, "plan gases"),
        ("I have ten days for gases", date(2026, 11, 29), None, "for gases"),
        ("half an hour a day", None, 30, ""),
        ("plan it with 1.5 hours per day", None, 90, "plan it"),
        ("an hour and a half each evening", None, 90, ""),
        ("2 hours daily in two weeks", date(2026, 12, 3), 120, ""),
    ],
)
def test_dates_and_minutes_are_read_and_the_rest_is_left(
    said: str, by: date | None, minutes: int | None, rest: str
) -> None:
    found = terms_of(said, now=NOW)

    assert (found.by, found.minutes_a_day, found.rest) == (by, minutes, rest)


@pytest.mark.parametrize(
    "said",
    ["what should I learn next?", "teach me the second law", "the news of 1 May 1990", "plan chapter 3"],
)
def test_what_says_no_time_says_none(said: str) -> None:
    found = terms_of(said, now=NOW)

    assert not found.are_said
    assert found.rest == said.strip(" ,;:-–—")
