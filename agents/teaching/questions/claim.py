"""What a paragraph says first, to be supported with what it says then."""

import re
from collections.abc import Iterator, Sequence

from agents.language.blocks import blocks, plain, whole_sentences
from agents.language.words import content_set, word_count
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, PassageReading
from agents.teaching.questions.grammar import split_clause
from agents.teaching.questions.sentences import standalone_sentences

# A definition is no claim, and what happened once supports none.
_DEFINES = re.compile(
    r"^The \w+ (?:is|was) that\b|\b(?:is|are) (?:an?|the|one|two|three|simply|just)\b|\b(?:because|refers? to|means|is called|are called|ist eine?|bezeichnet)\b"
)
_ONCE = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b")
_FEWEST_WORDS, _MOST_WORDS = 6, 26  # of the claim
_LEAST_WEIGHT = 2.5
_FEWEST, _MOST = 2, 3  # sentences that support it
_FEWEST_SHARED = 2  # words with a meaning, that show that it goes on about the same
_FEWEST_NEW = 6  # words with a meaning, that the claim does not have


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    paragraphs = (each for each in blocks(reading.passage.chunk_text) if each.kind == "paragraph")
    for block in paragraphs:
        first, *others = map(plain, whole_sentences(block.text) or [""])
        claim = next((each.text for each in standalone_sentences(first)), "") if first else ""
        said = _support(others)
        is_central = reading.centre.weight(claim) >= _LEAST_WEIGHT
        if claim and said and is_central and _can_be_asked(claim, said):
            stated = reading.lower(claim.removesuffix("."))
            yield memory.draft(
                f"Why can one say that {stated}? Explain it in two or three sentences.",
                said,
                reading.concept_of(claim, " ".join(said)),
                about=claim,
            )


def _support(others: Sequence[str]) -> list[str]:
    """The sentences right behind it, as far as each tells something."""
    said: list[str] = []
    for each in others[:_MOST]:
        if memory.is_no_point(each):
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
        and _holds_always(claim)
        and not _DEFINES.search(claim)
        and not _ONCE.search(said[0])
        and not memory.is_no_point(claim)
    )


def _holds_always(claim: str) -> bool:
    """What was so once is told, not supported."""
    clause = split_clause(claim)
    return clause is not None and clause.verb not in ("was", "were", "had", "did")


KIND = memory.kind("claim", write)
