"""A section put together again from its chunks."""

from collections.abc import Iterator, Sequence

from rag.blocks import Block, BlockKind, joined, split_blocks
from storage.course import Passage


def blocks_of(
    passages: Sequence[Passage], *, headings: Sequence[str] | None = None, below: bool = False
) -> tuple[Block, ...]:
    """The blocks of a page, or of the section with this heading path, each with the chunk to cite."""
    if headings is not None:
        passages = [each for each in passages if _is_in(each.heading_hierarchy, tuple(headings), below=below)]
    return tuple(_joined(group) for group in _groups(passages))


def _is_in(path: tuple[str, ...], section: tuple[str, ...], *, below: bool) -> bool:
    return path[: len(section)] == section if below else path == section


def _groups(passages: Sequence[Passage]) -> Iterator[list[tuple[Passage, BlockKind, str]]]:
    """The pieces of each block; a chunk that continues begins within the last one."""
    held: list[tuple[Passage, BlockKind, str]] = []
    for passage in passages:
        for number, (kind, text) in enumerate(split_blocks(passage.chunk_text)):
            if held and not (passage.continues and number == 0):
                yield held
                held = []
            held.append((passage, kind, text))
    if held:
        yield held


def _joined(group: Sequence[tuple[Passage, BlockKind, str]]) -> Block:
    first, kind, text = group[0]
    whole = joined(kind, [piece for _, _, piece in group]) if len(group) > 1 else text
    return Block(text=whole, kind=kind, chunk_id=first.chunk_id, headings=first.heading_hierarchy)
