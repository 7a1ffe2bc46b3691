"""A message as hashed n-grams: the numbers that every fitted reader of ours starts from."""

import re
import unicodedata
import zlib
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

BUCKETS = 1 << 15
FRAME_BUCKETS = 1 << 14
# What somebody wants stands at the beginning or at the end, however long the message.
_HEAD_CHARS, _TAIL_CHARS = 360, 120
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s]")
_DRAWN_OUT = re.compile(r"(.)\1{2,}")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_LETTERS, _WORDS, _FRAME = (2, 5), (1, 3), (1, 4)
_MOST_FRAME_WORDS = 60


@lru_cache(maxsize=256)
def plain(text: str) -> str:
    """One spelling of what is typed alike: small letters, plain quotes, single spaces, 'soooo' as 'soo'."""
    if len(text) > _HEAD_CHARS + _TAIL_CHARS:
        text = f"{text[:_HEAD_CHARS]} {text[-_TAIL_CHARS:]}"
    text = unicodedata.normalize("NFKC", text).lower().translate(_QUOTES)
    return _DRAWN_OUT.sub(r"\1\1", " ".join(text.split()))


@lru_cache(maxsize=256)
def tokens(text: str) -> tuple[str, ...]:
    """Words and marks, in order."""
    return tuple(_TOKEN.findall(plain(text)))


@lru_cache(maxsize=256)
def letter_grams(text: str) -> tuple[int, ...]:
    """Runs of two to five letters within each word and its borders."""
    return _hashed(_runs(f" {token} ", *_LETTERS) for token in tokens(text))


@lru_cache(maxsize=256)
def word_grams(text: str) -> tuple[int, ...]:
    """Runs of one to three words; the ends of the message count as words."""
    return _hashed([_word_runs(["^", *tokens(text), "$"], _WORDS)])


def frame(
    text: str,
    *,
    known: Collection[str],
    always: Collection[str],
    asked: Collection[str] = (),
    keys: Collection[str] = (),
) -> list[str]:
    """The message without its subject: 'what means <key>', 'is <key> faster than <thing>', 'so <thing> is <asked>'.

    Only the words that learners of anything use (known) stay, and of the open question's own only the smallest (always).
    """
    words: list[str] = []
    for token in tokens(text)[:_MOST_FRAME_WORDS]:
        if token in always or not token[0].isalnum():
            word = token
        elif token in keys:
            word = "<key>"
        elif token in asked:
            word = "<asked>"
        else:
            word = token if token in known else "<thing>"
        if not words or word != words[-1] or word[0] != "<":
            words.append(word)
    return words


def frame_grams(words: Iterable[str]) -> tuple[int, ...]:
    """Runs of one to four words of a frame, and pairs with one or two words between them."""
    bounded = ["^", *words, "$"]
    pairs = (
        f"\0{first} {gap} {second}"
        for gap in (1, 2)
        for first, second in zip(bounded, bounded[gap + 1 :], strict=False)
    )
    return _hashed([_word_runs(bounded, _FRAME), pairs], FRAME_BUCKETS)


def _runs(token: str, shortest: int, longest: int) -> Iterator[str]:
    for length in range(shortest, longest + 1):
        for start in range(max(1, len(token) - length + 1)):
            yield token[start : start + length]


def _word_runs(words: list[str], lengths: tuple[int, int]) -> Iterator[str]:
    for length in range(lengths[0], lengths[1] + 1):
        for start in range(len(words) - length + 1):
            yield "\0" + " ".join(words[start : start + length])


def _hashed(groups: Iterable[Iterable[str]], buckets: int = BUCKETS) -> tuple[int, ...]:
    """Each bucket once, in a fixed order."""
    return tuple(sorted({zlib.crc32(gram.encode()) % buckets for group in groups for gram in group}))
