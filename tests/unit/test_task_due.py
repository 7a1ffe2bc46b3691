"""Due dates in plain words."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.language.due import is_due, parse_due, split_due

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 4, 10, 30, tzinfo=BERLIN)  # a Wednesday


def local(phrase: str, *, now: datetime = NOW) -> str | None:
    moment = parse_due(phrase, now=now.astimezone(BERLIN))
    return None if moment is None else f"{moment:%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("phrase", "day"),
    [
        ("today", "2026-03-04"),
        ("tonight", "2026-03-04"),
        ("tomorrow", "2026-03-05"),
        ("by tomorrow", "2026-03-05"),
        ("the day after tomorrow", "2026-03-06"),
        ("Friday", "2026-03-06"),
        ("this Friday", "2026-03-06"),
        ("this coming Friday", "2026-03-06"),
        ("by thurs", "2026-03-05"),
        ("next Friday", "2026-03-13"),
        ("next Monday", "2026-03-09"),
        ("Wednesday", "2026-03-11"),
        ("this weekend", "2026-03-08"),
        ("next week", "2026-03-11"),
        ("this week", "2026-03-08"),
        ("in two weeks", "2026-03-18"),
        ("in 3 days", "2026-03-07"),
        ("two weeks from now", "2026-03-18"),
        ("a week from today", "2026-03-11"),
        ("in a couple of days", "2026-03-06"),
        ("by end of month", "2026-03-31"),
        ("the end of next month", "2026-04-30"),
        ("end of the week", "2026-03-08"),
        ("EOD", "2026-03-04"),
        ("on 3 March", "2027-03-03"),
        ("March 10", "2026-03-10"),
        ("the 10th of March", "2026-03-10"),
        ("on the 1st", "2026-04-01"),
        ("the 15th", "2026-03-15"),
        ("April 12th, 2026", "2026-04-12"),
        ("2026-03-20", "2026-03-20"),
        ("20.3.", "2026-03-20"),
        ("due Thursday", "2026-03-05"),
        ("deadline: 20 March", "2026-03-20"),
    ],
)
def test_a_day_lasts_to_its_end(phrase: str, day: str) -> None:
    assert local(phrase) == f"{day} 23:59"


@pytest.mark.parametrize(
    ("phrase", "moment"),
    [
        ("tomorrow at 5", "2026-03-05 17:00"),
        ("next Friday at 5", "2026-03-13 17:00"),
        ("tomorrow at 9", "2026-03-05 09:00"),
        ("Friday at 17:00", "2026-03-06 17:00"),
        ("Saturday 8:30", "2026-03-07 08:30"),
        ("12 April at 9am", "2026-04-12 09:00"),
        ("at noon tomorrow", "2026-03-05 12:00"),
        ("tomorrow morning", "2026-03-05 09:00"),
        ("Sunday evening", "2026-03-08 19:00"),
        ("at 5", "2026-03-04 17:00"),
        ("5 pm", "2026-03-04 17:00"),
        ("by 5", "2026-03-04 17:00"),
        ("at 8", "2026-03-04 20:00"),
        ("today at 8", "2026-03-04 20:00"),
        ("at 9:15", "2026-03-05 09:15"),
        ("at 12 am", "2026-03-05 00:00"),
        ("in an hour", "2026-03-04 11:30"),
        ("in half an hour", "2026-03-04 11:00"),
        ("in ten minutes", "2026-03-04 10:40"),
    ],
)
def test_a_time_is_kept_and_one_that_has_passed_means_the_next(phrase: str, moment: str) -> None:
    assert local(phrase) == moment


@pytest.mark.parametrize(
    "phrase", ["32 March", "31 February", "at 25", "soon", "", "at 10:75", "someday", "the 32nd"]
)
def test_what_is_no_date_is_none(phrase: str) -> None:
    assert local(phrase or "x") is None


def test_an_hour_is_an_hour_when_the_clocks_change() -> None:
    before = datetime(2026, 3, 29, 1, 30, tzinfo=BERLIN)

    assert local("in an hour", now=before) == "2026-03-29 03:30"


def test_the_zone_decides_which_day_it_is() -> None:
    late = datetime(2026, 3, 4, 23, 30, tzinfo=UTC)

    assert parse_due("today", now=late) == datetime(2026, 3, 4, 23, 59, tzinfo=UTC)
    assert local("today", now=late) == "2026-03-05 23:59"


@pytest.mark.parametrize(
    ("text", "title", "due"),
    [
        ("buy milk tomorrow", "buy milk", "tomorrow"),
        ("call mom tomorrow at 5", "call mom", "tomorrow at 5"),
        ("finish essay, deadline next week", "finish essay", "deadline next week"),
        ("quiz on quaternions, due Thursday", "quiz on quaternions", "due Thursday"),
        ("buy milk (due tomorrow)", "buy milk", "due tomorrow"),
        ("picking up the 3D prints on Saturday morning", "picking up the 3D prints", "on Saturday morning"),
        ("tomorrow to water the plants", "water the plants", "tomorrow"),
        ("in two weeks to renew my licence", "renew my licence", "in two weeks"),
        ("for next Monday: prepare slides", "prepare slides", "for next Monday"),
        ("water plants tonight!", "water plants", "tonight"),
    ],
)
def test_the_words_that_say_when_leave_the_title(text: str, title: str, due: str) -> None:
    assert split_due(text) == (title, due)


@pytest.mark.parametrize(
    "text",
    [
        "read the 2024 annual report",
        "review Monday's lecture notes",
        "prepare Monday meeting",
        "write about 3 March 1917",
        "summarise the news of 3 March",
        "read chapter 3",
        "read section 3.2",
        "finish 3/4 of the book",
        "buy 2 apples",
        "plan May",
        "march to the beat",
        "study Saturday Night Live",
        "prepare for the end of the world",
        "tomorrow",
    ],
)
def test_a_date_that_is_part_of_the_thing_stays(text: str) -> None:
    assert split_due(text) == (text, None)


def test_only_a_phrase_that_says_nothing_else_is_a_due_date() -> None:
    assert is_due("next Friday at 5")
    assert not is_due("next Friday's meeting")
    assert not is_due("buy milk tomorrow")


@given(st.text(max_size=300))
def test_no_text_is_lost_or_breaks_the_reader(text: str) -> None:
    title, due = split_due(text)

    assert title in text
    assert due is None or (due in text and title)
