"""Citations: what the marks in a text stand for, and the footer that names it."""

import re
from collections.abc import Iterable, Sequence

from rag.results import RetrievalResult, context_of

_CODE = re.compile(r"(?ms)^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)|`[^`\n]*`")
_MARKERS = re.compile(r"\[\s*\d{1,3}(?:\s*[,;]\s*\d{1,3})*\s*\]")
_NUMBER = re.compile(r"\d{1,3}")
_MARKER = re.compile(r"\[(\d{1,3})\]")


def sources_footer(query: str, results: Iterable[RetrievalResult]) -> str:
    """The **Sources** footer."""
    return context_of(query, results).format_sources_footer()


def with_sources(
    text: str, passages: Sequence[RetrievalResult], *, query: str
) -> tuple[str, tuple[RetrievalResult, ...]]:
    """A text whose marks count the passages, numbered by what it cites and with its **Sources** footer; and these."""
    marks = _MARKERS.findall(_CODE.sub(" ", text))
    numbers = dict.fromkeys(int(number) for mark in marks for number in _NUMBER.findall(mark))
    cited = {place: passages[place - 1] for place in numbers if 1 <= place <= len(passages)}
    anew = {place: number for number, place in enumerate(cited, 1)}
    renumbered = _MARKER.sub(lambda match: f"[{anew.get(int(match[1]), int(match[1]))}]", text)
    sources = tuple(cited.values())
    return f"{renumbered}\n{sources_footer(query, sources)}", sources
