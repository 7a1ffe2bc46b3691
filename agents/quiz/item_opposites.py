"""A statement turned into its opposite in one place."""

import re

from agents.quiz.item_grammar import an, split_clause
from agents.quiz.item_words import word_set

_OPPOSITES = (
    "always/never increases/decreases increase/decrease before/after grows/shrinks rises/falls "
    "large/small high/low highest/lowest largest/smallest strongest/weakest"
)
_COMPARATIVES = (
    "larger/smaller higher/lower more/less faster/slower greater/smaller longer/shorter stronger/weaker"
)


def _pairs(text: str) -> dict[str, str]:
    pairs = [pair.split("/") for pair in sorted(word_set(text))]
    return {word: other for one, two in pairs for word, other in ((one, two), (two, one))}


_FLIP = _pairs(_OPPOSITES) | _pairs(_COMPARATIVES)
_TURNABLE = re.compile(
    rf"(?<!-)\b(?:{'|'.join(_pairs(_OPPOSITES))})\b(?!-)|\b(?:{'|'.join(_pairs(_COMPARATIVES))})\b(?=[^,;]* than\b)"
)


def opposite(text: str) -> str:
    """The sentence with one relation turned round; empty unless there is exactly one."""
    clause = split_clause(text)
    start = len(clause.subject) if clause else 0
    found = [match for match in _TURNABLE.finditer(text) if match.start() >= start]
    if (
        clause is None
        or len(found) != 1
        or len(_TURNABLE.findall(text)) != 1
        or text[found[0].end() + 1 : found[0].end() + 2].isupper()
    ):
        return ""
    match = found[0]
    turned = text[: match.start()] + _FLIP[match.group()] + text[match.end() :]
    return re.sub(rf"\b(a|an)(?= {_FLIP[match.group()]}\b)", lambda article: an(_FLIP[match.group()]), turned)
