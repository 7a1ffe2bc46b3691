"""What is said, in pieces that know what they are.

A terminal, `adk web` and the record show all of them; the page has places of its own for the question, the sources and
the way on, and shows the words. Nobody reads a piece back out of the text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

Piece = Literal["words", "question", "sources", "way_on"]
WORDS_KEY = "words"  # of an event's metadata, where its text has more than words


@dataclass(frozen=True, slots=True)
class Said:
    """A message as a whole; every piece brings the space before it."""

    pieces: tuple[tuple[Piece, str], ...] = ()

    @classmethod
    def of(cls, text: "str | Said") -> Self:
        return cls((("words", text),) if text else ()) if isinstance(text, str) else cls(text.pieces)

    def then(self, piece: Piece, text: str) -> "Said":
        """With one more piece, as it is; nothing for nothing."""
        return Said((*self.pieces, (piece, text))) if text else self

    def __str__(self) -> str:
        return "".join(text for _, text in self.pieces).strip()

    def __bool__(self) -> bool:
        return bool(self.pieces)

    @property
    def words(self) -> str:
        """What is said beside the question, the sources and the way on."""
        return "".join(text for piece, text in self.pieces if piece == "words").strip()


def one_after_another(*messages: "str | Said") -> Said:
    """As paragraphs, those that say something."""
    told = [Said.of(each) for each in messages if each]
    pieces: list[tuple[Piece, str]] = []
    for each in told:
        if pieces:
            pieces.append(("words", "\n\n"))
        pieces += each.pieces
    return Said(tuple(pieces))


def words_of_event(metadata: Mapping[str, Any] | None, text: str) -> str:
    """The words of an event: all of its text, where nothing else was said of it."""
    return str((metadata or {}).get(WORDS_KEY, text))
