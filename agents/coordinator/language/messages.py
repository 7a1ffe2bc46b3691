"""A message as the rules read it: plain lower-case words, and where its clauses begin and end."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agents.coordinator.language.short_forms import SPELLED_OUT
from agents.coordinator.language.wording import EXPLETIVES

# What is asked stands at the beginning or at the end, however long the message.
_HEAD_CHARS, _TAIL_CHARS = 1200, 400
_MOST_CLAUSES = 8
_TOKEN = re.compile(r"#(?=\d)|[^\W_]+(?:'[^\W_]+)*")
_SENTENCE_END = re.compile(r"[.!?;…。？！]|\n")
_PAUSE = re.compile(r"[,:()\"—–]|\s-+\s|\.\.")
_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")  # 'hmmm', 'pleeease'
_QUESTION_MARKS = "?？؟"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Some clauses of one sentence, as word positions."""

    start: int
    end: int
    is_whole: bool
    is_last: bool
    is_asked: bool  # a question mark follows
    opens_sentence: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """The words of a message, each with its place in the text."""

    text: str
    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]

    @classmethod
    def read(cls, text: str) -> "Message":
        text = _shortened(text).replace("’", "'").replace("‘", "'")
        words: list[str] = []
        places: list[tuple[int, int]] = []
        for match in _TOKEN.finditer(text):
            plain = _plain(match.group())
            for word in SPELLED_OUT.get(plain, plain).split():
                if word in EXPLETIVES:  # 'what the hell is a node' asks what a node is
                    if words[-1:] == ["the"]:
                        words.pop(), places.pop()
                    continue
                words.append(word)
                places.append(match.span())
        return cls(text=text, words=tuple(words), places=tuple(places))

    def with_words(self, words: tuple[str, ...]) -> "Message":
        """The same message, differently spelled."""
        return replace(self, words=words)

    def quote(self, start: int, end: int) -> str:
        """The learner's own spelling of some words."""
        return self.text[self.places[start][0] : self.places[end - 1][1]] if start < end else ""

    def spans(self) -> Iterator[Span]:
        """The whole message first, then every run of clauses within a sentence."""
        count = len(self.words)
        yield self._span(0, count, opens_sentence=True)
        for sentence in self._sentences():
            for first, start in enumerate(sentence[:-1]):
                for end in reversed(sentence[first + 1 :]):
                    if (start, end) != (0, count):
                        yield self._span(start, end, opens_sentence=first == 0)

    def gap(self, position: int) -> str:
        """What stands between a word and the one before it."""
        before = self.places[position - 1][1] if position else 0
        after = self.places[position][0] if position < len(self.places) else len(self.text)
        return self.text[before:after]

    def _span(self, start: int, end: int, *, opens_sentence: bool) -> Span:
        return Span(
            start=start,
            end=end,
            is_whole=(start, end) == (0, len(self.words)),
            is_last=end == len(self.words),
            is_asked=any(mark in self.gap(end) for mark in _QUESTION_MARKS),
            opens_sentence=opens_sentence,
        )

    def _sentences(self) -> Iterator[list[int]]:
        """Each sentence as the positions where its clauses begin, and its end."""
        clauses = [0]
        for position in range(1, len(self.words) + 1):
            gap = self.gap(position)
            if position == len(self.words) or _SENTENCE_END.search(gap):
                yield _few([*clauses, position])
                clauses = [position]
            elif _PAUSE.search(gap):
                clauses.append(position)


def _few(positions: list[int]) -> list[int]:
    if len(positions) <= _MOST_CLAUSES:
        return positions
    half = _MOST_CLAUSES // 2
    return positions[:half] + positions[-half:]


def _shortened(text: str) -> str:
    if len(text) <= _HEAD_CHARS + _TAIL_CHARS:
        return text
    return f"{text[:_HEAD_CHARS]}\n{text[-_TAIL_CHARS:]}"


def _plain(word: str) -> str:
    """Lower case and without accents, so that 'Enséñame' and 'ensename' are one word."""
    if word.isascii():
        return _DRAWN_OUT.sub(r"\1", word.lower())
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))
