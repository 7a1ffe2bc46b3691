"""What the author says that one will be able to tell: their own word on what matters, asked of what the text says about it."""

import re
from collections.abc import Iterator, Sequence

from agents.language.blocks import blocks, items, plain
from agents.language.words import content_set, word_count
from agents.teaching.questions import memory
from agents.teaching.questions.base import DraftQuestion, PassageReading
from agents.teaching.questions.grammar import VERBS, split_clause
from agents.teaching.questions.sentences import Sentence

# What can be told in words; 'write', 'build' and 'use' are shown otherwise.
_TELLS = re.compile(
    r"^(?:(?:be able to|you (?:will|can)(?: be able to)?) )?(?:explain|describe|define|compare|contrast|distinguish|differentiate|"
    r"discuss|identify|summari[sz]e|outline|state|list|name|understand|recogni[sz]e)\b",
    re.IGNORECASE,
)
_UNDERSTANDS = re.compile(
    r"^(?:be able to |you (?:will|can)(?: be able to)? )?(?:understand|recogni[sz]e|identify|discuss)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:what|why|how|when|where|which|who|was|warum|wie|wann|wo|welche[rs]?)\b.*\?$", re.IGNORECASE
)
_FEWEST_WORDS, _MOST_WORDS = 4, 26
_FEWEST, _MOST = 2, 3  # points
_TOLD = 0.6  # of the aim's words, that the points have
_SHARED = 2  # words of a point with the aim


def aims_in(text: str) -> list[str]:
    """The items of a list that only says what one will be able to do."""
    found = [[plain(item) for item in items(block.text)] for block in blocks(text) if block.kind == "list"]
    return [_bare(each) for listed in found if all(map(_is_aim, listed)) for each in listed]


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    for aim in reading.aims:
        asked = _asked(aim)
        said = _points(aim, reading) if asked and _FEWEST_WORDS <= word_count(aim) <= _MOST_WORDS else []
        if said:
            concept = reading.concept_of(aim, " ".join(each.text for each in said))
            yield memory.draft(
                asked,
                [each.source for each in said],
                concept,
                about=f"{aim} {reading.headed}",
            )


def _asked(aim: str) -> str:
    if not _TELLS.match(aim):
        return ""
    asked = _UNDERSTANDS.sub("Explain", aim).rstrip(".")
    return f"{asked[:1].upper()}{asked[1:]}, in two or three sentences."


def _points(aim: str, reading: PassageReading) -> Sequence[Sentence]:
    """The sentences that say most of it; none where together they leave out what it is about."""
    own = content_set(_TELLS.sub("", aim))
    near = [each for each in reading.thoughts if len(own & content_set(each.text)) >= min(_SHARED, len(own))]
    near.sort(key=lambda each: (-len(own & content_set(each.text)), -reading.centre.weight(each.text)))
    best = near[:_MOST]
    told = frozenset().union(*(content_set(each.text) for each in best)) & own
    is_told = len(best) >= _FEWEST and len(told) >= _TOLD * len(own)
    return [each for each in reading.thoughts if each in best] if is_told else []


def _is_aim(item: str) -> bool:
    said = _bare(item)
    first, _, _ = said.lower().partition(" ")
    return bool(_TELLS.match(said)) or (first in VERBS and split_clause(said) is None)


def _bare(item: str) -> str:
    return re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", item).strip()


KIND = memory.kind("aim", write)
