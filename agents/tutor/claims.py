"""A text taken apart into what it claims, each claim with its markers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agents.teaching.blocks import blocks, items, whole_sentences
from agents.teaching.markup import without_verbatim
from agents.tutor.wording import content_words

_MARKERS = re.compile(r"\s*\[\s*\d{1,3}(?:\s*[,;]\s*\d{1,3})*\s*\]")
_TRAILING = re.compile(rf"([.!?:])((?:{_MARKERS.pattern})+)")
_ONLY_MARKERS = re.compile(rf"(?:{_MARKERS.pattern})+\s*$")
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
    """The claims in order, each with the markers that it rests on.

    A marker stands for the sentences of its paragraph, or the items of its list, since the last one. A list, a table or
    code also rests on the sentence before it, or on the marker on the line below.
    """
    led_by: tuple[int, ...] = ()
    found = list(blocks(_TRAILING.sub(r"\2\1", body)))
    for place, block in enumerate(found):
        if block.kind == "prose":
            said = _marked([_claim(sentence) for sentence in whole_sentences(block.text)])
            led_by = said[-1].markers if said else ()
            yield from said
        elif block.kind == "list":
            lines = [_BULLET.sub("", item) for item in items(block.text)]
            yield from _marked([_claim(s) for line in lines for s in whole_sentences(line)], otherwise=led_by)
        else:
            below = found[place + 1].text if place + 1 < len(found) else ""
            below = below if _ONLY_MARKERS.match(below) else ""
            yield Claim(text=block.text, markers=_numbers(below) or led_by, is_factual=True)


def _marked(said: list[Claim], *, otherwise: tuple[int, ...] = ()) -> list[Claim]:
    markers = otherwise
    for place in reversed(range(len(said))):
        markers = said[place].markers or markers
        said[place] = replace(said[place], markers=markers)
    return said


def _claim(sentence: str) -> Claim:
    text = _MARKERS.sub("", sentence).strip()
    return Claim(text=text, markers=_numbers(_CODE.sub(" ", sentence)), is_factual=_is_factual(text))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for found in _MARKERS.findall(text) for number in _NUMBER.findall(found))


def _is_factual(text: str) -> bool:
    if text.endswith("?") or _ADDRESSES.match(text):
        return False
    return len(content_words(without_verbatim(text))) >= _FEWEST_WORDS
