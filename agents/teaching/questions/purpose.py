"""What a block of code does, to be compared with what its author says before it."""

from collections.abc import Iterator
from itertools import pairwise

from agents.teaching.blocks import Block, blocks, is_only_text, whole_sentences
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, Reading
from agents.teaching.questions.sentences import points_outside

_MOST_LINES = 15
_FEWEST_WORDS = 6


def write(reading: Reading) -> Iterator[DraftQuestion]:
    for before, code in pairwise(blocks(reading.passage.chunk_text)):
        is_short = len(code.text.splitlines()) <= _MOST_LINES + 2
        if code.kind == "code" and before.kind == "prose" and is_short and not is_only_text(code):
            asked = f"Close the text: what does this code do, or show? Say it, then compare.\n\n{code.text}"
            said = _said_of_it(before)
            if said:
                yield memory.draft(asked, [Block("prose", said)], reading.concept_of(before.text))


def _said_of_it(before: Block) -> str:
    """The last sentence before the code that says something, rather than only announce it or point elsewhere."""
    last = whole_sentences(before.text)[-1]
    if memory.says_enough(last) and not points_outside(last):
        return last
    told = whole_sentences(memory.without_announcements(before).text)
    fitting = (each for each in reversed(told) if len(each.split()) >= _FEWEST_WORDS)
    return next((each for each in fitting if not points_outside(each)), "")


KIND = memory.kind("purpose", write)
