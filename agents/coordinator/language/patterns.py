"""A small language for phrases, and a book that finds those which a message uses.

One phrase a line: `a|b` is either word, `[a|b]` may be missing, `{topic}` is one or more words that are kept,
`*` is any number of words, `<number>` is '2', 'second' or 'last', and a word in capitals is a group of words that
the table names. Light words ('the', 'please', 'really') count nowhere, neither in a phrase nor in a message.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from agents.coordinator.language.wording import LIGHT, word_set

NUMBERS = word_set(
    "first second third fourth fifth sixth seventh eighth last one two three four five six seven eight"
)


_MOST_WORDS_IN_FRONT = 4  # '… from scratch' follows a name, not a sentence


class Kind(Enum):
    WORD = auto()
    NUMBER = auto()
    ANYTHING = auto()
    KEPT = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """One place in a phrase."""

    kind: Kind
    words: frozenset[str] = frozenset()
    optional: bool = False

    def takes(self, word: str) -> bool:
        return word in self.words if self.kind is Kind.WORD else word.isdigit() or word in NUMBERS


@dataclass(frozen=True, slots=True)
class Phrase:
    """One line of a table, and the action it stands for."""

    action: str
    line: str
    parts: tuple[Part, ...]
    timely: bool = False  # from the table for this situation, rather than for any

    @classmethod
    def parse(cls, line: str, *, action: str, groups: Mapping[str, str], timely: bool = False) -> "Phrase":
        parts = [_part(piece, groups=groups) for piece in line.split()]
        heavy = tuple(part for part in parts if part.words or part.kind is not Kind.WORD)
        return cls(action, line, heavy, timely)

    def match(self, words: Sequence[str], start: int, end: int) -> "Match | None":
        """All of the words from start to end, or nothing."""
        found = _match(self.parts, 0, words, start, end, (0, 0), 0)
        if found is None:
            return None
        kept, named = found
        if self.parts[0].kind is Kind.KEPT and kept[1] - kept[0] > _MOST_WORDS_IN_FRONT:
            return None
        return Match(self, kept, named, end - start - named - (kept[1] - kept[0]))

    def first_words(self) -> Iterator[str | None]:
        """The words that it may begin with; None for any."""
        for part in self.parts:
            if part.kind is Kind.WORD:
                yield from part.words
            else:
                yield None
            if not part.optional:
                return


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase found, with the place of the words it keeps and how many it names itself."""

    phrase: Phrase
    kept: tuple[int, int]
    named: int

    free: int  # words that only a '*' took

    @property
    def keeps(self) -> bool:
        return self.kept[0] < self.kept[1]


class PhraseBook:
    """Phrases by their first word, so that few are tried on a message."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self._by_first: dict[str | None, list[Phrase]] = {}
        for phrase in phrases:
            for first in set(phrase.first_words()):
                self._by_first.setdefault(first, []).append(phrase)

    def find(self, words: Sequence[str], start: int, end: int) -> Iterator[Match]:
        """Every phrase that is exactly these words."""
        if start >= end:
            return
        for first in (words[start], None):
            for phrase in self._by_first.get(first, ()):
                found = phrase.match(words, start, end)
                if found:
                    yield found

    def longest_prefix(self, words: Sequence[str], start: int, end: int) -> tuple[Phrase | None, int]:
        """The longest phrase that begins here, and where it ends."""
        for stop in range(min(end, start + 12), start, -1):
            for match in self.find(words, start, stop):
                return match.phrase, stop
        return None, start

    def longest_suffix(self, words: Sequence[str], start: int, end: int) -> int:
        """Where the longest phrase that ends here begins, or end."""
        for begin in range(max(start, end - 6), end):
            if any(self.find(words, begin, end)):
                return begin
        return end

    def vocabulary(self) -> frozenset[str]:
        """All words that the phrases name."""
        phrases = (phrase for found in self._by_first.values() for phrase in found)
        return frozenset(word for phrase in phrases for part in phrase.parts for word in part.words)


def parse_table(
    table: Mapping[str, str], *, groups: Mapping[str, str], timely: bool = False
) -> Iterator[Phrase]:
    """The phrases of a table of actions."""
    for action, lines in table.items():
        for line in filter(None, map(str.strip, lines.splitlines())):
            yield Phrase.parse(line, action=action, groups=groups, timely=timely)


def _part(piece: str, *, groups: Mapping[str, str]) -> Part:
    if piece in ("*", "[*]"):
        return Part(Kind.ANYTHING, optional=True)
    if piece == "{topic}":
        return Part(Kind.KEPT)
    if piece == "<number>":
        return Part(Kind.NUMBER)
    optional = piece.startswith("[")
    words: set[str] = set()
    for name in piece.strip("[]").split("|"):
        words.update(groups[name].split() if name.isupper() else [name])
    return Part(Kind.WORD, frozenset(words - LIGHT), optional)


def _match(
    parts: tuple[Part, ...],
    at: int,
    words: Sequence[str],
    start: int,
    end: int,
    kept: tuple[int, int],
    named: int,
) -> tuple[tuple[int, int], int] | None:
    if at == len(parts):
        return (kept, named) if start == end else None
    part = parts[at]
    if part.kind in (Kind.WORD, Kind.NUMBER):
        found = None
        if start < end and part.takes(words[start]):
            found = _match(parts, at + 1, words, start + 1, end, kept, named + 1)
        if found is None and part.optional:
            found = _match(parts, at + 1, words, start, end, kept, named)
        return found
    least = start + (part.kind is Kind.KEPT)
    # The last part takes the rest of the words, whatever they are.
    stops = range(least, end + 1) if at + 1 < len(parts) else range(max(least, end), end + 1)
    for stop in stops:
        inside = (start, stop) if part.kind is Kind.KEPT else kept
        found = _match(parts, at + 1, words, stop, end, inside, named)
        if found:
            return found
    return None
