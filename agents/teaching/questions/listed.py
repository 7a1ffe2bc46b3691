"""The parts, kinds or reasons that the text counts and then lists."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from agents.language.blocks import Block, blocks, items, plain, whole_sentences
from agents.language.words import NUMBER_WORDS, content_set, word_count
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, PassageReading
from agents.teaching.questions.sentences import numbered_steps, points_outside, without_marks

_FEWEST, _MOST = 2, 6
_MOST_WORDS = 45  # of an item that one can be asked to name
_MOST_THINGS = 14  # words
_NUMBER = rf"(?:{'|'.join(sorted(NUMBER_WORDS))}|[2-6])"
_THERE_ARE = re.compile(
    rf"^(?:.{{0,60}}, )?there are (?:\w+ )?(?P<things>{_NUMBER} [^,:;.]+?)(?: (?:as follows|below))?[:.]?$",
    re.IGNORECASE,
)
_ARE = re.compile(
    r"^(?P<things>the (?:[\w’'-]+ )+?(?:of|in|for|between|that|to|behind)? ?[^,:;.]*?) (?P<verb>are|include|consist of)"
    r"(?: the following| as follows)?:?$",
    re.IGNORECASE,
)
_HAS = re.compile(
    rf"^(?P<whole>[^,:;.]+?) (?:has|have|consists? of|is made up of|are made up of) (?P<things>{_NUMBER} [^,:;.]+?)[:.]?$",
    re.IGNORECASE,
)
_INLINE = re.compile(
    rf"^(?P<things>the (?:main |major |basic )?{_NUMBER} [^,:;.]+?) (?:are|include):? (?P<items>[^:;.]+(?:, [^:;.]+)+,? and [^:;.]+)\.$",
    re.IGNORECASE,
)
_PARTED = re.compile(r",? and (?=[^,]+$)|, ")


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    for before, after in pairwise(blocks(reading.passage.chunk_text)):
        # Steps are put in order instead.
        if before.kind == "paragraph" and after.kind == "list" and not numbered_steps(after.text):
            yield from _announced(before, after, reading)
    for sentence in reading.thoughts:
        found = _INLINE.match(sentence.text)
        named = _PARTED.split(found["items"]) if found else []
        if found and _FEWEST <= len(named) <= _MOST:
            asked = f"What are {reading.lower(found['things'])}?"
            yield memory.draft(
                asked,
                [sentence.source],
                reading.concept_of(sentence.text),
                about=found["things"],
                points=named,
            )


def _announced(before: Block, after: Block, reading: PassageReading) -> Iterator[DraftQuestion]:
    *_, line = "", *whole_sentences(before.text)
    line = without_marks(line)
    named = [_main(each) for each in items(after.text)]
    asked = _asked(line, reading)
    if asked and _FEWEST <= len(named) <= _MOST and _are_clear(named) and not points_outside(line):
        about = " ".join([asked, *named])
        yield memory.draft(
            asked, named, reading.concept_of(line, about), about=f"{asked} {reading.headed}", points=named
        )


def _asked(line: str, reading: PassageReading) -> str:
    if (found := _THERE_ARE.match(line)) and word_count(found["things"]) <= _MOST_THINGS:
        return f"Which {found['things']} are there?"
    if (found := _HAS.match(line)) and word_count(line) <= _MOST_THINGS:
        return f"What are the {found['things']} of {reading.lower(found['whole'])}?"
    if (found := _ARE.match(line)) and word_count(found["things"]) <= _MOST_THINGS and line.endswith(":"):
        return f"What are {reading.lower(found['things'])}?"
    return ""


def _main(item: str) -> str:
    """The item's first sentence."""
    sentences = whole_sentences(without_marks(plain(item)))
    return sentences[0] if sentences else ""


def _are_clear(named: Sequence[str]) -> bool:
    return all(
        content_set(each) and word_count(each) <= _MOST_WORDS and not each.endswith(("?", ":"))
        for each in named
    )


KIND = memory.kind("listed", write)
