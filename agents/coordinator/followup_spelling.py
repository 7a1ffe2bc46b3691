"""A course's terms as the course spells them, where a learner slipped by one letter."""

import re
from collections.abc import Collection

from rag.terms import singular, words_of

_WORD = re.compile(r"[A-Za-z][A-Za-z-]+")
_SHORTEST = 7  # shorter words are one slip away from too many others


def spelled_as_in_course(text: str, terms: Collection[str]) -> str:
    """The text with each long word that is one slip away from a single word of the terms put right."""
    known = {word for term in terms for word in words_of(term) if len(word) >= _SHORTEST}

    def put_right(match: re.Match[str]) -> str:
        word = match.group().lower()
        if len(word) < _SHORTEST or word in known or singular(word) in known:
            return match.group()
        near = [other for other in known if is_one_slip(word, other) or is_one_slip(singular(word), other)]
        return near[0] if len(near) == 1 else match.group()

    return _WORD.sub(put_right, text)


def is_one_slip(first: str, second: str) -> bool:
    """One letter more, fewer, other, or two swapped; the first letter is never the slip."""
    if first == second or first[:1] != second[:1] or abs(len(first) - len(second)) > 1:
        return False
    start = next((at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    if start is None:
        return True
    rest, other = first[start:], second[start:]
    swapped = rest[1::-1] + rest[2:] == other
    return rest[1:] == other[1:] or rest[1:] == other or rest == other[1:] or swapped
