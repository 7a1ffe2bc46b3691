"""The few tasks that the tutor puts on the list itself: what is wanted, what is settled, and what the learner hears of it.

The list is the task server's: like every other task these are made and ticked off by its tools, in the learner's name,
and each call is in its log.
"""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from google.adk.agents.invocation_context import InvocationContext

from agents.language.words import clipped, joined
from agents.mastery_book import kept_mastery
from agents.services import Services
from storage.errors import StorageError
from storage.learners import KnowledgeGap, LearningCycle, MasteryRow
from storage.tasks import (
    DESCRIPTION_CHARACTERS,
    TITLE_CHARACTERS,
    StudyKind,
    StudyTask,
    StudyTasks,
    WantedTask,
)
from tasks_tools.identity import on_tutors_behalf

logger = logging.getLogger(__name__)

MOST_OPEN = 2  # of a kind: a list that floods is a list that nobody reads

_TITLES: dict[StudyKind, str] = {
    "cycles": "Read again: {}",
    "review": "Review: {}",
    "gap": "Learn: {}",
}


def after_failed_cycles(*, topic: str, cycle_id: int | None, areas: Sequence[str]) -> tuple[WantedTask, ...]:
    """Something to do away from the loop, when all its cycles did not bring mastery."""
    if cycle_id is None:
        return ()
    practise = f"Practise {joined(areas, most=3)}. " if areas else ""
    how = f"{practise}Then say 'teach me {topic}' to try again."
    return (_wanted("cycles", topic, occasion=str(cycle_id), how=how),)


def for_gaps(gaps: Sequence[KnowledgeGap]) -> tuple[WantedTask, ...]:
    """One for each gap, in the order given: foundations first."""
    return tuple(
        _wanted(
            "gap", gap.concept_name, occasion=str(gap.id), how=f"Say 'teach me {gap.concept_name}' to begin."
        )
        for gap in gaps
    )


def for_reviews(mastery: Sequence[MasteryRow], *, now: datetime) -> tuple[WantedTask, ...]:
    """One for each mastered concept that is about to be forgotten, the longest overdue first."""
    return tuple(
        _wanted("review", name, occasion=moment.isoformat(), how=f"Say 'quiz me on {name}'.")
        for moment, name in _due_reviews(mastery, now=now)
    )


def _due_reviews(mastery: Sequence[MasteryRow], *, now: datetime) -> list[tuple[datetime, str]]:
    return sorted(
        (row.review_due_at, row.concept_name) for row in mastery if row.review_due_at and row.is_due(now)
    )


def answered(
    tasks: Sequence[StudyTask],
    *,
    mastery: Sequence[MasteryRow],
    open_gaps: Sequence[KnowledgeGap],
    cycles: Sequence[LearningCycle],
    now: datetime,
) -> tuple[StudyTask, ...]:
    """The open tasks whose occasion is gone: the gap closed, the review done, the topic mastered."""
    gaps = {str(gap.id) for gap in open_gaps}
    due = {name for _, name in _due_reviews(mastery, now=now)}
    # The number of the last cycle that brought mastery.
    mastered = {
        cycle.topic: cycle.id for cycle in sorted(cycles, key=lambda each: each.id) if cycle.mastery_achieved
    }
    still_there = {
        "gap": lambda task: task.occasion in gaps,
        "review": lambda task: task.subject in due,
        "cycles": lambda task: mastered.get(task.subject, 0) <= int(task.occasion),
    }
    return tuple(task for task in tasks if task.closed_at is None and not still_there[task.kind](task))


def said(*, made: Sequence[StudyTask], settled: Sequence[StudyTask]) -> str:
    """What the learner hears of it, in a sentence each."""
    done = {"ticked off": settled, "put": made}
    named = {verb: joined([f"'{task.title}'" for task in tasks]) for verb, tasks in done.items() if tasks}
    return " ".join(f"I {verb} {titles} on your to-do list." for verb, titles in named.items())


def summary(tasks: Sequence[StudyTask]) -> str:
    """The study tasks in the learner's record, in one line; empty when there never was one."""
    if not tasks:
        return ""
    still_open = [task for task in tasks if task.closed_at is None]
    counts = [
        (len(still_open), "open", f" ({joined([task.title for task in still_open], most=3)})"),
        (sum(task.outcome in ("done", "settled") for task in tasks), "done", ""),
        (sum(task.outcome == "deleted" for task in tasks), "deleted", ""),
    ]
    parts = [f"{count} {word}{names}" for count, word, names in counts if count]
    return f"Study tasks from your tutor: {', '.join(parts)}."


def _wanted(kind: StudyKind, subject: str, *, occasion: str, how: str) -> WantedTask:
    return WantedTask(
        kind=kind,
        subject=subject,
        occasion=occasion,
        title=clipped(_TITLES[kind].format(subject), most=TITLE_CHARACTERS),
        description=clipped(how, most=DESCRIPTION_CHARACTERS),
    )


async def tend(
    services: Services, ctx: InvocationContext, *, course: str, wanted: Sequence[WantedTask] = ()
) -> str:
    """Tick off what the record has answered, make what is wanted and new; returns what to say of it."""
    try:
        settled = await _settle(services, ctx, course=course)
        made = await _make(services, ctx, course=course, wanted=wanted)
    except StorageError:
        # The lesson is worth more than the note about it.
        logger.exception("study tasks of %s could not be kept", ctx.user_id)
        return ""
    return said(made=made, settled=settled)


async def _settle(services: Services, ctx: InvocationContext, *, course: str) -> Sequence[StudyTask]:
    study, learners = StudyTasks(services.database), services.learners
    user_id = ctx.user_id
    open_tasks = [task for task in await study.of(user_id, course=course) if task.closed_at is None]
    if not open_tasks:
        return ()
    over = answered(
        open_tasks,
        mastery=await kept_mastery(services, user_id, course=course),
        open_gaps=await learners.gaps(user_id, course=course),
        cycles=await learners.cycles(user_id),
        now=services.now(),
    )
    return [task for task in over if await called(services, ctx, "complete_task", {"task_id": task.task_id})]


async def _make(
    services: Services, ctx: InvocationContext, *, course: str, wanted: Sequence[WantedTask]
) -> Sequence[StudyTask]:
    if not wanted:
        return ()
    study, user_id = StudyTasks(services.database), ctx.user_id
    planned = await study.plan(user_id, course=course, wanted=wanted, most_open=MOST_OPEN, now=services.now())
    made: list[StudyTask] = []
    for task, each in planned:
        arguments = {"title": each.title, "description": each.description}
        task_id = await called(services, ctx, "add_task", arguments)
        if task_id is None:
            await study.give_up(task.id, user_id=user_id)
        else:
            await study.put_on_list(task.id, user_id=user_id, task_id=task_id)
            made.append(task)
    return made


async def called(
    services: Services, ctx: InvocationContext, tool_name: str, arguments: Mapping[str, Any]
) -> int | None:
    """The number of the task that a call was about; None when it failed."""
    turn, call_id = services.turns.of(ctx.invocation_id), str(uuid4())
    turn.calls_tool(call_id, tool_name, parameters=arguments, now=services.now())
    with on_tutors_behalf():
        answer = await services.task_tools.call(ctx, tool_name, arguments)
    turn.tool_returned(call_id, answer)
    content = answer.get("structuredContent") or {}
    return int(content["data"]["id"]) if content.get("success") else None
