"""The sources of a text that a large model wrote: renumbered in the order of their use, and listed below it."""

import re
from collections.abc import Sequence

from agents.tutor.citations import cited_results, sources_footer
from rag.results import RetrievalResult

_MARKER = re.compile(r"\[(\d{1,3})\]")


def with_sources(text: str, passages: Sequence[RetrievalResult], *, query: str) -> str:
    """The text with its **Sources** footer; one that has it already stays as it is."""
    if "**Sources" in text:
        return text
    cited = cited_results(text, passages)
    places = {passages.index(result) + 1: number for number, result in enumerate(cited, 1)}
    renumbered = _MARKER.sub(lambda match: f"[{places.get(int(match[1]), int(match[1]))}]", text)
    return renumbered + "\n" + sources_footer(query, cited)
