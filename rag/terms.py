"""Finding a course's own terms in its text."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

_WORD = re.compile(r"[a-z0-9]+(?:[-'+#/][a-z0-9]+)*[+#]*")
_LEADING = {"the", "a", "an"}
_UNCHANGED_ENDINGS = ("ss", "us", "is")

TermKey = tuple[str, ...]


def words_of(text: str) -> list[str]:
    """The words of a text in lower case and in the singular, so that terms match however written."""
    return [singular(word) for word in _WORD.findall(text.lower().replace("’", "'"))]


def term_key(name: str) -> TermKey:
    """What makes two spellings of a term the same: 'The Topics' and 'topic'."""
    words = words_of(re.sub(r"\([^()]*\)", " ", name)) or words_of(name)
    while len(words) > 1 and words[0] in _LEADING:
        words = words[1:]
    return tuple(words)


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """A plain English singular; wrong now and then, but always wrong in the same way."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(_UNCHANGED_ENDINGS):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


class TermFinder:
    """Finds known terms in running text, the longest first."""

    def __init__(self, keys: Iterable[TermKey]) -> None:
        by_first: dict[str, list[TermKey]] = {}
        for key in keys:
            by_first.setdefault(key[0], []).append(key)
        self._by_first: Mapping[str, list[TermKey]] = {
            first: sorted(found, key=len, reverse=True) for first, found in by_first.items()
        }

    def find(self, text: str) -> Iterator[TermKey]:
        """Yield each occurrence, in order; 'action server' is not also an 'action'."""
        words = words_of(text)
        position = 0
        while position < len(words):
            step = 1
            for key in self._by_first.get(words[position], ()):
                if len(key) == 1 or tuple(words[position : position + len(key)]) == key:
                    yield key
                    step = len(key)
                    break
            position += step
