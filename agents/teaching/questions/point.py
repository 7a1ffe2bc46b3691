"""The point of a paragraph, by its first words: the last thing that can be asked of any text."""

from collections.abc import Iterator

from agents.language.blocks import blocks, plain
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, PassageReading

_CUE = 7  # words
_ENOUGH = 3  # paragraphs, for a quiz


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    every = [block for block in blocks(reading.passage.chunk_text) if block.kind in ("paragraph", "list")]
    told = [block for block in memory.told(reading) if memory.has_a_point(block)]
    best = [block for block in told if not memory.is_about_what_is_shown(block)]
    # What is told of something shown only where little else is told, and where nothing is told whatever is there.
    for block in (best if len(best) >= _ENOUGH else told) or every:
        if memory.has_a_point(block):
            cue = " ".join(plain(block.text).split()[:_CUE]).lstrip("-*+ ")
            asked = f"Close the text. One part of it begins: “{cue} …”. What is its point? Then compare."
            yield memory.draft(asked, [block], reading.concept_of(block.text))


KIND = memory.kind("point", write)
