"""The days of a plan: at a learner's own pace, up to a date, and honest where that does not fit."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from agents.teaching.schedule import (
    FEWEST_MINUTES,
    MOST_MINUTES,
    REVIEW_MINUTES,
    USUAL_MINUTES,
    Pace,
    PlannedSection,
    Promise,
    Review,
    Schedule,
    TimedRound,
    schedule,
)

TODAY = date(2026, 11, 19)


def section(name: str, minutes: float = 30.0) -> PlannedSection:
    return PlannedSection(title=name, chapter_id=f"ch-{name}", concepts=(f"idea {name}",), minutes=minutes)


def sections(*minutes: float) -> list[PlannedSection]:
    return [section(str(number), each) for number, each in enumerate(minutes, 1)]


def in_days(count: int) -> date:
    return TODAY + timedelta(days=count)


def days_of(found: Schedule) -> list[int]:
    return [(stop.on - TODAY).days for stop in found.stops]


def test_without_a_date_the_days_run_on_at_a_usual_pace() -> None:
    found = schedule(sections(30, 30, 45), today=TODAY)

    assert found.minutes_a_day == USUAL_MINUTES
    assert days_of(found) == [0, 1, 3]
    assert found.fits


def test_up_to_a_date_the_work_is_spread_over_the_days() -> None:
    found = schedule(sections(40, 40, 40), today=TODAY, by=in_days(5))

    assert found.needed_a_day == 20
    assert days_of(found) == [1, 3, 5]
    assert found.fits


def test_chosen_minutes_are_kept_and_what_does_not_fit_is_said() -> None:
    found = schedule(sections(60, 60), today=TODAY, by=in_days(1), minutes_a_day=30)

    assert not found.fits
    assert found.needed_a_day == 60
    assert found.ends == in_days(3)
    assert found.in_time == found.stops[:1]


def test_no_plan_asks_for_whole_days_by_itself() -> None:
    found = schedule(sections(400, 400), today=TODAY, by=in_days(1))

    assert found.minutes_a_day == MOST_MINUTES
    assert not found.fits
    assert found.needed_a_day > MOST_MINUTES


def test_nobody_is_asked_for_two_minutes_a_day() -> None:
    assert schedule(sections(20), today=TODAY, by=in_days(30)).minutes_a_day == FEWEST_MINUTES


def test_reviews_come_on_their_day_and_take_time_from_it() -> None:
    due = [Review(concept="node", on=in_days(-3)), Review(concept="topic", on=in_days(1))]
    late = Review(concept="link", on=in_days(90))
    found = schedule(sections(30, 30), today=TODAY, minutes_a_day=30, reviews=[*due, late])

    assert [(each.concept, each.on) for each in found.reviews] == [("node", TODAY), ("topic", in_days(1))]
    assert days_of(found) == [1, 2]
    assert REVIEW_MINUTES > 0


def test_what_was_missed_has_moved_and_what_is_done_has_left() -> None:
    before = schedule(sections(30, 30, 30), today=TODAY, minutes_a_day=30)
    promise = Promise.made(before, minutes_a_day=30)
    after = schedule(sections(30, 30, 30)[1:], today=in_days(4), minutes_a_day=30, before=promise)

    assert [(each.title, each.was, each.on) for each in after.moved] == [
        ("2", in_days(1), in_days(4)),
        ("3", in_days(2), in_days(5)),
    ]
    assert schedule(sections(30, 30, 30)[1:], today=in_days(1), before=promise).moved == ()


def test_a_promise_survives_being_stored() -> None:
    promise = Promise.made(schedule(sections(5, 9), today=TODAY, by=in_days(3)), minutes_a_day=None)

    assert Promise.from_json(promise.to_json()) == promise


def test_a_date_that_is_over_is_known_to_be() -> None:
    found = schedule(sections(30), today=TODAY, by=in_days(-2))

    assert found.is_past
    assert not found.fits
    assert not schedule([], today=TODAY, by=in_days(-2)).is_past


@given(
    st.lists(st.floats(1, 300), min_size=1, max_size=20),
    st.integers(0, 60),
    st.none() | st.integers(1, 300),
    st.lists(st.integers(-5, 40), max_size=10),
)
def test_it_fits_or_says_so_whatever_there_is_to_do(
    minutes: list[float], ahead: int, a_day: int | None, due: list[int]
) -> None:
    """No day is fuller than it may be, the order stands, and `fits` is what the days say."""
    reviews = [Review(concept=str(place), on=in_days(day)) for place, day in enumerate(due)]
    found = schedule(sections(*minutes), today=TODAY, by=in_days(ahead), minutes_a_day=a_day, reviews=reviews)

    assert days_of(found) == sorted(days_of(found))
    assert found.fits == (days_of(found)[-1] <= ahead)
    for stop in found.stops:
        done = sum(each.section.minutes for each in found.stops if each.on <= stop.on)
        assert done <= found.minutes_a_day * ((stop.on - TODAY).days + 1) + 1e-3
    if not found.fits:
        assert found.needed_a_day > found.minutes_a_day
        again = schedule(
            sections(*minutes),
            today=TODAY,
            by=in_days(ahead),
            minutes_a_day=found.needed_a_day,
            reviews=reviews,
        )
        assert again.fits


def finished(seconds: float, *, answers: int = 4, each: float = 30.0, first: bool = True) -> TimedRound:
    return TimedRound(
        topic="node",
        seconds=seconds,
        answering=answers * each,
        answers=answers,
        is_first=first,
    )


def test_a_newcomer_has_the_usual_pace() -> None:
    assert Pace.of([]) == Pace()


def test_who_is_slow_or_needs_more_rounds_gets_more_time() -> None:
    slow = Pace.of([finished(900, each=120.0)] * 6)
    often = Pace.of([finished(300, first=number % 3 == 0) for number in range(6)])

    assert slow.minutes(250) > Pace().minutes(250)
    assert often.rounds > Pace.of([finished(300)] * 6).rounds


def test_an_hour_away_from_the_screen_is_no_learning() -> None:
    away = Pace.of([finished(300)] * 8 + [finished(3 * 3600)])

    assert away.minutes(250) < 1.3 * Pace.of([finished(300)] * 9).minutes(250)


def test_a_longer_part_takes_longer() -> None:
    assert Pace().minutes(350) > Pace().minutes(150)
