"""A question as what it asks about: its words, how telling each is, and the two sides of a comparison."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from agents.coordinator.meaning import telling
from agents.teaching.blocks import BlockKind
from agents.tutor.wording import STOP_WORDS, content_words, is_generic, pieces, stem
from rag.terms import TermFinder, singular, term_key

# What somebody asks stands at the beginning or at the end, however long the message.
_HEAD_CHARS, _TAIL_CHARS = 400, 200
_MOST_NAME_WORDS = 3
_GENERIC = 0.3  # what a word of asking counts, such as 'purpose': a course need not say it to say the thing
_TOKEN = re.compile(r"[\w+#*'-]+")
COMPARING = frozenset(
    map(
        stem,
        "difference differ different distinguish distinction compare comparison contrast versus vs".split(),
    )
)
ORDERS = frozenset("tell give show explain describe list name compare".split())
_JOINS = frozenset("and or vs versus from to with than against".split())
FORMS: Mapping[BlockKind, frozenset[str]] = {
    "code": frozenset(map(stem, "example code snippet demo".split())),
    "formula": frozenset(map(stem, "formula equation maths".split())),
    "table": frozenset(map(stem, "table types kinds options".split())),
    "list": frozenset(map(stem, "list steps types kinds parts reasons ways order".split())),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One stand-alone question, read."""

    text: str
    words: Mapping[str, str]  # by stem, as they were typed
    weights: Mapping[str, float]  # by stem: how telling each is
    names: tuple[str, ...]  # what it may want to be defined
    pairs: frozenset[tuple[str, str]]  # stems that stand side by side
    sides: tuple[str, ...]  # the two things that are compared, or none
    forms: frozenset[BlockKind]  # what it asks to see: code, a formula, a list

    def share(self, stems: Collection[str]) -> float:
        """How much of the question these stems cover."""
        total = sum(self.weights.values())
        return sum(weight for word, weight in self.weights.items() if word in stems) / total if total else 0.0


def understand(message: str, terms: Collection[str] = ()) -> Question:
    """Read a question; terms are the names of the course's concepts."""
    text = " ".join(shortened(message).split())
    words = {root: word for word in content_words(text) if (root := stem(word)) not in STOP_WORDS}
    if len(words) > 1 and (first := next(iter(words.values()))) in ORDERS and text.lower().startswith(first):
        del words[stem(first)]  # 'tell me about services' is about services
    named = terms_in(text, terms)
    whole = [" ".join(words.values())] if len(words) <= _MOST_NAME_WORDS else []
    parts = {stem(word): len(name.split()) for name in named for word in name.lower().split()}

    def weight(root: str, word: str) -> float:
        if root in parts:  # a name of two words is one thing
            return telling(word) / parts[root]
        return telling(word) * (_GENERIC if is_generic(word) or word.isdigit() else 1.0)

    return Question(
        text=text,
        words=words,
        weights={root: weight(root, word) for root, word in words.items()},
        names=tuple(dict.fromkeys([*named, *whole])),
        pairs=frozenset(pair for pair in pairwise(map(stem, pieces(text))) if words.keys() >= set(pair)),
        sides=_sides(_TOKEN.findall(text)),
        forms=frozenset(kind for kind, asking in FORMS.items() if asking & words.keys()),
    )


def shortened(message: str) -> str:
    if len(message) <= _HEAD_CHARS + _TAIL_CHARS:
        return message
    return f"{message[:_HEAD_CHARS]} {message[-_TAIL_CHARS:]}"


def says(word: str) -> bool:
    """Whether the word belongs to a subject rather than to grammar."""
    return word.lower() not in STOP_WORDS and stem(word.lower()) not in STOP_WORDS


def _sides(tokens: Sequence[str]) -> tuple[str, ...]:
    """The names on both sides of the first 'and', 'or', 'from' of a question that compares."""
    words = [token.lower() for token in tokens]
    if not any(stem(word) in COMPARING for word in words):
        return ()
    start = words.index("between") + 1 if "between" in words else 0
    for place in range(start + 1, len(words)):
        if words[place] in _JOINS:
            before, after = _run(tokens[start:place][::-1])[::-1], _run(tokens[place + 1 :])
            if before and after:
                shared = after[len(before) :]  # 'static and dynamic transforms'
                return " ".join([*before, *shared]), " ".join(after)
    return ()


def _run(tokens: Sequence[str]) -> list[str]:
    """The first words that stand together and name something."""
    found: list[str] = []
    for token in tokens:
        names = says(token) and stem(token.lower()) not in COMPARING
        if found and not names:
            break
        found += [token] if names else []
    return found


def terms_in(text: str, terms: Collection[str]) -> tuple[str, ...]:
    """The course's terms in a text, in order, as they are written there."""
    tokens = _TOKEN.findall(text)
    singles = [singular(token.lower()) for token in tokens]
    found = []
    for key in dict.fromkeys(_finder(tuple(terms)).find(text)):
        places = range(len(tokens) - len(key) + 1)
        start = next((place for place in places if tuple(singles[place : place + len(key)]) == key), None)
        found.append(" ".join(key if start is None else tokens[start : start + len(key)]))
    return tuple(found)


@lru_cache(maxsize=8)
def _finder(terms: tuple[str, ...]) -> TermFinder:
    return TermFinder(key for term in terms if (key := term_key(term)))
