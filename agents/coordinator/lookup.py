"""What to look up for a question."""

from agents.coordinator.question import side_names, understand


def search_queries(message: str) -> tuple[str, ...]:
    """The question, each side of a comparison as well, and for an example the words of worked examples."""
    asked = understand(message)
    if asked.kind == "difference":
        return (message, *(f"What is {names[0]}?" for names in side_names(*asked.focus)))
    if asked.kind == "example":
        return message, f"worked example code {' '.join(asked.focus or asked.subject_words)}"
    return (message,)
