"""Carrying a teacher's rulings out: in the ledger, and in the mastery of everybody whom they concern."""

from agents.mastery_book import refresh_mastery
from agents.services import Services
from agents.teaching.rulings import Amendment, amendments
from storage.ledger import Evidence


async def carry_out(services: Services, *, course: str, question_id: str) -> list[str]:
    """Bring the ledger and everybody's mastery in line with the rulings on a question; returns whom it concerned."""
    rulings = await services.rulings(course)
    changes = amendments(await services.ledger.about(course, question_id=question_id), rulings)
    for each in changes:
        await _write(services, each)
    learners = sorted({each.answer.user_id for each in changes})
    for user_id in learners:
        await refresh_mastery(
            services, user_id=user_id, course=course, threshold=services.settings.mastery_threshold
        )
    return learners


async def is_voided(services: Services, answer: Evidence) -> bool:
    """Whether a new answer counts for nothing, as its question was voided while it was open; then the ledger says so."""
    changes = amendments([answer], await services.rulings(answer.course))
    for each in changes:
        await _write(services, each)
    return any(each.rekey is None for each in changes)


async def _write(services: Services, change: Amendment) -> None:
    answer, ledger, now = change.answer, services.ledger, services.now()
    if change.rekey is None:
        await ledger.void(
            answer.id, user_id=answer.user_id, grader=change.grader, reason=change.reason, now=now
        )
    else:
        await ledger.rekey(
            answer.id,
            user_id=answer.user_id,
            rekey=change.rekey,
            grader=change.grader,
            reason=change.reason,
            now=now,
        )
