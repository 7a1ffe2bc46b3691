"""Does a passage say what a sentence says? By its words, its numbers and its nots."""

import re
from collections.abc import Sequence

from agents.teaching.blocks import blocks, whole_sentences
from agents.tutor.wording import content_words, is_generic, stem, stems

_ENOUGH = 0.6  # of a sentence's words, everyday ones counting less
_GENERIC_WEIGHT = 0.3
_NEARLY_SAME = 0.8
_DIGITS = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?![\w])")
_NOT = re.compile(
    r"\b(?:not|never|no|cannot|can't|isn't|aren't|doesn't|don't|won't|without|neither|nor|nothing|nobody)\b",
    re.IGNORECASE,
)


def supports(passages: Sequence[str], sentence: str) -> bool:
    """Whether enough of the sentence's words, and all of its numbers, are in the passages."""
    known = {found for passage in passages for found in stems(passage)}
    digits = {found for passage in passages for found in _numbers(passage)}
    if not set(_numbers(sentence)) <= digits:
        return False
    weights = {word: _GENERIC_WEIGHT if is_generic(word) else 1.0 for word in content_words(sentence)}
    total = sum(weights.values())
    found = sum(weight for word, weight in weights.items() if stem(word) in known or word.isdigit())
    return not total or found / total >= _ENOUGH


def contradicts(passages: Sequence[str], sentence: str) -> bool:
    """Whether a passage has the same words in one sentence, but with a 'not' more or less."""
    wanted = _said(sentence)
    if len(wanted) < 3:
        return False
    alike = [other for other in _sentences(passages) if _is_alike(wanted, _said(other))]
    return bool(alike) and all(bool(_NOT.search(other)) != bool(_NOT.search(sentence)) for other in alike)


def _is_alike(first: frozenset[str], second: frozenset[str]) -> bool:
    return bool(second) and len(first & second) >= _NEARLY_SAME * max(len(first), len(second))


def _said(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(_NOT.sub(" ", text)))


def _sentences(passages: Sequence[str]) -> list[str]:
    return [
        sentence
        for passage in passages
        for block in blocks(passage)
        if block.kind in ("prose", "list")
        for sentence in whole_sentences(block.text)
    ]


def _numbers(text: str) -> list[str]:
    return [number.replace(",", "") for number in _DIGITS.findall(text)]
