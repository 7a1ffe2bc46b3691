"""Cut a document into passages that follow its headings."""

import uuid
from collections import Counter
from collections.abc import Callable, Iterator

from agents.language.blocks import pieces, split_blocks, without_pictures
from agents.language.formulas import LEVEL, readable_formulas
from rag.loaders.document import LoadedDocument, Section
from storage.corpus import Chunk, IndexEntry

TARGET_WORDS = 200
MAX_TOKENS = 1024

# About 200 words retrieve best in textbooks; a passage may run over rather than leave a stump.
_MOST_WORDS = TARGET_WORDS + TARGET_WORDS // 4
# Ordinary prose has four bytes a token; anything denser than two is counted exactly.
_SURELY_FITS_BYTES = MAX_TOKENS * 2
# No text of any language has eight characters a token; counting a line of five million would take minutes.
_SURELY_TOO_LONG = MAX_TOKENS * 8
_NAMESPACE = uuid.UUID("6f1f9c1e-6a53-4c8e-9f0e-6b1c0a6f7d2b")

TokenCounter = Callable[[str], int]


def searchable(chunk: Chunk | IndexEntry) -> str:
    """What the index sees: the headings say what the passage is about, pictures have no words, formulas are text."""
    told = readable_formulas(without_pictures(chunk.chunk_text))
    return f"{' '.join(chunk.heading_hierarchy)}\n{told}".translate(LEVEL)


def chunk_document(
    document: LoadedDocument, *, course: str, chapter_id: str, count_tokens: TokenCounter
) -> list[Chunk]:
    """Cut at headings first, then between blocks; within a block only where it alone is too large.

    The chunks have no vectors yet.
    """
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    chunks: list[Chunk] = []
    for section in document.sections:
        for text, continues in _passages(section, count_tokens=count_tokens):
            occurrence = seen[(section.headings, text)]
            seen[(section.headings, text)] += 1
            chunks.append(
                Chunk(
                    chunk_id=chunk_id(course, chapter_id, section.headings, text, occurrence),
                    chunk_text=text,
                    heading_hierarchy=section.headings,
                    chunk_index=len(chunks),
                    page=section.page,
                    continues=continues,
                    token_count=0,
                    vector=b"",
                    embedder="",
                )
            )
    return chunks


def chunk_id(course: str, chapter_id: str, headings: tuple[str, ...], text: str, occurrence: int) -> str:
    """The same text in the same place has the same id, whatever happens around it."""
    return str(uuid.uuid5(_NAMESPACE, "\x00".join((course, chapter_id, *headings, text, str(occurrence)))))


def _passages(section: Section, *, count_tokens: TokenCounter) -> Iterator[tuple[str, bool]]:
    """Texts of about 200 words made of whole blocks, and whether each goes on within a block."""

    def fits(text: str) -> bool:
        return _fits(section.headings, text, count_tokens)

    held: list[str] = []
    words = 0
    for kind, block in split_blocks(section.text):
        size = 0 if kind == "picture" else len(block.split())
        if held and (words + size > _MOST_WORDS or not fits("\n\n".join([*held, block]))):
            yield "\n\n".join(held), False
            held, words = [], 0
        if fits(block):
            held.append(block)
            words += size
            continue
        # Larger than a chunk may be: it is cut, and put together again by whoever reads the section.
        for number, piece in enumerate(pieces(kind, block, fits=fits)):
            yield piece, number > 0
    if held:
        yield "\n\n".join(held), False


def _fits(headings: tuple[str, ...], passage: str, count_tokens: TokenCounter) -> bool:
    text = f"{' '.join(headings)}\n{passage}"
    if len(text) <= MAX_TOKENS // 4:
        return True
    if len(text) > _SURELY_TOO_LONG:
        return False
    size = len(text.encode())
    if size <= _SURELY_FITS_BYTES and size < len(text) * 1.1:
        return True
    return count_tokens(text) <= MAX_TOKENS
