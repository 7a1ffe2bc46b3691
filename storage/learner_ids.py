"""What may name a learner: the same rule at every door."""

MOST_CHARACTERS = 255


def is_learner_id(text: str) -> bool:
    """Characters that can be seen, and not so many that they are no name."""
    return 0 < len(text) <= MOST_CHARACTERS and text == text.strip() and text.isprintable()
