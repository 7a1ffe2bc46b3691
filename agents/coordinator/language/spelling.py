"""Slips of the keyboard in words of command: 'teahc me', 'progres'."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from agents.coordinator.language.wording import NEIGHBOURS

_SHORT = 4  # in words this short only two swapped letters are a slip: 'sotp', but never 'step'
_ENDINGS = ("s", "d", "ed", "r", "er", "ing", "es", "ly", "n")


class Speller:
    """Puts right what is one slip away from a known word, and is no word of its own."""

    def __init__(self, vocabulary: Collection[str]) -> None:
        self._known = frozenset(vocabulary) | NEIGHBOURS
        by_first: dict[str, list[str]] = {}
        for word in sorted(vocabulary):
            if len(word) >= _SHORT and word.isalpha():
                by_first.setdefault(word[0], []).append(word)
        self._by_first: Mapping[str, list[str]] = by_first
        self._nearest = lru_cache(maxsize=4096)(self._find_nearest)

    def correct(self, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self._nearest, words))

    def _find_nearest(self, word: str) -> str:
        if word in self._known or len(word) < _SHORT or not word.isalpha():
            return word
        near = [known for known in self._by_first.get(word[0], ()) if is_slip(word, of=known)]
        return near[0] if len(near) == 1 else word


def is_slip(word: str, *, of: str) -> bool:
    """Whether one letter is wrong, missing, doubled or swapped with its neighbour."""
    if is_swap(word, of=of):
        return True
    if len(of) <= _SHORT or abs(len(word) - len(of)) > 1 or _is_inflected(word, of=of):
        return False
    start = 0
    while start < min(len(word), len(of)) and word[start] == of[start]:
        start += 1
    rest, rest_of = word[start:], of[start:]
    return rest[1:] == rest_of[1:] or rest[1:] == rest_of or rest == rest_of[1:]


def is_swap(word: str, *, of: str) -> bool:
    """Whether two neighbouring letters changed places."""
    if len(word) != len(of):
        return False
    wrong = [place for place in range(len(of)) if word[place] != of[place]]
    return (
        len(wrong) == 2
        and wrong[1] == wrong[0] + 1
        and word[wrong[0]] == of[wrong[1]]
        and word[wrong[1]] == of[wrong[0]]
    )


def _is_inflected(word: str, *, of: str) -> bool:
    return any(of + ending == word for ending in _ENDINGS)
