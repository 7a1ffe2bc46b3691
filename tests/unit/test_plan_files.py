"""A plan in a calendar file, and what is told of its days."""

from datetime import UTC, date, datetime, timedelta

from agents.pathplanner.ics import calendar
from agents.pathplanner.offline import length, plan_text
from agents.study_plan import StudyPlan, as_json, rounds_of
from agents.teaching.path import PathStep, Plan
from agents.teaching.schedule import Pace, PlannedSection, Promise, Review, schedule
from storage.learners import LearningCycle
from tests.support.ledger import ledger_row

TODAY = date(2026, 11, 19)
NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)


def found(
    *minutes: float, by: date | None = None, a_day: int | None = None, before: Promise | None = None
) -> StudyPlan:
    steps = tuple(
        PathStep(
            concept=f"idea {number}",
            concepts=(f"idea {number}", f"thought; {number}"),
            chapter_id=f"ch{number}",
            title=f"Über section {number}, with a title that is longer than a line of a calendar file may be",
            reason="It comes next.",
            evidence="",
        )
        for number, _ in enumerate(minutes, 1)
    )
    sections = [
        PlannedSection(title=step.title, chapter_id=step.chapter_id, concepts=step.concepts, minutes=each)
        for step, each in zip(steps, minutes, strict=True)
    ]
    days = schedule(
        sections,
        today=TODAY,
        by=by,
        minutes_a_day=a_day,
        reviews=[Review(concept="node", on=TODAY)],
        before=before or Promise(),
    )
    plan = Plan(steps=steps, goals=("heat engine",), way=len(steps) * 4)
    return StudyPlan(
        course="physics", title="Physics", plan=plan, days=days, pace=Pace(), minutes_a_day=a_day
    )


def unfolded(text: str) -> list[str]:
    return text.replace("\r\n ", "").split("\r\n")


def test_a_calendar_has_each_section_and_review_on_its_day() -> None:
    text = calendar(found(30, 30, a_day=30), user_id="ada", now=NOW)
    lines = unfolded(text)

    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 3
    assert [line for line in lines if line.startswith("DTSTART")] == [
        f"DTSTART;VALUE=DATE:{day}" for day in ("20261120", "20261121", "20261119")
    ]
    assert any(line.startswith("SUMMARY:Learn: Über section 1\\, with a title") for line in lines)
    assert "SUMMARY:Review: node" in lines
    assert any("idea 1 and thought\\; 1" in line for line in lines)


def test_the_same_section_is_the_same_event_when_its_day_moves() -> None:
    def numbers(plan: StudyPlan) -> list[str]:
        text = calendar(plan, user_id="ada", now=NOW)
        return [line for line in unfolded(text) if line.startswith("UID:")]

    assert numbers(found(30, 30, a_day=30)) == numbers(found(30, 30, a_day=15))
    assert len(set(numbers(found(30, 30)))) == 3


def test_a_plan_that_does_not_fit_says_so_and_how_far_it_gets() -> None:
    told = plan_text(found(60, 60, by=TODAY + timedelta(days=1), a_day=30))

    assert "does not fit until Friday, 20 November" in told
    assert "62 minutes a day" in told
    assert "With 30 minutes a day you are done on" in told


def test_a_plan_that_fits_says_until_when_and_each_step_has_its_day() -> None:
    told = plan_text(found(30, 30, by=TODAY + timedelta(days=8)))

    assert "It fits until Friday, 27 November" in told
    assert told.count(", by ") == 2
    assert "Reviews on the way: node" in told


def test_what_was_not_done_in_time_is_said_to_have_moved() -> None:
    promise = Promise(days=(("ch1", ("idea 1",), TODAY - timedelta(days=2)),))

    assert "from Tuesday, 17 November to" in plan_text(found(30, 30, before=promise))
    assert "moved" not in plan_text(found(30, 30))


def test_other_programs_read_the_same() -> None:
    told = as_json(found(60, 60, by=TODAY + timedelta(days=1), a_day=30))

    assert (told["fits"], told["by"], told["needed_minutes_a_day"]) == (False, "2026-11-20", 62)
    assert told["minutes"] == 120
    assert told["share_done"] == 0.5


def test_a_length_is_told_as_people_say_it() -> None:
    assert [length(each) for each in (0.2, 25, 90, 200)] == ["1 minute", "25 minutes", "1 h 30", "3 h 20"]


def test_a_round_has_the_answers_that_were_given_in_it() -> None:
    def cycle(number: int, *, minutes: int | None = 5) -> LearningCycle:
        start = NOW + timedelta(hours=number)
        return LearningCycle(
            id=number,
            user_id="ada",
            session_id="s1",
            topic="node",
            cycle_number=number,
            quiz_score=1.0,
            mastery_achieved=True,
            started_at=start,
            completed_at=start + timedelta(minutes=minutes) if minutes else None,
        )

    inside = NOW + timedelta(hours=1, minutes=2)
    answers = [
        ledger_row(topic="node", answered_at=inside, time_taken_seconds=20.0),
        ledger_row(topic="node", answered_at=inside, time_taken_seconds=40.0),
        ledger_row(topic="link", answered_at=inside, time_taken_seconds=400.0),
    ]
    [found_round] = rounds_of([cycle(1), cycle(2)], answers)

    assert (found_round.seconds, found_round.answering, found_round.answers) == (300.0, 60.0, 2)
