"""The learner's record: tables, migrations and repositories on SQLite or PostgreSQL."""

ID_CHARACTERS = 255


def is_learner_id(text: str) -> bool:
    """Characters that can be seen, and not so many that they are no name; here, where nothing heavy is imported."""
    return 0 < len(text) <= ID_CHARACTERS and text == text.strip() and text.isprintable()
