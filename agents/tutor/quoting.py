"""Quote the course: whole blocks, each with the marker of its source."""

import re
from collections.abc import Sequence

from agents.teaching.blocks import Block
from agents.tutor.citations import Citation, sources_footer
from rag.results import RetrievalResult

_CLOSING = re.compile(r"(?<!\betc)(?P<stop>[.!?:;]*)(?P<quote>[”\"]?)$")
_GLOSSARY_ENTRY = re.compile(r"(?=[a-z]+\b)[a-z][\w ,()/’'-]*: \S")


class Citer:
    """Numbers sources in the order in which they are first quoted."""

    def __init__(self) -> None:
        self._quotes: dict[str, list[str]] = {}
        self._sources: dict[str, RetrievalResult] = {}

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(
            Citation(
                number=number,
                chunk_id=chunk,
                source_url=source.source_url,
                place=source.place,
                quotes=tuple(self._quotes[chunk]),
            )
            for number, (chunk, source) in enumerate(self._sources.items(), 1)
        )

    def footer(self, query: str) -> str:
        """The **Sources** footer, numbered as in the text."""
        return sources_footer(query, self._sources.values())

    def show(self, source: RetrievalResult, blocks: Sequence[Block]) -> str:
        """Whole blocks with one marker: in the first one's last sentence, or on the line below what has no sentences."""
        marker = self.refer(source)
        self._quotes[source.chunk_id] += [block.text for block in blocks]
        first, *others = blocks
        if first.kind in ("prose", "list"):
            shown = with_marker(first.text, marker)
        else:
            # A line right below a table would be one more row of it.
            shown = ("\n" if first.kind == "code" else "\n\n").join([first.text, marker])
        return "\n\n".join([shown, *(block.text for block in others)])

    def refer(self, source: RetrievalResult) -> str:
        """The marker of a source."""
        self._sources.setdefault(source.chunk_id, source)
        self._quotes.setdefault(source.chunk_id, [])
        return f"[{list(self._sources).index(source.chunk_id) + 1}]"


def with_marker(sentence: str, marker: str) -> str:
    """'A node does one job [1].': inside the sentence, so that nobody takes it for the next one's."""
    text = sentence[:1].upper() + sentence[1:] if _GLOSSARY_ENTRY.match(sentence) else sentence
    end = _CLOSING.search(text)
    if not end:
        return f"{text} {marker}."
    return f"{text[: end.start()]}{end['quote']} {marker}{end['stop'] or '.'}"
