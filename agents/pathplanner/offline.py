"""The plan in words, with its reasons and its days, as it is told without a large model and behind what one says."""

from datetime import date

from agents.language.words import bold, clipped, joined
from agents.study_plan import StudyPlan
from agents.teaching.path import MOST_SHOWN, PathStep, Plan
from agents.teaching.schedule import MOST_MINUTES, Moved, Schedule

_QUOTED_STEPS = 3  # a passage for each step would bury the plan
_QUOTE_CHARS = 140
_MOST_MOVED = 2
_MOST_REVIEWS = 4
_FEWEST_ROUNDS = 3  # from here on it is their own pace
TO_DOS = "Say **put it on my to-do list** to have these steps there, each with its day."


def plan_text(
    found: Plan | StudyPlan, *, may_begin: bool = True, most: int = MOST_SHOWN, in_chat: bool = True
) -> str:
    """The plan with its reasons, and how to begin; who has a question open finishes that first."""
    plan, days = (found.plan, found.days) if isinstance(found, StudyPlan) else (found, None)
    if not plan.steps:
        return plan.message or "There is nothing to plan yet. Tell me what you would like to be able to do."
    lines = [
        f"{number}. {_line(step, place=number - 1, days=days)}" for number, step in enumerate(plan.shown, 1)
    ]
    for place, step in enumerate(plan.steps[: min(most, _QUOTED_STEPS)]):
        lines[place] += _quote(step)
    more = len(plan.steps) - most
    if more > 0:
        lines.append(f"… and {more} more {'step' if more == 1 else 'steps'} after that.")
    invitation = f"Shall we begin with **{plan.next_topic}**?" if may_begin else ""
    told = [_moved(days), _time(found), _reviews(days)] if isinstance(found, StudyPlan) and days else []
    parts = [plan.message, _opening(plan), *told[:2], "\n".join(lines), *told[2:]]
    parts += [TO_DOS if in_chat and days and days.by else "", invitation]
    return "\n\n".join(part for part in parts if part)


def _opening(plan: Plan) -> str:
    if len(plan.steps) == 1:
        return "One step is left:"
    if plan.goals:
        return f"Your way to {joined(bold(plan.goals))}, foundations first:"
    return "What is still ahead of you, foundations first:"


def _line(step: PathStep, *, place: int, days: Schedule | None) -> str:
    if len(step.concepts) > 1:
        said = f"**{step.title}**: {joined(step.concepts)}. {step.reason}"
    else:
        said = f"**{step.concept}** ({step.title}): {step.reason}"
    if days is None:
        return said
    stop = days.stops[place]
    when = f", by {day(stop.on)}" if days.by or days.is_chosen else ""
    return f"{said} About {length(stop.section.minutes)}{when}."


def _quote(step: PathStep) -> str:
    return f"\n   > {clipped(step.evidence, most=_QUOTE_CHARS)}" if step.evidence else ""


def _time(found: StudyPlan) -> str:
    """How long all of it takes, by whose pace, and whether that fits."""
    days = found.days
    own = found.pace.measured >= _FEWEST_ROUNDS
    basis = "at the pace of your last rounds" if own else "at a usual pace, as I don't know yours yet"
    total = f"That is about {length(days.minutes)} of learning, {basis}."
    if days.is_past:
        return f"{total} Your date, {day(days.by)}, is over. {_ending(days)}"
    if days.by is None:
        return f"{total} {_ending(days)}"
    if days.fits:
        return f"{total} It fits until {day(days.by)}, with {_a_day(days.minutes_a_day)}."
    reached = days.in_time
    by_then = (
        f"by then you get through **{reached[-1].section.title}**"
        if reached
        else "not one step is done by then"
    )
    asked = "" if days.is_chosen else f", and I plan with no more than {_a_day(MOST_MINUTES)}"
    return (
        f"{total} **It does not fit until {day(days.by)}**: that would take {_a_day(days.needed_a_day)}{asked}. "
        f"With {_a_day(days.minutes_a_day)} you are done on {day(days.ends)}, and {by_then}."
    )


def _ending(days: Schedule) -> str:
    return f"With {_a_day(days.minutes_a_day)} you are done on {day(days.ends)}."


def _moved(days: Schedule) -> str:
    """What was to be done by now and is not; the rest moved with it."""
    if not days.moved:
        return ""
    named = joined([_move(each) for each in days.moved[:_MOST_MOVED]])
    more = len(days.moved) - _MOST_MOVED
    return f"Not done when planned, so moved: {named}{f', and {more} more' if more > 0 else ''}."


def _move(moved: Moved) -> str:
    return f"**{moved.title}** from {day(moved.was)} to {day(moved.on)}"


def _reviews(days: Schedule) -> str:
    if not days.reviews:
        return ""
    named = joined([f"{each.concept} ({day(each.on)})" for each in days.reviews], most=_MOST_REVIEWS)
    return f"Reviews on the way: {named}."


def _a_day(minutes: int) -> str:
    return f"{length(minutes)} a day"


def day(on: date | None) -> str:
    """'Friday, 27 November'."""
    return f"{on:%A}, {on.day} {on:%B}" if on else ""


def length(minutes: float) -> str:
    """'25 minutes', '3 h 20'."""
    whole = max(1, round(minutes))
    if whole < 90:
        return f"{whole} {'minute' if whole == 1 else 'minutes'}"
    hours, rest = divmod(round(whole / 10) * 10, 60)
    return f"{hours} h {rest}" if rest else f"{hours} h"
