"""What a paragraph says first, to be explained with what it goes on with."""

import re
from collections.abc import Iterator, Sequence

from agents.language.blocks import blocks, plain, whole_sentences
from agents.language.headings import tells_again
from agents.language.words import content_set, word_count
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, PassageReading
from agents.teaching.questions.sentences import standalone_sentences

# What a thing is, is asked otherwise.
_DEFINES = re.compile(
    r"^The \w+ (?:is|was) that\b|\b(?:is|are) (?:an?|the|one|two|three|simply|just)\b|\b(?:because|refers? to|means|is called|are called|ist eine?|bezeichnet)\b"
)
_FEWEST_WORDS, _MOST_WORDS = 6, 26  # of the claim
_LEAST_WEIGHT = 2.0
_FEWEST, _MOST = 2, 3  # sentences that explain it
_FEWEST_SHARED = 2  # words with a meaning, that show that it goes on about the same
_FEWEST_NEW = 6  # words with a meaning, that the claim does not have


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    # What a summary tells one after the other does not explain itself.
    is_recap = tells_again(reading.passage.heading_hierarchy)
    paragraphs = () if is_recap else blocks(reading.passage.chunk_text)
    for block in paragraphs:
        first, *others = map(plain, whole_sentences(block.text) or [""])
        is_said = block.kind == "paragraph" and bool(first)
        claim = next((each.text for each in standalone_sentences(first)), "") if is_said else ""
        said = _support(others, reading)
        is_ours = bool(content_set(claim) & content_set(reading.headed))
        if claim and is_ours and reading.centre.weight(claim) >= _LEAST_WEIGHT and _can_be_asked(claim, said):
            yield memory.draft(
                f"Explain in two or three sentences: “{claim}”",
                said,
                reading.concept_of(claim, " ".join(said)),
                about=claim,
            )


def _support(others: Sequence[str], reading: PassageReading) -> list[str]:
    """The sentences right behind it, as far as each tells something."""
    said: list[str] = []
    for each in others[:_MOST]:
        if memory.is_no_point(each) or memory.is_particular(each, centre=reading.centre):
            break
        said.append(each)
    return said


def _can_be_asked(claim: str, said: Sequence[str]) -> bool:
    new = content_set(" ".join(said)) - content_set(claim)
    return (
        _FEWEST_WORDS <= word_count(claim) <= _MOST_WORDS
        and len(said) >= _FEWEST
        and len(new) >= _FEWEST_NEW
        and len(content_set(claim) & content_set(" ".join(said))) >= _FEWEST_SHARED
        and not _DEFINES.search(claim)
        and not memory.is_no_point(claim)
    )


KIND = memory.kind("claim", write)
