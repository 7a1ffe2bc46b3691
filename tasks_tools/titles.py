"""Tasks by the words of their titles: "the meeting one"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tasks_tools.positions import MOST_CHARACTERS, without_fillers

_LITTLE_WORDS = "of in at by with and or called named titled saying says about regarding thing stuff"
_LITTLE = frozenset(_LITTLE_WORDS.split())
_ENDINGS = ("ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y")
_MOST_WORDS = 40
_NEAR = 0.84  # two of twelve letters wrong still match, "tree" and "three" do not


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTask:
    """A task that a learner may point at."""

    id: int
    title: str
    done: bool = False


def match_titles(text: str, tasks: Sequence[KnownTask]) -> Sequence[KnownTask]:
    """The tasks whose titles have most of the words that count; an exact title wins."""
    text = text[:MOST_CHARACTERS]
    named = {_plain(text), _plain(_quoted(text))}
    exact = [task for task in tasks if _plain(task.title) in named]
    if exact:
        return _open_first(exact)
    words = _words(text)[:_MOST_WORDS]
    if not words:
        return []
    shares = {task.id: _share(words, _words(task.title)) for task in tasks}
    best = max(shares.values(), default=0.0)
    if best >= 0.5:
        return _open_first([task for task in tasks if shares[task.id] == best])
    # "the dentist called, so that appointment is off" has more words than the title; the title is in it all the same.
    whole = [task for task in tasks if (title := _words(task.title)) and _share(title, words) == 1]
    return _open_first(whole)


def _open_first(tasks: Sequence[KnownTask]) -> Sequence[KnownTask]:
    """Only those not done, unless all are: nobody completes or moves what is done already."""
    return [task for task in tasks if not task.done] or tasks


def _share(words: Sequence[str], title: Sequence[str]) -> float:
    return sum(any(_same(word, other) for other in title) for word in words) / len(words)


def _same(word: str, other: str) -> bool:
    if word == other:
        return True
    return min(len(word), len(other)) >= 5 and SequenceMatcher(None, word, other).ratio() >= _NEAR


def _words(text: str) -> list[str]:
    return [_stem(word) for word in without_fillers(text) if word not in _LITTLE and re.search(r"\w", word)]


def _stem(word: str) -> str:
    word = word.removesuffix("'s").lstrip("#")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _quoted(text: str) -> str:
    opening = re.search(r"[\"“‘']", text)
    closing = max(text.rfind(mark) for mark in "\"”’'")
    return text[opening.end() : closing] if opening and closing > opening.end() else text
