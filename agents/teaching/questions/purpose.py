"""What a block of code does, to be compared with what its author says before and after it."""

import re
from collections.abc import Iterator

from agents.language.blocks import Block, blocks, is_only_text, whole_sentences
from agents.language.headings import is_aside
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, PassageReading
from agents.teaching.questions.sentences import points_outside

_MOST_LINES = 15
_FEWEST_WORDS = 6
_MOST_SAID = 60  # words of what comes after the code
_NAMED = re.compile(r"`([^`\n]+)`")
_OF_IT = re.compile(r"(?:This|These|Here|Dies\w*|Hier)\b")


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    every = list(blocks(reading.passage.chunk_text))
    for at, code in enumerate(every[1:], 1):
        before, after = every[at - 1], every[at + 1] if at + 1 < len(every) else None
        is_short = len(code.text.splitlines()) <= _MOST_LINES + 2
        if code.kind == "code" and before.kind == "paragraph" and is_short and not is_only_text(code):
            asked = f"Close the text: what does this code do, or show? Say it, then compare.\n\n{code.text}"
            said = [each for each in (_said_of_it(before), _said_after(code, after)) if each]
            if said:
                key = [Block("paragraph", each) for each in said]
                yield memory.draft(asked, key, reading.concept_of(before.text))


def _said_after(code: Block, after: Block | None) -> str:
    """What the next paragraph says of the code: it begins with 'this', or names something in it."""
    if after is None or after.kind != "paragraph":
        return ""
    if not _OF_IT.match(after.text) and not any(name in code.text for name in _NAMED.findall(after.text)):
        return ""
    said: list[str] = []
    for sentence in whole_sentences(memory.without_announcements(after).text):
        if is_aside(sentence) or len(" ".join([*said, sentence]).split()) > _MOST_SAID:
            break
        said.append(sentence)
    return " ".join(said)


def _said_of_it(before: Block) -> str:
    """The last sentence before the code that says something, rather than only announce it or point elsewhere."""
    *_, last = "", *whole_sentences(before.text)
    if memory.says_enough(last) and not points_outside(last):
        return last
    told = whole_sentences(memory.without_announcements(before).text)
    fitting = (each for each in reversed(told) if len(each.split()) >= _FEWEST_WORDS)
    return next((each for each in fitting if not points_outside(each)), "")


KIND = memory.kind("purpose", write)
