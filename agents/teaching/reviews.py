"""Reviews: mastered concepts come back when they are likely to be forgotten (FSRS, py-fsrs).

The same answers that make mastery make the schedule, so voiding one moves the next review too.
"""

from collections.abc import Sequence
from datetime import UTC

from fsrs import Card, Rating, Scheduler

from agents.teaching.evidence import Evidence

RETENTION = 0.9  # come back when one in ten would have forgotten
MOST_DAYS = 365

# No minute-long learning steps: inside a session the quiz asks again, reviews are a matter of days.
# No fuzz: the same answers give the same day.
_SCHEDULER = Scheduler(
    desired_retention=RETENTION,
    learning_steps=(),
    relearning_steps=(),
    maximum_interval=MOST_DAYS,
    enable_fuzzing=False,
)


def review_schedule(evidence: Sequence[Evidence]) -> Card | None:
    """Replay a concept's answers as reviews: when it is due again, and how firmly it is held; None without answers."""
    card = None
    for answer in sorted(evidence, key=lambda answer: answer.answered_at):
        card = reviewed(card, answer)
    return card


def reviewed(card: Card | None, answer: Evidence) -> Card:
    """One answer more, which is not older than the others."""
    moment = answer.answered_at.astimezone(UTC)
    # With an id and a due date of its own, because py-fsrs would look at the clock for them.
    card, _ = _SCHEDULER.review_card(card or Card(card_id=1, due=moment), _rating(answer), moment)
    return card


def _rating(answer: Evidence) -> Rating:
    """How well it was recalled; Easy is never given, because nobody asked the learner how it felt."""
    if not answer.is_correct:
        return Rating.Again
    return Rating.Good if answer.weight >= 1 else Rating.Hard
