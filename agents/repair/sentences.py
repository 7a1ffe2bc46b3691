"""A text in sentences, so that each can be checked by itself; put together again they are the text."""

import re
from dataclasses import dataclass
from itertools import pairwise

MARK = re.compile(r"\[\s*\d{1,3}(?:\s*[,;]\s*\d{1,3})*\s*\]")
_SPACED_MARK = re.compile(rf"\s*{MARK.pattern}")
_MARKS = rf"(?:\s*{MARK.pattern})*"
# A stop, what closes after it, its marks, then white space and something new; ideographic stops need no space.
_END = re.compile(
    rf"(?:(?<=[^\W\d_]{{3}})|(?<=[)\]\d\"”’`*_%]))[.!?…]+[\"'”’)*_`]*{_MARKS}(?:[ \t]+(?=\S))|[。！？]{_MARKS}"
)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_HELD = 12  # characters that must follow before a sentence counts as over: a mark may still come
_UNSAFE = re.compile(r"[\d\[@`|.!?…。！？\n]|://|www", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with the white space after it, or a whole block of code."""

    text: str

    @property
    def is_words(self) -> bool:
        return bool(self.text.strip()) and not _FENCE.match(self.text)

    @property
    def marks(self) -> tuple[int, ...]:
        found = (int(number) for mark in MARK.findall(self.text) for number in re.findall(r"\d+", mark))
        return tuple(dict.fromkeys(found))

    @property
    def words(self) -> str:
        """Without its marks."""
        return _SPACED_MARK.sub("", self.text).strip()


def sentences(text: str) -> list[Sentence]:
    """The sentences in order; a line break ends one too, a block of code is one."""
    found: list[str] = []
    code: list[str] = []
    for line in text.splitlines(keepends=True):
        if code or _FENCE.match(line):
            code.append(line)
            if len(code) > 1 and _FENCE.match(line):
                found.append("".join(code))
                code = []
        elif not line.strip() and found:
            found[-1] += line
        else:
            found += _split(line)
    if code:
        found.append("".join(code))
    return [Sentence(each) for each in found]


def _split(line: str) -> list[str]:
    ends = [match.end() for match in _END.finditer(line)]
    places = [0, *(end for end in ends if end < len(line)), len(line)]
    return [line[start:end] for start, end in pairwise(places)]


class Stream:
    """Pieces of a text as they come, given on as soon as nothing in them can still turn out wrong."""

    def __init__(self) -> None:
        self._text = ""
        self._shown = 0

    @property
    def text(self) -> str:
        return self._text

    def feed(self, piece: str) -> list[Sentence]:
        """The sentences that are over now."""
        self._text += piece
        waiting = sentences(self._text[self._shown :])
        done = waiting[:-1] if len(waiting) > 1 and len(waiting[-1].text) >= _HELD else waiting[:-2]
        self._shown += sum(len(each.text) for each in done)
        return done

    def harmless(self) -> str:
        """The beginning of the sentence under way, up to what needs a check."""
        beginning = _UNSAFE.split(self._text[self._shown :], maxsplit=1)[0]
        return beginning[: beginning.rfind(" ") + 1]

    def rest(self) -> list[Sentence]:
        """What is left when the text is over."""
        left = sentences(self._text[self._shown :])
        self._shown = len(self._text)
        return left
