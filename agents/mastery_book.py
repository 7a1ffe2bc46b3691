"""The mastery book: what the ledger says about a learner, derived anew whenever it changes."""

from functools import partial

from agents.services import Services
from agents.teaching.evidence import replay
from agents.teaching.mastery import ConceptMastery, course_mastery
from agents.teaching.reviews import review_schedule
from agents.teaching.rulings import Amendment, amendments
from storage import learner_records
from storage.ledger import Evidence


async def refresh_mastery(
    services: Services, *, user_id: str, course: str, threshold: float
) -> dict[str, ConceptMastery]:
    """Replay the ledger, keep what it says, close the gaps that are gone; returns what is now kept."""
    evidence = replay(await services.ledger.of(user_id, course=course))
    now = services.now()
    parameters = await services.mastery_parameters()
    mastery = course_mastery(evidence, now=now, threshold=threshold, parameters=parameters)
    known = {row.concept_name for row in await services.learners.mastery(user_id, course=course)}
    # A concept whose answers were all voided has no evidence left, and its row must say so.
    for name in known - mastery.keys():
        mastery[name] = ConceptMastery(probability=0.0, evidence_count=0, mastered=False)
    rows = []
    for name, concept in mastery.items():
        review = review_schedule(evidence.get(name, ())) if concept.mastered else None
        rows.append(
            learner_records.ConceptMastery(
                user_id=user_id,
                course=course,
                concept_name=name,
                mastery_score=round(concept.probability, 4),
                evidence_count=concept.evidence_count,
                mastered=concept.mastered,
                review_due_at=review.due if review else None,
                review_card=dict(review.to_dict()) if review else None,
                updated_at=now,
            )
        )
    # Both are derived: what cannot be written now is derived anew next time.
    await services.books.attempt("mastery", lambda: services.learners.put_mastery(rows), otherwise=None)
    for name, concept in mastery.items():
        if concept.mastered:
            closed = partial(
                services.learners.resolve_gap, user_id, course=course, concept_name=name, now=now
            )
            await services.books.attempt("a gap", closed, otherwise=None)
    return mastery


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
