"""What to look up for a question."""

from agents.coordinator.question import understand


def search_queries(message: str) -> tuple[str, ...]:
    """The question, each side of a comparison as well, and for an example the words of worked examples."""
    asked = understand(message)
    if asked.sides:
        return (message, *(f"What is {side}?" for side in asked.sides))
    if "code" in asked.forms:
        return message, f"worked example code {' '.join(asked.words.values())}"
    return (message,)
