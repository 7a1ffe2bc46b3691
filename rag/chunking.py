"""Cut a document into passages that follow its headings."""

import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rag.loaders.document import LoadedDocument, Section

TARGET_WORDS = 200
MAX_TOKENS = 1024

# About 200 words retrieve best in textbooks; a passage may run over rather than leave a stump.
_MOST_WORDS = TARGET_WORDS + TARGET_WORDS // 4
# Ordinary prose has four bytes a token; anything denser than two is counted exactly.
_SURELY_FITS_BYTES = MAX_TOKENS * 2
_NAMESPACE = uuid.UUID("6f1f9c1e-6a53-4c8e-9f0e-6b1c0a6f7d2b")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]?\s+(?=[\"'“‘(]?[A-Z0-9])")
_BLANK_LINES = re.compile(r"(\n[ \t]*\n\s*)")
_FENCE = re.compile(r"^\s*(```|~~~)", re.MULTILINE)

TokenCounter = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChunk:
    """One passage of a document, before it is embedded."""

    chunk_id: str
    text: str
    headings: tuple[str, ...]
    index: int
    page: int | None

    @property
    def searchable(self) -> str:
        """What the index sees: the headings say what the passage is about."""
        return f"{' '.join(self.headings)}\n{self.text}"


def chunk_document(
    document: LoadedDocument, *, course: str, chapter_id: str, count_tokens: TokenCounter
) -> list[TextChunk]:
    """Cut at headings first, then between paragraphs, then between sentences, then between words."""
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    chunks: list[TextChunk] = []
    for section in document.sections:
        for text in _passages(section, count_tokens=count_tokens):
            occurrence = seen[(section.headings, text)]
            seen[(section.headings, text)] += 1
            chunks.append(
                TextChunk(
                    chunk_id=chunk_id(course, chapter_id, section.headings, text, occurrence),
                    text=text,
                    headings=section.headings,
                    index=len(chunks),
                    page=section.page,
                )
            )
    return chunks


def chunk_id(course: str, chapter_id: str, headings: tuple[str, ...], text: str, occurrence: int) -> str:
    """The same text in the same place has the same id, whatever happens around it."""
    return str(uuid.uuid5(_NAMESPACE, "\x00".join((course, chapter_id, *headings, text, str(occurrence)))))


def _passages(section: Section, *, count_tokens: TokenCounter) -> Iterator[str]:
    for passage in _pack(_units(section.text)):
        if _fits(section.headings, passage, count_tokens):
            yield passage
        else:
            yield from _halves(section.headings, passage, count_tokens)


def _units(text: str) -> Iterator[str]:
    """Paragraphs, with code blocks kept whole and overlong paragraphs cut into sentences."""
    for paragraph in _paragraphs(text):
        if len(paragraph.split()) <= _MOST_WORDS or _FENCE.match(paragraph):
            yield paragraph
        else:
            yield from _SENTENCE_END.split(paragraph)


def _paragraphs(text: str) -> Iterator[str]:
    """Parts between blank lines; blank lines inside a code block do not part it."""
    held = ""
    inside_fence = False
    for part in _BLANK_LINES.split(text):
        held += part
        inside_fence ^= len(_FENCE.findall(part)) % 2 == 1
        if not inside_fence:
            yield from _not_blank(held)
            held = ""
    yield from _not_blank(held)


def _not_blank(text: str) -> Iterator[str]:
    if text.strip():
        yield text.strip("\n").rstrip()


def _pack(units: Iterator[str]) -> Iterator[str]:
    held: list[str] = []
    words = 0
    for unit in units:
        size = len(unit.split())
        if held and words + size > _MOST_WORDS:
            yield "\n\n".join(held)
            held, words = [], 0
        held.append(unit)
        words += size
    if held:
        yield "\n\n".join(held)


def _fits(headings: tuple[str, ...], passage: str, count_tokens: TokenCounter) -> bool:
    searchable = f"{' '.join(headings)}\n{passage}"
    if len(searchable) <= MAX_TOKENS // 4:
        return True
    size = len(searchable.encode())
    if size <= _SURELY_FITS_BYTES and size < len(searchable) * 1.1:
        return True
    return count_tokens(searchable) <= MAX_TOKENS


def _halves(headings: tuple[str, ...], passage: str, count_tokens: TokenCounter) -> Iterator[str]:
    """Cut in the middle, at the kindest place there is, until each part fits."""
    middle = len(passage) // 2
    for gap in ("\n\n", "\n", ". ", " "):
        cut = passage.find(gap, middle)
        if 0 < cut < len(passage) * 3 // 4:
            middle = cut + len(gap)
            break
    for half in (passage[:middle].strip(), passage[middle:].strip()):
        if not half:
            continue
        if _fits(headings, half, count_tokens):
            yield half
        else:
            yield from _halves(headings, half, count_tokens)
