"""What a block of code does, to be compared with what its author says before it."""

from collections.abc import Iterator
from itertools import pairwise

from agents.teaching.blocks import Block, blocks, whole_sentences
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, Reading

_MOST_LINES = 15
_FEWEST_WORDS = 6


def write(reading: Reading) -> Iterator[DraftQuestion]:
    for before, code in pairwise(blocks(reading.passage.chunk_text)):
        is_short = len(code.text.splitlines()) <= _MOST_LINES + 2
        if code.kind == "code" and before.kind == "prose" and is_short:
            asked = f"Close the text: what does this code do, or show? Say it, then compare.\n\n{code.text}"
            said = whole_sentences(before.text)[-1]
            if len(said.split()) >= _FEWEST_WORDS:
                yield memory.draft(asked, [Block("prose", said)], reading.concept_of(before.text))


KIND = memory.kind("purpose", write)
