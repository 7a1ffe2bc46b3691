"""What an answer rests on: numbered citations, and the text with its markers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from agents.tutor.reading import Unit
from rag.results import RetrievalContext, RetrievalResult

MARKER = re.compile(r"\[(\d{1,3})\]")
_CLOSING = re.compile(r"[.!?:;]*$")
_GLOSSARY_ENTRY = re.compile(r"[a-z][\w -]*: [A-Z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """One source of an answer, and what was taken from it word for word."""

    number: int
    chunk_id: str
    source_url: str
    place: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """Text with markers, and the sources that they stand for."""

    text: str
    citations: tuple[Citation, ...]
    sources: tuple[RetrievalResult, ...]

    def footer(self, query: str) -> str:
        """The **Sources** footer, numbered as in the text."""
        return sources_footer(query, self.sources)


class Citer:
    """Numbers sources in the order in which they are first quoted."""

    def __init__(self) -> None:
        self._quotes: dict[str, list[str]] = {}
        self._sources: dict[str, RetrievalResult] = {}

    def number(self, unit: Unit) -> int:
        """The marker of the unit's source, with the unit among its quotes."""
        chunk = unit.source.chunk_id
        self._sources.setdefault(chunk, unit.source)
        quotes = self._quotes.setdefault(chunk, [])
        if unit.text not in quotes:
            quotes.append(unit.text)
        return list(self._sources).index(chunk) + 1

    def quote(self, units: Sequence[Unit]) -> str:
        """A paragraph of the units, each sentence with its marker, each block on lines of its own."""
        parts: list[str] = []
        for place, unit in enumerate(units):
            marker = f"[{self.number(unit)}]"
            if not unit.is_block:
                gap = "" if not parts else "\n\n" if units[place - 1].is_block else " "
                parts.append(gap + with_marker(unit.text, marker))
                continue
            before = units[place - 1] if place else None
            led_in = before is not None and before.source.chunk_id == unit.source.chunk_id
            parts.append("" if led_in else ("\n\n" if parts else "") + f"{frame(unit)} {marker}:")
            parts.append(f"\n\n{unit.text}")
        return "".join(parts)

    def cited(self, text: str) -> Cited:
        return Cited(
            text=text,
            citations=tuple(
                Citation(
                    number=number,
                    chunk_id=chunk,
                    source_url=source.source_url,
                    place=source.place,
                    quotes=tuple(self._quotes[chunk]),
                )
                for number, (chunk, source) in enumerate(self._sources.items(), 1)
            ),
            sources=tuple(self._sources.values()),
        )


def with_marker(sentence: str, marker: str) -> str:
    """'A node does one job [1].': the marker inside the sentence, so that it cannot be read as the next one's."""
    text = sentence[:1].upper() + sentence[1:] if _GLOSSARY_ENTRY.match(sentence) else sentence
    end = _CLOSING.search(text)
    closing = end.group() if end else ""
    return f"{text[: len(text) - len(closing)]} {marker}{closing or '.'}"


def frame(unit: Unit) -> str:
    """Our own words before a block that has no sentence of its own to introduce it."""
    return {
        "steps": "The course gives these steps",
        "bullets": "The course lists",
        "code": "Here is the course's example",
        "table": "Here is the course's table",
        "formula": "Here is the formula",
    }[unit.kind]


def sources_footer(query: str, results: Iterable[RetrievalResult]) -> str:
    """The **Sources** footer of an answer; its context needs a time that nobody sees here."""
    context = RetrievalContext(
        query=query, results=tuple(results), retrieved_at=datetime.min.replace(tzinfo=UTC)
    )
    return context.format_sources_footer()
