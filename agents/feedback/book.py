"""The mastery book: what the ledger says about a learner, derived anew whenever it changes."""

from agents.feedback.evidence import replay
from agents.feedback.reviews import review_schedule
from agents.services import Services
from agents.teaching.mastery import ConceptMastery, course_mastery
from storage import learner_records


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
        review = review_schedule(evidence.get(name, ()), now=now) if concept.mastered else None
        rows.append(
            learner_records.ConceptMastery(
                user_id=user_id,
                course=course,
                concept_name=name,
                mastery_score=round(concept.probability, 4),
                evidence_count=concept.evidence_count,
                mastered=concept.mastered,
                review_due_at=review.due_at if review else None,
                review_card=dict(review.card) if review else None,
                updated_at=now,
            )
        )
    await services.learners.put_mastery(rows)
    for name, concept in mastery.items():
        if concept.mastered:
            await services.learners.resolve_gap(user_id, course=course, concept_name=name, now=now)
    return mastery
