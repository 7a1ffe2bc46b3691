"""The mastery book: what the ledger says about a learner, derived anew whenever it changes."""

from functools import partial

from agents.services import Services
from agents.teaching.evidence import replay
from agents.teaching.mastery import ConceptMastery, course_mastery
from agents.teaching.reviews import review_schedule
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
