"""Plain text: paragraphs, with underlined lines as headings."""

import re
from pathlib import Path

from rag.loaders.document import LoadedDocument, Outline, read_text, title_from_path

_LEVELS = {"=": 1, "-": 2, "~": 3}
_BLANK_LINES = re.compile(r"\n\s*\n")
_UNDERLINE = re.compile(r"(={3,}|-{3,}|~{3,})\s*")
_MAX_HEADING = 100
_MAX_TITLE = 80


def load(path: Path) -> LoadedDocument:
    return parse(read_text(path), path=path)


def parse(source: str, *, path: Path) -> LoadedDocument:
    blocks = [block.rstrip() for block in _BLANK_LINES.split(source.strip("\n"))]
    title = _title(blocks)
    outline = Outline(title or title_from_path(path))
    for block in blocks[1:] if title and "\n" not in blocks[0] else blocks:
        heading, level, rest = _heading(block)
        outline.heading(heading, level=level)
        outline.text(rest)
    return outline.document()


def _title(blocks: list[str]) -> str:
    """A short first line that stands alone and is no sentence names the document."""
    heading, _, _ = _heading(blocks[0])
    first = blocks[0].strip()
    stands_alone = len(blocks) > 1 and "\n" not in first and len(first) <= _MAX_TITLE
    return heading or (first if stands_alone and first[-1:].isalnum() else "")


def _heading(block: str) -> tuple[str, int, str]:
    """The heading a block opens with, its level, and the rest of the block."""
    first, _, below = block.partition("\n")
    line, _, rest = below.partition("\n")
    underline = _UNDERLINE.fullmatch(line) if len(first) <= _MAX_HEADING and first.strip() else None
    if underline is None:
        return "", 0, block
    return " ".join(first.split()), _LEVELS[underline[1][0]], rest
