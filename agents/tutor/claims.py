"""A text taken apart into what it claims, each claim with its markers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.tutor.blocks import blocks, items, whole_sentences
from agents.tutor.markup import without_verbatim
from agents.tutor.wording import content_words

_MARKERS = re.compile(r"\s*\[\s*\d{1,3}(?:\s*[,;]\s*\d{1,3})*\s*\]")
_TRAILING = re.compile(rf"([.!?:])((?:{_MARKERS.pattern})+)")
_NUMBER = re.compile(r"\d{1,3}")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+")
_CODE = re.compile(r"`[^`\n]*`")
# Said to the learner rather than about the subject.
_ADDRESSES = re.compile(
    r"^(?:\W*)(?:let's|let us|ready|great|good|nice|well done|here(?:'s| is| are)|by the end|this time|last time|"
    r"you(?:'ll| will| can now| should now| missed| mixed| have (?:now )?(?:seen|read)|'ve)|we(?:'ll| will)|the course (?:gives|lists) these|"
    r"time for|keep (?:this|that|these) in mind|on to|i(?:'ll| will)?\b|before we|next, we|take your time|answer in|try this|read more|see also)",
    re.IGNORECASE,
)
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One sentence, list item or block of a text."""

    text: str  # without markers
    markers: tuple[int, ...]
    is_factual: bool


def claims(body: str) -> Iterator[Claim]:
    """The claims in order; a list, a table or code also rests on the markers of the sentence before it."""
    led_by: tuple[int, ...] = ()
    for block in blocks(_TRAILING.sub(r"\2\1", body)):
        if block.kind == "prose":
            for sentence in whole_sentences(block.text):
                claim = _claim(sentence)
                yield claim
                led_by = claim.markers
        elif block.kind == "list":
            for item in items(block.text):
                for sentence in whole_sentences(_BULLET.sub("", item)):
                    yield _claim(sentence, otherwise=led_by)
        else:
            yield Claim(text=block.text, markers=led_by, is_factual=True)


def _claim(sentence: str, *, otherwise: tuple[int, ...] = ()) -> Claim:
    outside = _CODE.sub(" ", sentence)
    markers = tuple(int(number) for found in _MARKERS.findall(outside) for number in _NUMBER.findall(found))
    text = _MARKERS.sub("", sentence).strip()
    return Claim(text=text, markers=markers or otherwise, is_factual=_is_factual(text))


def _is_factual(text: str) -> bool:
    if text.endswith("?") or _ADDRESSES.match(text):
        return False
    return len(content_words(without_verbatim(text))) >= _FEWEST_WORDS
