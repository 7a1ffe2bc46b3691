"""Keeps the learner's study tasks in step with their record: makes what is useful, ticks off what is done."""

import logging
from collections.abc import Sequence

from agents.services import Services
from agents.task_manager.study import MOST_OPEN, Standing, answered, said
from storage.errors import StorageError
from storage.study_tasks import StudyTask, StudyTasks, WantedTask

logger = logging.getLogger(__name__)


async def tend(services: Services, *, user_id: str, course: str, wanted: Sequence[WantedTask] = ()) -> str:
    """Tick off what the record has answered, make what is wanted and new; returns what to say of it."""
    try:
        settled = await _settle(services, user_id=user_id, course=course)
        made = await _make(services, user_id=user_id, course=course, wanted=wanted)
    except StorageError:
        # The lesson is worth more than the note about it.
        logger.exception("study tasks of %s could not be kept", user_id)
        return ""
    return said(made=made, settled=settled)


async def _settle(services: Services, *, user_id: str, course: str) -> Sequence[StudyTask]:
    study, learners = StudyTasks(services.database), services.learners
    open_tasks = [task for task in await study.of(user_id, course=course) if task.closed_at is None]
    if not open_tasks:
        return ()
    standing = Standing(
        mastery=await learners.mastery(user_id, course=course),
        open_gaps=await learners.gaps(user_id, course=course),
        cycles=await learners.cycles(user_id),
    )
    over = answered(open_tasks, standing=standing, now=services.now())
    return await study.settle([task.id for task in over], user_id=user_id, now=services.now()) if over else ()


async def _make(
    services: Services, *, user_id: str, course: str, wanted: Sequence[WantedTask]
) -> Sequence[StudyTask]:
    if not wanted:
        return ()
    return await StudyTasks(services.database).make(
        user_id, course=course, wanted=wanted, most_open=MOST_OPEN, now=services.now()
    )
