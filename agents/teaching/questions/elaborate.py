"""What a paragraph begins with, to be carried on: asked where a lesson gives nothing sharper, so that no quiz is too short."""

from collections.abc import Iterator

from agents.language.blocks import blocks, plain, whole_sentences
from agents.language.words import content_set, word_count
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, PassageReading
from agents.teaching.questions.sentences import standalone_sentences

_FEWEST_WORDS, _MOST_WORDS = 4, 30  # of what is told
_FEWEST, _MOST = 2, 3  # sentences that carry it on
_FEWEST_NEW = 6  # words with a meaning that what is told does not have


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    for block in blocks(reading.passage.chunk_text):
        if block.kind != "paragraph":
            continue
        first, *others = map(plain, whole_sentences(block.text) or [""])
        told = next((each.text for each in standalone_sentences(first)), "") if first else ""
        said = [each for each in others if not memory.is_no_point(each)][:_MOST]
        new = content_set(" ".join(said)) - content_set(told)
        is_enough = len(said) >= _FEWEST and len(new) >= _FEWEST_NEW
        if is_enough and _FEWEST_WORDS <= word_count(told) <= _MOST_WORDS and not memory.is_no_point(told):
            yield memory.draft(
                f"“{told}” What else does the lesson say about this? Two or three sentences.",
                said,
                reading.concept_of(told, " ".join(said)),
                about=told,
            )


KIND = memory.kind("elaborate", write)
